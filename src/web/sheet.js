// The rule sheet and the text of the board, which the user can change.

import { $, change, found, state } from "./state.js";

/** The pause in milliseconds after which a changed sheet is tried. */
const PAUSE = 400;

/** A sheet from which a new puzzle type can be made, and a board for it. */
const EXAMPLE = {
  sheet: `puzzle leaps
about "Shade cells. A number says how many of the cells that are a knight's move away are shaded. No two shaded cells share a side."
data grid clue: 0..8
var shaded on cells
solution shaded shaded
rule "clue" for c in clue:
  count(x in knights(c): shaded(x)) = clue(c)
rule "shaded cells are apart" for l in links:
  not all(c in ends(l): shaded(c))
`,
  text: "leaps\n. . . 1 .\n. 2 1 1 .\n. 1 . . 1\n. . 2 0 1\n. 0 . 0 .\n",
};

let pause;

/** Returns the name of the puzzle type that a sheet states. */
const nameOf = (sheet) => /^puzzle\s+([^\s,]+)/m.exec(sheet)?.[1];

/** Replaces the name of the puzzle type on the first line of a board. */
function renamed(text, sheet) {
  const name = nameOf(sheet);
  const first = text.search(/\S/);
  return name && /[A-Za-z]/.test(text[first] ?? "") ? text.slice(0, first) + text.slice(first).replace(/^\S+/, name) : text;
}

/** Marks the place of an error in a text field. `line` and `column` count from 1. */
export function mark(id, line, column) {
  const marks = $(`${id}-marks`);
  const field = $(id);
  if (!line) {
    marks.replaceChildren();
    return;
  }
  const lines = field.value.split("\n");
  const before = [...lines.slice(0, line - 1), [...lines[line - 1] ?? ""].slice(0, column - 1).join("")].join("\n");
  const rest = field.value.slice(before.length);
  const word = /^(\w+|'[^']*'|[^\n])/.exec(rest)?.[0] ?? " ";
  marks.replaceChildren(before, Object.assign(document.createElement("mark"), { textContent: word }));
  follow(id);
}

/** Scrolls the marks with their text field. */
function follow(id) {
  $(`${id}-marks`).scrollTo($(id).scrollLeft, $(id).scrollTop);
}

/** Shows the error of a sheet at its place. */
export function sheetError({ message, line, column, help }) {
  $("sheet-error").textContent = `${line ? `Line ${line}, column ${column}: ` : ""}${message}${help ? `\n${help}` : ""}`;
  mark("sheet", line, column);
  $("sheets").open = true;
}

/** Shows the sheet of the board, unless the user is changing it. */
export function showSheet() {
  $("sheet-part").hidden = !found.sheet && state.sheet === null;
  $("restore").hidden = state.sheet === null || found.builtIn === undefined;
  if (document.activeElement !== $("sheet")) {
    $("sheet").value = state.sheet ?? found.sheet ?? "";
  }
  if (document.activeElement !== $("text")) {
    $("text").value = state.text;
  }
}

/** Connects the fields. `changed()` is called after each change. */
export function connect(changed) {
  for (const id of ["sheet", "text"]) {
    $(id).addEventListener("scroll", () => follow(id));
  }
  const tryIt = (sheet, text = found.native ?? state.text) => {
    $("sheet-error").textContent = "";
    mark("sheet");
    change({ sheet, puzzle: null, text: renamed(text, sheet), cells: null, marks: null, pencil: {} });
    changed();
  };
  $("sheet").addEventListener("input", () => {
    mark("sheet");
    clearTimeout(pause);
    pause = setTimeout(() => tryIt($("sheet").value, found.native ?? state.text), PAUSE);
  });
  $("restore").addEventListener("click", () => {
    $("sheet-error").textContent = "";
    mark("sheet");
    const { builtIn } = found;
    change({ sheet: null, puzzle: null, text: renamed(state.text, builtIn), marks: null, pencil: {} });
    $("sheet").value = builtIn;
    changed();
  });
  $("invent").addEventListener("click", () => {
    $("sheet").value = EXAMPLE.sheet;
    tryIt(EXAMPLE.sheet, EXAMPLE.text);
  });
}
