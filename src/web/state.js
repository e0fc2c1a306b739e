// The state of the page: the board with the user's marks, its history, and what the program has found.

/** The puzzle types by name, as the program describes them. */
export const types = new Map();

/**
 * What undo restores. `text` is the board, `puzzle` its type or null, and `sheet` the user's own rule sheet or null. If the
 * board consists of cells, `header` is the text before them, and `cells` are their tokens by row. `marks` has a value or
 * null for each place of each layer, and `pencil` the candidates of cells by "row column".
 */
export let state = { text: "", puzzle: null, sheet: null, header: "", cells: null, marks: null, pencil: {} };

/** What the program has found about the board. */
export let found = {};

const past = [];
const future = [];

/** Changes the state, so that it can be undone. */
export function change(next) {
  past.push(state);
  future.length = 0;
  state = { ...state, ...next };
}

/** Changes the state without a new entry of the history, because the change belongs to the last one. */
export function amend(next) {
  state = { ...state, ...next };
}

export function setFound(next) {
  found = next;
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

export function forget() {
  past.length = 0;
  future.length = 0;
}

/** Undoes or redoes a change. Returns whether the board differs, or undefined if there is no change. */
export function step(back) {
  const [from, to] = back ? [past, future] : [future, past];
  if (from.length === 0) {
    return undefined;
  }
  to.push(state);
  const { text, sheet } = state;
  state = from.pop();
  return state.text !== text || state.sheet !== sheet;
}

/** Returns the board of a request. */
export function boardOf({ text, puzzle, sheet } = state) {
  return { text, puzzle, sheet };
}

/** Returns the text of a board that consists of cells. */
export const native = (header, cells) => [header, ...cells.map((row) => row.join(" "))].join("\n") + "\n";

/** Returns the address part that contains the board. */
export function link() {
  const sheet = state.sheet === null ? "" : `&${encodeURIComponent(state.sheet)}`;
  return `#${encodeURIComponent(state.text)}${sheet}`;
}

/** Returns the element with an id. */
export const $ = (id) => document.getElementById(id);

/** Returns the chosen value of a group of radio buttons. */
export const chosen = (name) => document.querySelector(`input[name=${name}]:checked`).value;
