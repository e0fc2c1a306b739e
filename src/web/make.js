// Making puzzles, and empty boards.

import { $, native, state, types } from "./state.js";

/** Shows the controls that the chosen puzzle type has. */
export function chooseType() {
  const { symmetries, header, size, patterned } = types.get($("type").value) ?? {};
  const { value } = $("symmetry");
  $("symmetry").replaceChildren(...(symmetries ?? []).map((name) => new Option(name, name, false, name === value)));
  $("symmetry").parentElement.hidden = !(symmetries?.length > 1);
  $("effort").parentElement.hidden = $("start").hidden = !symmetries;
  $("new").hidden = !header;
  $("same-cells").parentElement.hidden = !(patterned && state.puzzle === $("type").value && state.cells);
  $("made").textContent = symmetries ? "" : "No puzzles of this type can be made.";
  [$("rows").value, $("columns").value] = size ?? [6, 6];
}

/** Fills the lists. `type` is the type of the current board. */
export function prepare(type) {
  if ($("type").options.length === 0) {
    const groups = Map.groupBy(types.values(), ({ group }) => group);
    const listed = [...groups].map(([label, types]) => {
      const group = Object.assign(document.createElement("optgroup"), { label });
      group.append(...types.map(({ name }) => new Option(name)));
      return group;
    });
    $("type").replaceChildren(...listed);
  }
  if (types.has(type) && type !== $("type").value) {
    $("type").value = type;
  }
  chooseType();
}

/** Returns the numbers of rows and columns of a new board. */
function size() {
  return [$("rows"), $("columns")].map((input) => Math.min(100, Math.max(1, input.valueAsNumber || 6)));
}

/** Returns the request for a puzzle. */
export function request() {
  const same = $("same-cells").checked && !$("same-cells").parentElement.hidden;
  const [rows, columns] = same ? [state.cells.length, state.cells[0].length] : size();
  const pattern = same ? state.cells.map((row) => row.map((token) => (token === "." ? "." : "x")).join(" ")).join("\n") : null;
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  const board = { puzzle: $("type").value, rows, columns, seed, pattern };
  return { ask: "make", board: { ...board, symmetry: $("symmetry").value || "none", effort: $("effort").value || null } };
}

/** Returns whether the lines before the cells are the same for all sizes: no further rows of the board. */
const isSizeless = (header) => header.split("\n").slice(1).every((line) => line.includes("="));

/** Returns the text of an empty board or, if its data depends on the size, of the sample. */
export function empty() {
  const { header, sample } = types.get($("type").value);
  if (!header || !isSizeless(header)) {
    return sample;
  }
  const [rows, columns] = size();
  return native(header, Array.from({ length: rows }, () => Array(columns).fill(".")));
}

/** Returns the cells of a board that could not be read, for example because it violates a rule for boards. */
export function guessCells(text) {
  const lines = text.trim().split("\n");
  const known = types.get(lines[0].split(" ")[0]);
  if (!known?.header || !isSizeless(known.header)) {
    return undefined;
  }
  const height = known.header.split("\n").length;
  const cells = lines.slice(height).map((line) => line.trim().split(/\s+/));
  const isGrid = cells.length > 0 && cells.every((row) => row.length === cells[0].length);
  return isGrid ? { header: lines.slice(0, height).join("\n"), cells } : undefined;
}
