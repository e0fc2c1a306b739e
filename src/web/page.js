// The page: its state, its history, and what it shows.
//
// The file has more than 400 lines, because all functions share the state of the page.

import { ask } from "./ask.js";
import { Board, blank, parse } from "./board.js";

const $ = (id) => document.getElementById(id);

/** The puzzle type of the first board. */
const FIRST = "nurikabe";
/** The puzzle types by name, as the program describes them. */
const types = new Map();
/**
 * The board and the user's solution. `text` is the board as text. If the board consists of cells, `header` is the text
 * before them, `cells` are their tokens by row, and `marks` are the tokens of the user's solution.
 */
let state = { text: "", puzzle: null, header: "", cells: null, marks: null };
const past = [];
const future = [];
/** What the program has found about the board. */
let found = {};
/** True until the sample of a puzzle type is read, whose size is not that of further boards. */
let isSample = false;
/** The controller that aborts the search in progress. */
let search = null;

const chosen = (name) => document.querySelector(`input[name=${name}]:checked`).value;
const type = () => types.get(found.puzzle);
/** Returns whether a solution of the board consists of tokens that the user can write into cells. */
const hasMarks = () => type()?.marks?.numbers === true || (type()?.marks?.words.length ?? 0) > 1;
const isSolving = () => chosen("mode") === "marks" && state.cells !== null && hasMarks();
const tokens = () => (isSolving() ? type()?.marks : type()?.clues) ?? { words: ["."], numbers: false };
const native = (header, cells) => [header, ...cells.map((row) => row.join(" "))].join("\n") + "\n";
const empty = (cells) => cells.map((row) => row.map(() => "."));

const board = new Board({ picture: $("picture"), cells: $("cells"), edit, tokens });
board.token = (row, column) => (isSolving() ? mark(row, column) : state.cells[row][column]);

/** Returns whether the user may write a part of the solution into a cell. */
function isFree(row, column) {
  const token = state.cells[row][column];
  return token === "." || token === "?" || type()?.covers === true;
}

function mark(row, column) {
  return state.marks?.[row][column] ?? ".";
}

/** Changes the state, so that it can be undone. */
function change(next) {
  past.push(state);
  future.length = 0;
  state = next;
}

/** Changes a cell of the board or of the user's solution. */
function edit(row, column, token) {
  const solving = isSolving();
  if (board.token(row, column) === token || (solving && !isFree(row, column))) {
    return;
  }
  const layer = (solving ? (state.marks ?? empty(state.cells)) : state.cells).map((line) => [...line]);
  layer[row][column] = token;
  if (solving) {
    change({ ...state, marks: layer });
    found.places = [];
    $("answer").textContent = "";
    draw();
    history.replaceState(null, "", link());
  } else {
    change({ ...state, cells: layer, text: native(state.header, layer), marks: null });
    board.write(row, column, token, "clue");
    solve();
  }
}

function step(from, to) {
  if (from.length > 0) {
    to.push(state);
    const { text } = state;
    state = from.pop();
    if (state.text === text) {
      draw();
    } else {
      solve();
    }
  }
}

/** Reads a text that replaces the board. */
function open(text, puzzle = null) {
  change({ text, puzzle, header: "", cells: null, marks: null });
  solve();
}

function describe(row, column) {
  const shade = type()?.covers ? "shaded" : "block";
  const name = (token) => (token === "." ? "empty" : token === "#" ? shade : token === "?" ? "unknown" : token);
  let text = `row ${row + 1}, column ${column + 1}: ${name(state.cells[row][column])}`;
  if (isSolving()) {
    return mark(row, column) === "." ? text : `${text}, your solution: ${mark(row, column)}`;
  }
  const view = shown();
  const token = view?.cells?.[row]?.[column];
  if (token !== undefined && token !== state.cells[row][column]) {
    const value = { "?": "differs between solutions", "*": "may differ" }[token] ?? token;
    text += view === found.forced ? `, forced: ${value}` : `, solution: ${value}`;
  }
  return text;
}

/** Returns the drawing to show. */
function shown() {
  const step = found.steps?.[found.at];
  if (step) {
    return step.drawing ?? found.board;
  }
  const view = isSolving() ? "board" : chosen("view");
  const solution = found.solution?.drawing;
  if (view === "solution") {
    return solution ?? found.board;
  }
  if (view === "forced") {
    return found.forced ?? (found.unique ? solution : undefined) ?? found.board;
  }
  return found.board;
}

function draw() {
  $("undo").disabled = past.length === 0;
  $("redo").disabled = future.length === 0;
  const { cells } = state;
  const view = shown();
  $("frame").classList.remove("stale");
  if (view) {
    board.show(view.svg, cells?.length ?? 0, cells?.[0].length ?? 0, describe);
  } else {
    $("picture").replaceChildren();
    $("cells").hidden = true;
  }
  if (cells && view) {
    if (isSolving()) {
      cells.forEach((line, row) => line.forEach((_, column) => writeMark(row, column)));
      found.places?.forEach(([row, column]) => board.wrong(row, column));
    } else if (found.error) {
      cells.forEach((line, row) => line.forEach((token, column) => board.write(row, column, token, "clue")));
    }
  }
  const solving = isSolving();
  $("palette").hidden = $("keys").hidden = !cells;
  $("modes").hidden = !cells || !hasMarks();
  $("views").hidden = solving;
  $("check").hidden = $("clear").hidden = !solving;
  palette();
  witnesses();
  heatMaps();
  explanation();
  const rules = type()?.rules ?? "";
  $("rules").hidden = rules === "";
  $("rule").textContent = rules;
  $("address").hidden = !found.address;
  $("save-json").disabled = !found.solution;
}

function writeMark(row, column) {
  const token = mark(row, column);
  if (token !== "." && isFree(row, column)) {
    board.write(row, column, token, "mark");
    if (token === "0") {
      board.buttons[row][column].classList.add("sea");
      board.buttons[row][column].textContent = "";
    }
  }
}

/** Shows the two solutions, if there are several. */
function witnesses() {
  const { several } = found;
  $("two").hidden = !several;
  $("witnesses").replaceChildren(...(several ?? []).map(({ svg }) => parse(svg).picture));
}

/** Shows the heat maps, if there are any. */
function heatMaps() {
  const maps = found.maps ?? [];
  $("maps").hidden = maps.length === 0;
  const shown = maps.flatMap(([drawing, text]) => [
    Object.assign(document.createElement("figcaption"), { textContent: text }),
    parse(drawing.svg).picture,
  ]);
  $("maps").replaceChildren(...shown);
}

/** Shows a step of an explanation, or a reason. */
function explanation() {
  const { steps, at } = found;
  const step = steps?.[at];
  $("explanation").hidden = !step;
  $("why").textContent = found.none ? "Why is there no solution?" : "Why this cell?";
  $("why").hidden = !state.cells && !found.none;
  $("clues").textContent = found.several ? "Which clue is missing?" : "Superfluous clues";
  $("clues").hidden = !type()?.leaves_out || found.none === true;
  $("questions").hidden = !found.board || found.error === true || isSolving();
  if (step) {
    $("walk").hidden = steps.length < 2;
    $("at").textContent = `Step ${at + 1} of ${steps.length}`;
    $("back").disabled = at === 0;
    $("next").disabled = at === steps.length - 1;
    $("reason").textContent = step.title ?? "";
    $("legend").hidden = !step.drawing;
    $("leave").hidden = !step.board;
    const line = (text) => Object.assign(document.createElement("li"), { textContent: text });
    $("lines").replaceChildren(...step.lines.map(line));
  }
}

/** Asks for an explanation. `request` is the request without the board. */
async function explain(request) {
  const { text, puzzle } = state;
  const status = $("status").textContent.replace(/ ?…$/, "");
  $("answer").textContent = "Searching for reasons …";
  found.steps = [];
  found.at = 0;
  let answer = "";
  const note = (event) => {
    if (event.event === "step") {
      found.steps.push(event);
      draw();
    } else if (event.event === "reason") {
      const { fact, rules, size, drawing } = event;
      const number = rules.length === 1 ? "1 rule" : `${rules.length} rules`;
      const title = fact ? `${fact} is forced by ${number} (${size}):` : `There is no solution because of ${number} (${size}):`;
      found.steps = [{ title, lines: rules, drawing }];
    } else if (event.event === "superfluous") {
      found.steps = [superfluous(event)];
    } else if (event.event === "additions") {
      const title = event.clues.length === 0
        ? "No single further clue leaves one solution."
        : "Each of these clues alone leaves one solution:";
      found.steps = [{ title, lines: event.clues }];
    } else if (event.event === "noreason") {
      answer = "This cell has no forced value.";
    } else if (event.event === "none") {
      answer = "There is no solution. “Why is there no solution?” shows the reason.";
      found.none = true;
    } else if (event.event === "error") {
      answer = event.message;
    }
  };
  const end = await run({ ...request, board: { text, puzzle } }, note);
  if (end) {
    $("answer").textContent = answer || (end.stopped ? "Stopped." : "");
    $("status").textContent = status;
    draw();
  }
}

/** Describes the superfluous clues. `board` is the board without those that can be left out together. */
function superfluous({ clues, alone, together, largest, board }) {
  if (alone.length === 0) {
    return { title: `None of the ${clues} clues is superfluous.`, lines: [] };
  }
  const set = together.length === alone.length ? "all of them together" : `together only: ${together.join("; ")}`;
  const title = `${alone.length} of ${clues} clues can be left out, each alone, and ${set}${largest ? "" : " (there may be a larger set)"}.`;
  return { title, lines: alone, board };
}

/** Shows the next or an earlier step. */
function walk(direction) {
  found.at = Math.max(0, Math.min(found.steps.length - 1, found.at + direction));
  draw();
}

/** Shows the tokens to draw with. */
function palette() {
  const { words, numbers } = tokens();
  const all = numbers ? [...words, ..."123456789"] : words;
  const key = JSON.stringify([all, isSolving()]);
  if ($("brushes").dataset.key === key) {
    return;
  }
  $("brushes").dataset.key = key;
  board.brush = null;
  const names = { ".": "Empty", "#": isSolving() ? "Shaded" : "Block", R: "Rook" };
  const name = (token) => (token === "0" && isSolving() ? "Sea" : (names[token] ?? token));
  const buttons = [null, ...all].map((token) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = token === null ? "Select" : name(token);
    button.setAttribute("aria-pressed", String(token === null));
    button.addEventListener("click", () => {
      board.brush = token;
      $("frame").classList.toggle("painting", token !== null);
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
    });
    return button;
  });
  $("brushes").replaceChildren(...buttons);
  $("brushes").className = "bar";
}

/** Shows inputs for the named values in the lines of a text that are not cells. */
function fields() {
  const lines = (state.cells ? state.header : state.text).trimEnd().split("\n");
  const values = lines.map((line) => line.match(/^(\w+)\s*=\s*(.*?)(;?)\s*$/));
  const isForm = type() !== undefined && lines.slice(1).every((_, index) => values[index + 1]) && lines.length > 1;
  $("fields").hidden = !isForm;
  if (!isForm || $("fields").contains(document.activeElement)) {
    return;
  }
  const inputs = values.flatMap((value, index) => {
    if (!value) {
      return [];
    }
    const [, name, text, end] = value;
    const input = document.createElement("input");
    input.value = text;
    input.addEventListener("change", () => {
      lines[index] = `${name} = ${input.value}${end}`;
      const header = lines.join("\n");
      if (state.cells) {
        change({ ...state, header, text: native(header, state.cells) });
      } else {
        change({ ...state, text: `${header}\n` });
      }
      solve();
    });
    const label = document.createElement("label");
    label.append(`${name} `, input);
    return [label];
  });
  $("fields").replaceChildren(...inputs);
}

function link() {
  return `#${encodeURIComponent(state.text)}`;
}

/** Stores the board as the program has read it. */
function read(event) {
  const { puzzle, candidates, header, address, drawing } = event;
  found = { puzzle, address, board: drawing };
  if (header !== null && drawing.cells) {
    state.header = header;
    state.cells = drawing.cells;
    state.text = native(header, drawing.cells);
    if (isSample) {
      isSample = false;
    } else if (!$("new").contains(document.activeElement)) {
      $("rows").value = drawing.cells.length;
      $("columns").value = drawing.cells[0].length;
    }
  }
  $("ambiguous").hidden = candidates.length < 2;
  const options = candidates.map((name) => new Option(name, name, false, name === puzzle));
  $("candidates").replaceChildren(...options);
  if (types.has(puzzle)) {
    $("type").value = puzzle;
    chooseType();
  }
  if (document.activeElement !== $("text")) {
    $("text").value = state.text;
  }
  history.replaceState(null, "", link());
  fields();
}

function say(text) {
  $("status").textContent = text;
}

/** Describes how many cells have forced values. */
function forcedValues({ cells, complete }) {
  const open = (cells ?? []).flat().filter((token) => token === "?" || token === "*").length;
  const all = (cells ?? []).flat().length;
  const least = complete ? "" : "at least ";
  return cells && hasMarks() ? `Several solutions; ${least}${all - open} of ${all} cells are the same in all of them.` : "Several solutions.";
}

function receive(event) {
  $("error").hidden = true;
  switch (event.event) {
    case "board":
      read(event);
      say("Searching …");
      break;
    case "solution": {
      found.solution = event;
      const [name, value, optimal] = event.objective ?? [];
      const best = event.objective ? `${name}: ${value}${optimal ? ", proven optimal" : ", so far"}.` : "";
      $("answer").textContent = best;
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

/** Shows an error instead of results. The cells of the board can still be edited. */
function fail({ message, line, column, help }) {
  guessCells();
  const { cells } = state;
  const drawing = cells ? { svg: blank(cells.length, cells[0].length), cells } : undefined;
  found = { puzzle: found.puzzle, board: drawing, error: true };
  const place = line ? `Line ${line}, column ${column}: ` : "";
  $("error").textContent = `${place}${message}${help ? `\n${help}` : ""}`;
  $("error").hidden = false;
  say("");
}

/** Runs a search, which ends the last one. `receive` is called with each event. */
async function run(request, receive) {
  search?.abort();
  const own = new AbortController();
  search = own;
  $("stop").disabled = false;
  const current = (event) => own === search && receive(event);
  try {
    const end = await ask(request, current, own.signal);
    if (own === search && end.stopped) {
      const reason = end.reason ? `: ${end.reason}` : ".";
      $("status").textContent = `${$("status").textContent.replace(/ ?…$/, "")} – stopped${reason}`;
    }
    return own === search ? end : undefined;
  } catch (error) {
    if (own === search && error.name !== "AbortError") {
      fail(error);
    }
    return undefined;
  } finally {
    if (own === search) {
      search = null;
      $("stop").disabled = true;
    }
  }
}

async function solve() {
  $("answer").textContent = "";
  $("frame").classList.add("stale");
  const { text, puzzle } = state;
  found = { puzzle: found.puzzle, board: found.board };
  await run({ ask: "solve", board: { text, puzzle } }, receive);
}

/** Counts the solutions. With the request "heat", also shows heat maps. */
async function count(request) {
  const { text, puzzle } = state;
  $("answer").textContent = "Counting …";
  let answer = "";
  const note = (event) => {
    if (event.event === "count") {
      answer = event.exact ? `${event.count} solutions.` : `At least ${event.count} solutions.`;
      $("answer").textContent = answer;
    } else if (event.event === "heat") {
      found.maps = event.maps;
      answer += event.maps.length === 0 ? " The values are not values of cells, so there is no heat map." : "";
    } else if (event.event === "error") {
      answer = event.message;
    }
  };
  const interrupted = search !== null;
  const status = $("status").textContent;
  const end = await run({ ask: request, board: { text, puzzle } }, note);
  if (end) {
    $("answer").textContent = answer.replace(/^1 solutions/, "1 solution") || "Stopped.";
    $("status").textContent = interrupted ? status.replace(/ ?…$/, "") : status;
    draw();
  }
}

/** Returns the token of a cell without a mark in the text of a solution. */
const free = (token) => (token === "?" && !type()?.covers ? "." : token);

async function check() {
  const { text, puzzle, cells } = state;
  const solution = cells.map((line, row) =>
    line.map((token, column) => (isFree(row, column) && mark(row, column) !== "." ? mark(row, column) : free(token))).join(" "),
  );
  found.places = [];
  try {
    await ask({ ask: "check", board: { text, puzzle }, solution: `${solution.join("\n")}\n` }, (event) => {
      if (event.event === "check") {
        $("answer").textContent = event.correct ? "Your solution is correct." : `Not a solution: ${event.reason}.`;
        found.places = event.places;
      } else if (event.event === "error") {
        $("answer").textContent = `Your solution is not complete: ${event.message}.`;
      }
    });
  } catch (error) {
    fail(error);
  }
  draw();
}

/** Shows the controls that the chosen puzzle type has. */
function chooseType() {
  const { clues, symmetries } = types.get($("type").value) ?? {};
  $("size").hidden = !clues && !symmetries;
  $("making").hidden = !symmetries;
  const { value } = $("symmetry");
  $("symmetry").replaceChildren(...(symmetries ?? []).map((name) => new Option(name, name, false, name === value)));
  $("symmetry").parentElement.hidden = !(symmetries?.length > 1);
}

/** Returns the numbers of rows and columns of a new board. */
function size() {
  return [$("rows"), $("columns")].map((input) => Math.min(100, Math.max(1, input.valueAsNumber || 6)));
}

/** Generates a board with exactly one solution, and opens it. */
async function make() {
  const puzzle = $("type").value;
  const [rows, columns] = size();
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  let text;
  say($("status").textContent.replace(/ ?…$/, ""));
  $("answer").textContent = "Making a puzzle …";
  const note = (event) => {
    if (event.event === "draft") {
      $("answer").textContent = `Making a puzzle … The solutions of the draft differ in ${event.cells} cells.`;
    } else if (event.event === "made") {
      text = event.text;
    } else if (event.event === "error") {
      $("answer").textContent = event.message;
    }
  };
  const symmetry = $("symmetry").value || "none";
  const effort = $("effort").value || null;
  const end = await run({ ask: "make", board: { puzzle, rows, columns, seed, symmetry, effort } }, note);
  if (text) {
    open(text, puzzle);
  } else if (end?.stopped) {
    $("answer").textContent = "Stopped before a puzzle was found.";
  }
}

/** Returns whether the lines before the cells are the same for all sizes: no further rows of the board. */
const isSizeless = (header) => header.split("\n").slice(1).every((line) => line.includes("="));

function newBoard() {
  const { name, header, sample } = types.get($("type").value);
  const [rows, columns] = size();
  if (header === null || !isSizeless(header)) {
    open(sample, name);
    return;
  }
  open(native(header, Array.from({ length: rows }, () => Array(columns).fill("."))), name);
}

/** Shows the cells of an unread board, for example one that violates a rule for boards. */
function guessCells() {
  const lines = state.text.trim().split("\n");
  const known = types.get(lines[0].split(" ")[0]);
  if (!known?.header || state.cells || !isSizeless(known.header)) {
    return;
  }
  const height = known.header.split("\n").length;
  const cells = lines.slice(height).map((line) => line.trim().split(/\s+/));
  if (cells.length > 0 && cells.every((row) => row.length === cells[0].length)) {
    state.header = lines.slice(0, height).join("\n");
    state.cells = cells;
  }
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("answer").textContent = `Copied the ${what}.`;
  } catch {
    $("answer").textContent = text;
  }
}

function save(name, content, type) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([content], { type }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

function on(id, event, run) {
  $(id).addEventListener(event, (given) => {
    if (event === "submit") {
      given.preventDefault();
    }
    run(given);
  });
}

on("new", "submit", newBoard);
on("make", "click", make);
on("type", "change", () => {
  const { name, sample, size } = types.get($("type").value);
  [$("rows").value, $("columns").value] = size ?? [6, 6];
  chooseType();
  isSample = true;
  open(sample, name);
});
on("fields", "submit", () => document.activeElement.blur());
on("read", "submit", () => open($("text").value));
on("candidates", "change", () => open($("text").value, $("candidates").value));
on("file", "change", async () => {
  const [file] = $("file").files;
  if (file) {
    open(await file.text());
    $("file").value = "";
  }
});
on("undo", "click", () => step(past, future));
on("redo", "click", () => step(future, past));
on("stop", "click", () => ask({ ask: "stop" }).catch(fail));
on("count", "click", () => count("count"));
on("heat", "click", () => count("heat"));
on("check", "click", check);
on("explain", "click", () => explain({ ask: "explain" }));
on("why", "click", () => {
  const [row, column] = board.current;
  explain({ ask: "why", cell: found.none ? null : row * (state.cells?.[0].length ?? 0) + column });
});
on("clues", "click", () => explain({ ask: "clues" }));
on("leave", "click", () => open(found.steps[found.at].board, found.puzzle));
on("back", "click", () => walk(-1));
on("next", "click", () => walk(1));
on("clear", "click", () => {
  change({ ...state, marks: null });
  found.places = [];
  draw();
});
on("share", "click", () => copy(location.href.replace(/#.*/, "") + link(), "link"));
on("address", "click", () => copy(found.address, "address"));
on("save-text", "click", () => save("board.txt", state.text, "text/plain"));
on("save-svg", "click", () => save("board.svg", shown().svg, "image/svg+xml"));
on("save-json", "click", () => save("solution.json", JSON.stringify(found.solution.solution), "application/json"));
for (const input of document.querySelectorAll("input[name=mode], input[name=view]")) {
  input.addEventListener("change", () => {
    found.steps = undefined;
    draw();
  });
}
addEventListener("keydown", (event) => {
  const inText = event.target.closest?.("input:not([type=radio]), textarea");
  if (!(event.ctrlKey || event.metaKey) || inText) {
    return;
  }
  const key = event.key.toLowerCase();
  if (key === "z" || key === "y") {
    event.preventDefault();
    if (key === "y" || event.shiftKey) {
      step(future, past);
    } else {
      step(past, future);
    }
  }
});
addEventListener("hashchange", () => openLink());

function openLink() {
  try {
    const text = decodeURIComponent(location.hash.slice(1));
    if (text && text !== state.text) {
      open(text);
    }
  } catch {
    fail({ message: "The link of the board is damaged." });
  }
}

/** Stores the puzzle types, and lists the efforts of explanations. */
function readTypes(event) {
  event.types.forEach((type) => types.set(type.name, type));
  $("effort").replaceChildren(new Option("any", ""), ...event.efforts.map((name) => new Option(name)));
}

await ask({ ask: "types" }, (event) => (event.event === "types" ? readTypes(event) : fail(event))).catch(fail);
const groups = Map.groupBy(types.values(), (type) => type.group);
const listed = [...groups].map(([label, types]) => {
  const group = Object.assign(document.createElement("optgroup"), { label });
  group.append(...types.map(({ name }) => new Option(name)));
  return group;
});
$("type").replaceChildren(...listed);
$("type").value = types.has(FIRST) ? FIRST : [...types.keys()][0];
chooseType();
if (location.hash.length > 1) {
  openLink();
} else if (types.size > 0) {
  newBoard();
}
past.length = 0;
draw();
