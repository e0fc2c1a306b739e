// The page: how boards come in, and what the controls do.

import { ask } from "./ask.js";
import { chooseFirst, openGallery, search } from "./gallery.js";
import { chooseType, empty, prepare } from "./make.js";
import { check, count, explain, make, marked } from "./queries.js";
import { run } from "./run.js";
import * as share from "./share.js";
import { connect } from "./sheet.js";
import { $, boardOf, change, forget, found, setFound, state, step, types } from "./state.js";
import { walk } from "./steps.js";
import { resetTimer } from "./timer.js";
import { after, board, complain, draw, fail, mode, play, receive, shown, size } from "./view.js";

/** The first board. */
const FIRST = "https://puzz.link/p?slither/8/8/3d11b1bcbg621dg1ch2dg238cgbc1b21b2c";

/** The buttons that keys press while the user plays. */
const KEYS = { h: "hint", c: "check", m: "apply" };

Object.assign(after, { solve, marked });

/** Reads a text that replaces the board. If it is no board, the old board stays. Returns the error, if there is one. */
async function open(text, puzzle = null, sheet = null) {
  let failure;
  const next = { text, puzzle, sheet, header: "", cells: null, marks: null, pencil: {} };
  const isFirst = state.text === "";
  const note = (event) => {
    if (event.event === "error" && failure === undefined && !next.isRead) {
      failure = event;
    } else {
      if (event.event === "board" && !next.isRead) {
        next.isRead = true;
        change({ ...next, isRead: undefined });
        resetTimer();
        setFound({});
      }
      receive(event);
    }
  };
  await run({ ask: "solve", board: boardOf(next) }, note, fail);
  if (failure) {
    if (isFirst) {
      change(next);
    }
    (isFirst ? fail : complain)(failure);
  }
  return failure;
}

/** Solves the board again after a change. */
async function solve() {
  $("answer").textContent = "";
  $("frame").classList.add("stale");
  setFound({ ...found, error: false, none: undefined, unique: undefined, several: undefined, solution: undefined,
    forced: undefined, maps: undefined, steps: undefined, wrong: undefined, places: undefined });
  draw();
  $("frame").classList.add("stale");
  await run({ ask: "solve", board: boardOf() }, receive, fail);
}

function undo(back) {
  const differs = step(back);
  if (differs) {
    solve();
  } else if (differs === false) {
    Object.assign(found, { wrong: undefined, places: undefined, steps: undefined });
    draw();
  }
}

function on(id, event, run) {
  $(id).addEventListener(event, (given) => {
    if (event === "submit") {
      given.preventDefault();
    }
    run(given);
  });
}

on("choose", "click", async () => {
  await list();
  openGallery(async (name) => {
    await open(types.get(name).sample, name);
    // Closing the gallery has given the focus back to its button. The keys of the board are more useful now.
    if (document.activeElement === $("choose")) {
      board.focus();
    }
  }).catch(complain);
});
on("search", "input", search);
on("search", "keydown", (event) => {
  if (event.key === "Enter") {
    // Otherwise, the key would also press the button that gets the focus.
    event.preventDefault();
    chooseFirst();
  }
});
on("open", "click", () => {
  $("pasted-error").textContent = "";
  $("opening").showModal();
});
on("opener", "submit", async () => {
  const failure = await open($("pasted").value);
  $("pasted-error").textContent = failure ? $("error").textContent : "";
  if (!failure) {
    $("pasted").value = "";
    $("opening").close();
  }
});
on("file", "change", async () => {
  const [file] = $("file").files;
  if (file) {
    $("pasted").value = await file.text();
    $("file").value = "";
    $("opener").requestSubmit();
  }
});
on("making", "click", async () => {
  await list();
  prepare(found.puzzle);
  $("maker").showModal();
});
on("type", "change", chooseType);
on("make", "submit", () => make(open));
on("new", "click", () => {
  $("maker").close();
  document.querySelector("input[name=mode][value=edit]").checked = true;
  open(empty(), $("type").value);
});
on("fields", "submit", () => document.activeElement.blur());
on("read", "submit", () => {
  change({ text: $("text").value, puzzle: null, cells: null, marks: null, pencil: {} });
  document.activeElement.blur();
  solve();
});
on("undo", "click", () => undo(true));
on("redo", "click", () => undo(false));
on("stop", "click", () => ask({ ask: "stop" }).catch(complain));
on("count", "click", () => count("count"));
on("check", "click", check);
on("hint", "click", () => explain({ ask: "hint", marks: play.marks }));
on("explain", "click", () => explain({ ask: "explain" }));
on("why", "click", () => {
  const [row, column] = board.current;
  explain({ ask: "why", cell: found.none ? null : row * size()[1] + column });
});
on("clues", "click", () => explain({ ask: "clues" }));
on("leave", "click", () => open(found.steps[found.at].board, found.puzzle, state.sheet));
on("apply", "click", () => {
  $("answer").textContent = "";
  play.apply(found.steps.flatMap(({ marks }) => marks ?? []));
});
on("close", "click", () => {
  found.steps = undefined;
  draw();
});
on("back", "click", () => walk(-1) && draw());
on("next", "click", () => walk(1) && draw());
on("map", "change", draw);
on("clear", "click", () => {
  change({ marks: null, pencil: {} });
  found.wrong = found.places = found.steps = undefined;
  resetTimer();
  draw();
});
share.connect(on, shown);
connect(solve);
for (const input of document.querySelectorAll("input[name=mode], input[name=view]")) {
  input.addEventListener("change", () => {
    found.steps = undefined;
    draw();
    board.fit();
    if (input.value === "heat" && !found.maps) {
      count("heat");
    }
  });
}
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelectorAll(".close").forEach((button) => button.addEventListener("click", () => dialog.close()));
  // A click beside the dialog closes it.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

const inText = (target) => target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select");
addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text");
  if (!inText(event.target) && text.trim()) {
    event.preventDefault();
    document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
    open(text);
  }
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  open(file ? await file.text() : event.dataTransfer.getData("text"));
});
addEventListener("keydown", (event) => {
  if (inText(event.target) || document.querySelector("dialog[open]")) {
    return;
  }
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
    event.preventDefault();
    undo(key === "z" && !event.shiftKey);
  } else if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  } else if (key === "escape" && found.steps) {
    $("close").click();
  } else if (["arrowleft", "arrowright"].includes(key) && found.steps?.length > 1) {
    walk(key === "arrowleft" ? -1 : 1);
    draw();
  } else if (key.startsWith("arrow") && event.target === document.body) {
    event.preventDefault();
    board.focus();
  } else if (mode() === "play" && key in KEYS) {
    $(KEYS[key]).click();
  }
});
addEventListener("hashchange", () => openLink());

function openLink() {
  try {
    const [text, sheet] = location.hash.slice(1).split("&").map(decodeURIComponent);
    if (text && (text !== state.text || (sheet ?? null) !== state.sheet)) {
      return open(text, null, sheet ?? null);
    }
  } catch {
    complain({ message: "The link of the board is damaged." });
  }
  return undefined;
}

/** Stores the puzzle types, and lists the efforts of explanations. */
function readTypes(event) {
  event.types.forEach((type) => types.set(type.name, type));
  const levels = event.efforts.map((name, index) => new Option(`${["easy", "medium", "hard"][index]}: ${name}`, name));
  $("effort").replaceChildren(new Option("any", ""), ...levels);
}

let listed;

/** Asks for the puzzle types, once. This takes longer than the first board. */
function list() {
  listed ??= ask({ ask: "types" }, (event) => (event.event === "types" ? readTypes(event) : complain(event))).catch(complain);
  return listed;
}

$("sheets").open = matchMedia("(min-width: 56rem)").matches;
await (location.hash.length > 1 ? openLink() : open(FIRST));
await list();
forget();
draw();
document.body.dataset.ready = "true";
