// Explanations and hints: steps that are shown on the board.

import { $, found } from "./state.js";

/** Describes the superfluous clues. `board` is the board without those that can be left out together. */
export function superfluous({ clues, alone, together, largest, board }) {
  if (alone.length === 0) {
    return { title: `None of the ${clues} clues is superfluous.`, lines: [] };
  }
  const set = together.length === alone.length ? "all of them together" : `together only: ${together.join("; ")}`;
  const title = `${alone.length} of ${clues} clues can be left out, each alone, and ${set}${largest ? "" : " (there may be a larger set)"}.`;
  return { title, lines: alone, board };
}

/** Describes a reason. */
export function reason({ fact, rules, size, drawing }) {
  const number = rules.length === 1 ? "1 rule" : `${rules.length} rules`;
  const title = fact ? `${fact} is forced by ${number} (${size}):` : `There is no solution because of ${number} (${size}):`;
  return { title, lines: rules, drawing };
}

/** Describes further clues. */
export function additions({ clues }) {
  const none = "No single further clue leaves one solution.";
  return { title: clues.length === 0 ? none : "Each of these clues alone leaves one solution:", lines: clues };
}

/** Moves to another step. Returns whether there are steps. */
export function walk(direction) {
  if (!found.steps?.length) {
    return false;
  }
  found.at = Math.max(0, Math.min(found.steps.length - 1, found.at + direction));
  return true;
}

/** Returns a line without the numbers that another number excludes, and with a list of the others. */
function shortened(line) {
  const excluded = /(\S+)=not-(\d+)((?:, \1=not-\d+)+)/g;
  return line
    .replace(/(\S+)=(\d+)(?:, \1=not-\d+)+/g, "$1=$2")
    .replace(excluded, (_, place, first, others) => `${place}=not-${first}${others.replaceAll(`, ${place}=not-`, "/")}`);
}

/** Shows the step as text. */
export function showStep() {
  const { steps, at, isHint } = found;
  const step = steps?.[at];
  $("explanation").hidden = !step;
  if (!step) {
    return;
  }
  const isWalk = steps.length > 1;
  $("back").hidden = $("next").hidden = $("at").hidden = !isWalk;
  $("at").textContent = `${at + 1} of ${steps.length}`;
  $("back").disabled = at === 0;
  $("next").disabled = at === steps.length - 1;
  $("apply").hidden = !isHint || !steps.some(({ marks }) => marks?.length);
  $("reason").textContent = step.title ?? "";
  $("legend").hidden = !step.drawing;
  $("leave").hidden = !step.board;
  const line = (text) => {
    // The conclusions in between are indented.
    const className = text.startsWith(" ") ? "chain" : "";
    return Object.assign(document.createElement("li"), { textContent: shortened(text.trim()), className });
  };
  $("lines").replaceChildren(...step.lines.map(line));
}
