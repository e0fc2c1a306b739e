// What the page shows: the board, the results, and the controls that are useful now.

import { Board, blank } from "./board.js";
import { Edit } from "./edit.js";
import { otherNames } from "./gallery.js";
import { guessCells } from "./make.js";
import { drawMarks } from "./marks.js";
import { Play } from "./play.js";
import { mark, sheetError, showSheet } from "./sheet.js";
import { $, canRedo, canUndo, chosen, found, link, native, setFound, state, types } from "./state.js";
import { showStep } from "./steps.js";

/** What happens after changes: `solve` after those of the board, `marked` after those of the user's marks. */
export const after = { solve: () => {}, marked: () => {} };

export const board = new Board({ frame: $("frame"), picture: $("picture"), cells: $("cells"), mode: () => modes[mode()] ?? {} });
export const play = new Play(board, () => after.marked());
export const edit = new Edit(board, () => after.solve());
const modes = { play, edit };
board.changed = () => describeWhy();

/** Returns the mode that has an effect: boards without marks can't be played. */
export function mode() {
  const wanted = chosen("mode");
  return wanted === "play" && play.layers.isEmpty ? "solution" : wanted;
}

export function say(text) {
  $("status").textContent = text;
  $("status").classList.remove("solved");
}

/** Stores the board as the program has read it. */
function read(event) {
  const { header, drawing, native: text, puzzle, sheet } = event;
  const builtIn = state.sheet === null ? sheet : found.builtIn;
  setFound({ ...event, board: drawing, builtIn });
  if (header !== null && drawing.cells) {
    state.header = header;
    state.cells = drawing.cells;
    state.text = native(header, drawing.cells);
  } else if (text) {
    state.text = text;
  }
  if (state.marks && state.marks.some((marks, layer) => marks.length !== event.layers[layer]?.places.length)) {
    state.marks = null;
  }
  play.use(event.layers);
  mark("text");
  $("choose").textContent = `${puzzle} ▾`;
  document.title = `${puzzle} – Gordian`;
  history.replaceState(null, "", link());
}

/** Describes how many cells have forced values. */
function forcedValues({ cells, complete }) {
  const all = (cells ?? []).flat();
  const open = all.filter((token) => token === "?" || token === "*").length;
  const least = complete ? "" : "at least ";
  return all.length > 0 && open > 0 ? `Several solutions; ${least}${all.length - open} of ${all.length} cells are the same.` : "Several solutions.";
}

export function receive(event) {
  if (event.event !== "error") {
    $("error").hidden = true;
  }
  switch (event.event) {
    case "board":
      read(event);
      say("Searching …");
      break;
    case "solution": {
      found.solution = event;
      const [name, value, optimal] = event.objective ?? [];
      $("answer").textContent = event.objective ? `${name}: ${value}${optimal ? ", proven optimal" : ", so far"}.` : "";
      say("Found a solution; searching for another …");
      break;
    }
    case "none":
      found.none = true;
      say("No solution.");
      break;
    case "unique":
      found.unique = true;
      say("Exactly one solution.");
      break;
    case "several":
      found.several = event.drawings;
      say("Several solutions.");
      break;
    case "forced":
      found.forced = event.drawing;
      say(forcedValues({ ...event.drawing, complete: event.complete }));
      break;
    case "error":
      fail(event);
      break;
  }
  draw();
}

/** Shows an error without changing the board. */
export function complain({ message, line, column, help }) {
  const place = line ? `Line ${line}, column ${column}: ` : "";
  $("error").textContent = `${place}${message}${help ? `\n${help}` : ""}`;
  $("error").hidden = false;
  $("frame").classList.remove("stale");
}

/** Shows an error instead of results. The board can still be edited. */
export function fail(error) {
  if (error.in_sheet) {
    sheetError(error);
    say("The sheet has an error.");
    $("frame").classList.remove("stale");
    return;
  }
  const guess = state.cells ? undefined : guessCells(state.text);
  Object.assign(state, guess);
  const { cells } = state;
  const drawing = cells ? { svg: blank(cells.length, cells[0].length), cells } : undefined;
  setFound({ ...found, solution: undefined, board: drawing, layers: [], error: true });
  play.use([]);
  complain(error);
  mark("text", error.line, error.column);
  say("");
  draw();
}

/** Returns the drawing to show. */
export function shown() {
  const step = found.steps?.[found.at];
  if (step) {
    return step.drawing ?? found.board;
  }
  if (mode() === "play") {
    return found.board;
  }
  const solution = found.solution?.drawing;
  const views = {
    solution: found.several?.[0] ?? solution,
    other: found.several?.[1],
    forced: found.forced ?? (found.unique ? solution : undefined) ?? (found.steps ? undefined : solution),
    heat: found.maps?.[$("map").selectedIndex]?.[0] ?? found.maps?.[0]?.[0],
  };
  return views[chosen("view")] ?? found.board;
}

function describe(row, column) {
  const name = (token) => ({ ".": "empty", "#": "block", "?": "unknown" })[token] ?? token;
  let text = `r${row + 1}c${column + 1}: ${name(state.cells?.[row]?.[column] ?? found.board?.cells?.[row]?.[column] ?? ".")}`;
  if (mode() === "play") {
    const marks = play.layers.describe(play.marks, row, column);
    return marks ? `${text}, ${marks}` : text;
  }
  const view = shown();
  const token = view?.cells?.[row]?.[column];
  if (token !== undefined && view !== found.board) {
    const value = { "?": "differs between solutions", "*": "may differ" }[token] ?? token;
    text += `, ${view === found.forced ? "forced" : "solution"}: ${value}`;
  }
  return text;
}

function describeWhy() {
  const [row, column] = board.current;
  $("why").textContent = found.none ? "Why is there no solution?" : `Why r${row + 1}c${column + 1}?`;
}

/** Returns the numbers of rows and columns. */
export function size() {
  const cells = state.cells ?? found.board?.cells;
  return [cells?.length ?? 0, cells?.[0]?.length ?? 0];
}

/** Returns the parts of a text, in which backquotes enclose symbols. */
function withCode(text) {
  const code = (textContent) => Object.assign(document.createElement("code"), { textContent });
  return text.split("`").map((part, index) => (index % 2 === 1 ? code(part) : part));
}

export function draw() {
  const now = mode();
  const view = shown();
  const isStep = found.steps?.[found.at] !== undefined;
  document.body.dataset.mode = now;
  $("undo").disabled = !canUndo();
  $("redo").disabled = !canRedo();
  $("frame").classList.remove("stale");
  $("frame").classList.toggle("drawing", now === "play" || (now === "edit" && edit.brush !== null));
  document.querySelector("input[name=mode][value=play]").disabled = play.layers.isEmpty;
  document.querySelector("input[name=mode][value=edit]").disabled = !state.cells && !found.error;
  $("playing").hidden = now !== "play";
  $("solving").hidden = now === "play";
  $("palette").hidden = now !== "edit" || !state.cells;
  $("keys").textContent = now === "play" ? play.help() : now === "edit" ? "Digits and symbols fill a cell, Space changes it, Delete empties it." : "";
  $("heats").hidden = !(found.maps?.length > 1 && chosen("view") === "heat");
  document.querySelector("input[name=view][value=other]").parentElement.hidden = !found.several;
  $("clues").textContent = found.several ? "Which clue is missing?" : "Superfluous clues";
  $("clues").hidden = found.none === true || types.get(found.puzzle)?.leaves_out === false;
  $("explain").hidden = found.error === true;
  $("address").hidden = !found.address;
  $("save-json").disabled = !found.solution;
  $("picture").dataset.style = found.layers?.[0]?.style ?? "";
  if (now === "edit") {
    edit.palette();
  }
  edit.fields(now !== "play");
  if (view) {
    const [rows, columns] = size();
    board.show(view.svg, rows, columns, describe);
    if (now === "play" && !isStep && board.group && rows > 0) {
      drawMarks(board.group, play.layers, play.marks, state.pencil, found.wrong);
      found.places?.forEach(([row, column]) => board.wrong(row, column));
    }
    if (found.error && state.cells) {
      state.cells.forEach((line, row) => line.forEach((token, column) => board.write(row, column, token, "clue")));
    }
  } else {
    board.clear();
  }
  describeWhy();
  $("why").hidden = !found.board?.cells && !found.none;
  showStep();
  showSheet();
  $("name").textContent = found.puzzle ?? "";
  $("rule").replaceChildren(...withCode(found.rules ?? ""));
  const type = types.get(found.puzzle);
  $("names").textContent = type && state.sheet === null ? otherNames(type).join(", ") : "";
}
