// Solving by hand: which gestures and keys set which marks. The styles of the layers decide.

import { $, amend, change, found, state } from "./state.js";
import { add, key, Layers } from "./marks.js";

/** The time in milliseconds in which typed digits belong to the same number. */
const TYPING = 1500;

/** The directions of the arrow keys: rows down, columns to the right. */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Play {
  /** `changed()` is called after each change of marks. */
  constructor(board, changed) {
    Object.assign(this, { board, changed });
    this.layers = new Layers([]);
    this.typed = { text: "", time: 0 };
  }

  /** Sets the layers of the board. */
  use(layers) {
    this.layers = new Layers(layers ?? []);
    this.pad();
  }

  get marks() {
    return state.marks ?? this.layers.empty();
  }

  /** Sets marks: pairs of [layer, place] and a value. With `merge`, they belong to the last change. */
  set(entries, merge = false) {
    const marks = [...this.marks];
    for (const [[layer, place], value] of entries) {
      if (this.layers.layers[layer].places[place].values.length > 1) {
        marks[layer] = marks[layer] === this.marks[layer] ? [...marks[layer]] : marks[layer];
        marks[layer][place] = value;
      }
    }
    (merge ? amend : change)({ marks });
    found.wrong = found.places = undefined;
    this.changed();
  }

  /** Takes over the marks of a hint. */
  apply(marks) {
    this.set(marks.map(([layer, place, value]) => [[layer, place], value]));
  }

  value(layer, place) {
    return this.marks[layer.index][place] ?? null;
  }

  /** The states that a cell goes through: each sets some layers. The first one is empty, the last one a dot. */
  cycle(point) {
    const here = this.layers.shades.filter((layer) => this.layers.place(layer, point) !== undefined);
    const states = [{}];
    here.forEach((layer) => states.push({ [layer.index]: 1 }));
    if (here[0]?.style === "slant") {
      states.push({ [here[0].index]: 0 });
    } else if (here.length > 0) {
      states.push(Object.fromEntries(here.map((layer) => [layer.index, 0])));
    }
    return { here, states };
  }

  /** Returns the entries that put a cell into a state. */
  entries(point, wanted) {
    return this.layers.shades
      .map((layer) => [layer.index, this.layers.place(layer, point)])
      .filter(([, place]) => place !== undefined)
      .map((at) => [at, wanted[at[0]] ?? null]);
  }

  /** Returns the next state of a cell; with `back`, the one before. */
  next(point, back) {
    const { here, states } = this.cycle(point);
    const is = (wanted) =>
      here.every((layer) => this.value(layer, this.layers.place(layer, point)) === (wanted[layer.index] ?? null));
    const now = Math.max(0, states.findIndex(is));
    return states[(now + (back ? states.length - 1 : 1)) % states.length];
  }

  /** Returns the middle of the cell at a point or, beside the board, of the nearest cell. */
  centre([row, column]) {
    const [rows, columns] = [this.board.buttons.length, this.board.buttons[0].length];
    const within = (at, most) => 2 * Math.max(0, Math.min(Math.floor(at / 2), most - 1)) + 1;
    return [within(row, rows), within(column, columns)];
  }

  /** Returns the node of a drawn line that is nearest to a point: the middle of a cell, or a corner. */
  node([row, column]) {
    const { style } = this.layers.lines;
    return ["path", "bridges"].includes(style)
      ? this.centre([row, column])
      : [2 * Math.round(row / 2), 2 * Math.round(column / 2)];
  }

  press(row, column, { right, again }) {
    const point = [row, column];
    this.drawing = { right, start: point, moved: false, value: undefined, merge: false };
    const { lines, shades, numbers } = this.layers;
    if (lines) {
      this.drawing.node = this.node(point);
    } else if (shades.length > 0) {
      this.drawing.state = this.next(this.centre(point), right);
      this.paint(this.centre(point));
    } else if (numbers && right && again) {
      this.type("Delete");
    }
  }

  paint(cell) {
    const { drawing } = this;
    if (drawing.cell === key(cell)) {
      return;
    }
    drawing.cell = key(cell);
    const entries = this.entries(cell, drawing.state);
    if (entries.some(([[layer, place], value]) => this.value(this.layers.layers[layer], place) !== value)) {
      this.set(entries, drawing.merge);
      drawing.merge = true;
    }
  }

  drag(row, column) {
    const { drawing } = this;
    const { lines } = this.layers;
    if (!drawing) {
      return;
    }
    drawing.end = [row, column];
    if (drawing.state) {
      const cell = this.centre([row, column]);
      if (this.cycle(cell).here.length > 0) {
        this.paint(cell);
      }
    } else if (lines && lines.style !== "bridges") {
      const goal = this.node([row, column]);
      // Steps in between are drawn, too, if the pointer is fast.
      for (let steps = 0; key(goal) !== key(drawing.node) && steps < 200; steps++) {
        const apart = [goal[0] - drawing.node[0], goal[1] - drawing.node[1]];
        const down = Math.abs(apart[0]) >= Math.abs(apart[1]);
        const half = down ? [Math.sign(apart[0]), 0] : [0, Math.sign(apart[1])];
        drawing.moved = true;
        this.draw(this.layers.place(lines, add(drawing.node, half)));
        drawing.node = add(drawing.node, add(half, half));
      }
    }
  }

  /** Draws a line at a place, or erases it if the first line of the gesture is erased. */
  draw(place) {
    const { drawing } = this;
    const { lines } = this.layers;
    if (place === undefined) {
      return;
    }
    const mark = drawing.right ? 0 : 1;
    drawing.value = drawing.value === undefined ? (this.value(lines, place) === mark ? null : mark) : drawing.value;
    if (this.value(lines, place) !== drawing.value) {
      this.set([[[lines.index, place], drawing.value]], drawing.merge);
      drawing.merge = true;
    }
  }

  release() {
    const { drawing } = this;
    const { lines, shades } = this.layers;
    this.drawing = undefined;
    if (!drawing || drawing.state || drawing.moved || !lines) {
      return;
    }
    const { start, end = start } = drawing;
    if (lines.style === "bridges") {
      this.build(start, end, drawing.right);
      return;
    }
    const cell = this.centre(start);
    const edge = this.nearest(start);
    if (edge !== undefined && (shades.length === 0 || edge.distance < 0.3)) {
      this.drawing = drawing;
      this.draw(edge.place);
      this.drawing = undefined;
    } else if (shades.length > 0) {
      this.set(this.entries(cell, this.next(cell, drawing.right)));
    }
  }

  /** Returns the line that is nearest to a point, if it is near. */
  nearest(point) {
    const { lines } = this.layers;
    const cell = this.centre(point);
    const sides = Object.values(ARROWS).map((side) => {
      const place = this.layers.place(lines, add(cell, side));
      return { place, distance: Math.abs(side[0] ? point[0] - cell[0] - side[0] : point[1] - cell[1] - side[1]) };
    });
    const near = sides.filter(({ place, distance }) => place !== undefined && distance < 0.75);
    return near.sort((a, b) => a.distance - b.distance)[0];
  }

  /** Adds a bridge from an island in the direction of a gesture. */
  build(start, end, right) {
    const [down, across] = [end[0] - start[0], end[1] - start[1]];
    const cell = this.centre(start).map((at) => (at - 1) / 2);
    if (Math.max(Math.abs(down), Math.abs(across)) > 0.8) {
      const isDown = Math.abs(down) > Math.abs(across);
      this.bridge(this.layers.bridge(cell, isDown ? [Math.sign(down), 0] : [0, Math.sign(across)]), right);
      return;
    }
    // A click between two islands.
    const [row, column] = this.centre(start);
    const between = this.layers.lines.places.findIndex(({ points: [a, b] }) =>
      a[0] === b[0] ? row === a[0] && (column - a[1]) * (column - b[1]) < 0 : column === a[1] && (row - a[0]) * (row - b[0]) < 0,
    );
    this.bridge(between, right);
  }

  bridge(place, right) {
    const { lines } = this.layers;
    if (place >= 0) {
      const value = this.value(lines, place);
      const most = lines.places[place].values.at(-1);
      const next = right ? (value === 0 ? null : 0) : (value ?? 0) >= most ? null : (value ?? 0) + 1;
      this.set([[[lines.index, place], next]]);
    }
  }

  key(event) {
    const arrow = ARROWS[event.key];
    const { lines } = this.layers;
    const [row, column] = this.board.current;
    const point = [2 * row + 1, 2 * column + 1];
    if (arrow && lines && (event.shiftKey || event.altKey)) {
      this.drawing = { right: event.altKey, value: undefined, merge: false };
      if (lines.style === "bridges") {
        this.bridge(this.layers.bridge([row, column], arrow), event.altKey);
      } else {
        this.draw(this.layers.place(lines, add(point, arrow)));
      }
      this.drawing = undefined;
      if (lines.style === "path" && event.shiftKey) {
        this.board.move({ key: event.key });
      }
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return false;
    }
    if ([" ", "Enter"].includes(event.key) && this.layers.shades.length > 0) {
      this.set(this.entries(point, this.next(point, event.shiftKey)));
      return true;
    }
    if (["x", "X", "."].includes(event.key) && this.layers.shades.length > 0) {
      const { states } = this.cycle(point);
      this.set(this.entries(point, states.at(-1)));
      return true;
    }
    const digit = /^Digit(\d)$/.exec(event.code)?.[1];
    return this.type(event.shiftKey && digit ? digit : event.key, event.shiftKey && digit !== undefined);
  }

  /** Types a key into the focused cell. */
  type(pressed, pencil = $("pencil").checked) {
    const [row, column] = this.board.current;
    const point = [2 * row + 1, 2 * column + 1];
    const { numbers, shades } = this.layers;
    const at = `${row} ${column}`;
    if (["Delete", "Backspace"].includes(pressed)) {
      const number = numbers && this.layers.place(numbers, point);
      const cleared = number === undefined ? [] : [[[numbers.index, number], null]];
      this.set([...(shades.length > 0 ? this.entries(point, {}) : []), ...cleared]);
      const { [at]: _, ...rest } = state.pencil;
      amend({ pencil: rest });
      this.changed();
      return true;
    }
    const place = numbers && this.layers.place(numbers, point);
    if (place === undefined || !/^[0-9]$/.test(pressed)) {
      return false;
    }
    const { values } = numbers.places[place];
    if (values.length < 2) {
      return true;
    }
    if (pencil) {
      const old = state.pencil[at] ?? "";
      const digits = old.includes(pressed) ? old.replace(pressed, "") : [...old, pressed].sort().join("");
      change({ pencil: { ...state.pencil, [at]: digits } });
      this.changed();
      return true;
    }
    const now = Date.now();
    const before = this.typed.at === at && now - this.typed.time < TYPING ? this.typed.text : "";
    const isStart = (digits) => values.some((value) => String(value).startsWith(digits));
    const digits = before && isStart(before + pressed) ? before + pressed : pressed;
    if (!isStart(digits)) {
      return true;
    }
    this.typed = { text: digits, time: now, at };
    this.set([[[numbers.index, place], Number(digits)]], digits.length > 1);
    return true;
  }

  /** Shows buttons for the digits, for touch screens. */
  pad() {
    const { numbers } = this.layers;
    const values = new Set(numbers?.places.flatMap(({ values }) => values));
    const digits = new Set([...values].flatMap((value) => [...String(value)]));
    const buttons = [...digits].sort().filter((digit) => /\d/.test(digit)).map((digit) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: digit });
      button.addEventListener("click", () => this.type(digit));
      return button;
    });
    const erase = Object.assign(document.createElement("button"), { type: "button", textContent: "⌫", ariaLabel: "Erase" });
    erase.addEventListener("click", () => this.type("Delete"));
    $("pad").replaceChildren(...(numbers ? [...buttons, erase] : []));
    $("pencilling").hidden = !numbers;
  }

  /** Describes the keys of the board. */
  help() {
    const { lines, shades, numbers } = this.layers;
    const words = [];
    if (lines) {
      words.push(lines.style === "bridges" ? "Drag from island to island to build" : "Drag to draw lines; the right button draws crosses");
      words.push("Shift or Alt with an arrow key does the same");
    }
    if (shades.length > 0) {
      words.push(shades[0].style === "slant" ? "Click or Space turns a diagonal" : "Click or Space marks a cell; right click or X dots it");
    }
    if (numbers) {
      words.push("Digits fill a cell; with Shift or Pencil, they are notes");
    }
    return words.map((word) => `${word}.`).join(" ");
  }
}
