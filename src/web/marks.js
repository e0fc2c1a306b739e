// The user's marks: what can be marked on a board, and how marks are drawn. A layer is a part of the solution, such as the
// shaded cells or the lines; its style says how it looks. Points are in halves of a cell, with the row first.

import { CELL } from "./board.js";

const HALF = CELL / 2;
const SVG = "http://www.w3.org/2000/svg";

/** The styles whose marks are lines between two points. */
const LINES = { path: "line", border: "fence", areas: "walls", pieces: "walls", bridges: "bridge" };

/** The places of a board that can be marked. */
export class Layers {
  constructor(layers) {
    this.layers = layers.map(({ name, style, symbol, places }, index) => {
      const parsed = places.map(([name, points, values]) => ({ name, points, values }));
      return { name, style, symbol, index, places: parsed, isLines: style in LINES };
    });
    this.lines = this.layers.find((layer) => layer.isLines);
    this.numbers = this.layers.find(({ style }) => style === "numbers");
    this.shades = this.layers.filter(({ style, isLines }) => !isLines && style !== "numbers");
    for (const layer of this.layers) {
      layer.at = new Map();
      layer.places.forEach(({ points }, place) => {
        layer.at.set(layer.isLines && layer.style !== "bridges" ? middle(points) : key(points[0]), place);
      });
    }
  }

  get isEmpty() {
    return this.layers.length === 0;
  }

  empty() {
    return this.layers.map(({ places }) => places.map(() => null));
  }

  /** Returns the place of a layer at a point, or undefined. */
  place(layer, point) {
    return layer.at.get(key(point));
  }

  /** Returns the index of the bridge from a cell in a direction. */
  bridge([row, column], [down, across]) {
    const at = [2 * row + 1, 2 * column + 1];
    return this.lines.places.findIndex(({ points }) =>
      [points, [...points].reverse()].some(
        ([from, ...others]) =>
          key(from) === key(at) &&
          others.every(([y, x]) => Math.sign(y - from[0]) === down && Math.sign(x - from[1]) === across),
      ),
    );
  }

  /** Returns whether all places show the values of a solution. */
  shows(marks, solution) {
    return this.layers.every(({ index, places }) =>
      places.every(({ values }, place) => {
        const implied = values.length === 1 ? values[0] : values.includes(0) ? 0 : null;
        return (marks[index][place] ?? implied) === solution[index][place];
      }),
    );
  }

  /** Describes the marks of a cell. */
  describe(marks, row, column) {
    const at = [2 * row + 1, 2 * column + 1];
    const words = [];
    for (const layer of this.layers) {
      if (layer.isLines) {
        const sides = { top: [-1, 0], right: [0, 1], bottom: [1, 0], left: [0, -1] };
        const drawn = Object.entries(sides).filter(([, side]) => {
          const place = layer.style === "bridges" ? this.bridge([row, column], side) : this.place(layer, add(at, side));
          return marks[layer.index][place] > 0;
        });
        if (drawn.length > 0) {
          words.push(`line: ${drawn.map(([name]) => name).join(", ")}`);
        }
      } else {
        const value = marks[layer.index][this.place(layer, at)] ?? null;
        if (value !== null) {
          const name = { numbers: String(value), slant: value ? "falling" : "rising" }[layer.style];
          words.push(name ?? (value ? layer.name : `not ${layer.name}`));
        }
      }
    }
    return words.join(", ");
  }
}

export const key = ([row, column]) => `${row} ${column}`;
const middle = ([a, b]) => `${(a[0] + b[0]) / 2} ${(a[1] + b[1]) / 2}`;
export const add = (a, b) => [a[0] + b[0], a[1] + b[1]];

function element(name, attributes, kind) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  made.setAttribute("class", `own ${kind}`);
  return made;
}

function text(content, [row, column], size, kind) {
  const made = element("text", { x: HALF * column, y: HALF * row + 0.36 * size, "text-anchor": "middle", "font-size": size }, kind);
  made.textContent = content;
  return made;
}

/** Draws the marks into the group of a picture. `wrong` contains "layer place" of wrong marks. */
export function drawMarks(group, layers, marks, pencil, wrong) {
  const below = [];
  const above = [];
  const shaded = new Set();
  for (const { index, style, symbol, places } of layers.layers) {
    places.forEach(({ points }, place) => {
      const value = marks[index][place];
      if (value === null || value === undefined) {
        return;
      }
      const bad = wrong?.has(`${index} ${place}`) ? " bad" : "";
      const [row, column] = points[0];
      if (style in LINES) {
        above.push(...line(style, points, value, bad));
      } else if (style === "numbers") {
        above.push(text(String(value), points[0], value > 99 ? 14 : 20, `mark${bad}`));
      } else if (style === "slant") {
        const [y, x] = [HALF * (row - 0.8), HALF * (column - 0.8)];
        const end = 1.6 * HALF;
        above.push(element("path", { d: value ? `M${x} ${y}l${end} ${end}` : `M${x + end} ${y}l${-end} ${end}` }, `slant${bad}`));
      } else if (value === 0) {
        above.push(element("circle", { cx: HALF * column, cy: HALF * row, r: 3.2 }, `dot${bad}`));
      } else if (["shaded", "islands"].includes(style) || symbol === "#") {
        const [x, y] = [HALF * (column - 1), HALF * (row - 1)];
        below.push(element("rect", { x, y, width: CELL, height: CELL }, `block${bad}`));
        shaded.add(key(points[0]));
      } else {
        above.push(text(symbol === "*" ? "★" : symbol, points[0], symbol === "*" ? 28 : 22, `${symbol === "*" ? "star" : "mark"}${bad}`));
      }
    });
  }
  for (const [at, digits] of Object.entries(pencil)) {
    const [row, column] = at.split(" ").map(Number);
    const size = digits.length > 5 ? 8 : 10;
    above.push(text(digits, [2 * row + 0.4, 2 * column + 1], size, "pencil"));
  }
  // Clues stay visible on shaded cells.
  const first = group.querySelector(".grid, .fence, .ring, .disc, text, .frame, .walls");
  below.forEach((made) => group.insertBefore(made, first?.parentNode === group ? first : null));
  for (const clue of group.querySelectorAll("text:not(.own)")) {
    const at = ["y", "x"].map((name) => Math.floor(Number(clue.getAttribute(name)) / CELL));
    clue.classList.toggle("over", shaded.has(key([2 * at[0] + 1, 2 * at[1] + 1])));
  }
  group.append(...above);
}

/** Returns the elements of a line between two points. The value 0 is a cross. */
function line(style, points, value, bad) {
  const [from, to] = [points[0], points.at(-1)].map(([row, column]) => [HALF * row, HALF * column]);
  const [y, x] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  if (value === 0) {
    const arm = 4;
    return [element("path", { d: `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}` }, `cross${bad}`)];
  }
  const isAcross = from[0] === to[0];
  const gap = style === "bridges" ? 13 : 0;
  const offsets = style === "bridges" ? Array.from({ length: value }, (_, line) => 6 * line - 3 * (value - 1)) : [0];
  return offsets.map((offset) => {
    const [y1, x1, y2, x2] = isAcross
      ? [from[0] + offset, from[1] + gap, to[0] + offset, to[1] - gap]
      : [from[0] + gap, from[1] + offset, to[0] - gap, to[1] + offset];
    return element("path", { d: `M${x1} ${y1}L${x2} ${y2}` }, `${LINES[style]}${bad}`);
  });
}
