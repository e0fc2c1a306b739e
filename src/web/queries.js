// Questions about a board: explanations, hints, checks, counts, and new boards.

import { ask } from "./ask.js";
import { request as newBoard } from "./make.js";
import { run } from "./run.js";
import { $, boardOf, found, state } from "./state.js";
import { additions, reason, superfluous } from "./steps.js";
import { startTimer, stopTimer } from "./timer.js";
import { complain, draw, fail, play, say } from "./view.js";

/** Shows changed marks, and says when the board is solved. */
export async function marked() {
  found.steps = undefined;
  startTimer();
  draw();
  const solution = found.unique && found.solution?.marks;
  if (solution && state.marks && play.layers.shows(state.marks, solution)) {
    await check();
  }
}

/** Checks the marks. */
export async function check() {
  const { marks } = play;
  try {
    await ask({ ask: "check", board: boardOf(), marks }, (event) => {
      if (event.event === "error") {
        $("answer").textContent = event.message;
      }
      if (event.event !== "check" || marks !== play.marks && state.marks) {
        return;
      }
      const { correct, wrong, reason, places } = event;
      const isEmpty = marks.every((marks) => marks.every((mark) => mark === null));
      found.wrong = new Set((wrong ?? []).map(([layer, place]) => `${layer} ${place}`));
      found.places = wrong === null ? places : [];
      if (correct) {
        stopTimer();
        say(`Solved${$("timer").textContent ? ` in ${$("timer").textContent}` : ""}!`);
        $("status").classList.add("solved");
        $("answer").textContent = "";
      } else if (wrong === null) {
        $("answer").textContent = `Not a solution: ${reason}.`;
      } else if (wrong.length > 0) {
        $("answer").textContent = `${wrong.length === 1 ? "1 mark is" : `${wrong.length} marks are`} wrong.`;
      } else {
        $("answer").textContent = isEmpty ? "Nothing is marked." : "No mistake so far.";
      }
      draw();
    });
  } catch (error) {
    complain(error);
  }
}

/** Asks for an explanation. `request` is the request without the board. */
export async function explain(request) {
  const status = $("status").textContent.replace(/ ?…$/, "");
  $("answer").textContent = "Searching for reasons …";
  Object.assign(found, { steps: [], at: 0, isHint: request.ask === "hint" });
  let answer = "";
  const note = (event) => {
    if (event.event === "step") {
      found.steps.push(event);
      draw();
    } else if (event.event === "reason") {
      found.steps = [reason(event)];
    } else if (event.event === "superfluous") {
      found.steps = [superfluous(event)];
    } else if (event.event === "additions") {
      found.steps = [additions(event)];
    } else if (event.event === "noreason") {
      answer = found.isHint ? "Nothing else follows." : "This cell has no forced value.";
    } else if (event.event === "none") {
      answer = found.isHint && !found.none ? "Your marks contradict the rules. “Check” shows where." : "There is no solution.";
    } else if (event.event === "error") {
      answer = event.message;
    }
  };
  const end = await run({ ...request, board: boardOf() }, note, fail);
  if (end) {
    $("answer").textContent = answer || (end.stopped ? "Stopped." : "");
    $("status").textContent = status;
    draw();
  }
}

/** Counts the solutions. With the request "heat", also shows heat maps. */
export async function count(request) {
  $("answer").textContent = "Counting …";
  let answer = "";
  const note = (event) => {
    if (event.event === "count") {
      answer = event.exact ? `${event.count} solutions.` : `At least ${event.count} solutions.`;
      $("answer").textContent = answer;
    } else if (event.event === "heat") {
      found.maps = event.maps;
      $("map").replaceChildren(...event.maps.map(([, text]) => new Option(text.split(":")[0])));
      answer += event.maps.length === 0 ? " The values are not values of cells, so there is no heat map." : `\n${event.maps[0][1]}`;
    } else if (event.event === "error") {
      answer = event.message;
    }
  };
  const status = $("status").textContent.replace(/ ?…$/, "");
  const end = await run({ ask: request, board: boardOf() }, note, fail);
  if (end) {
    $("answer").textContent = answer.replace(/^1 solutions/, "1 solution") || "Stopped.";
    $("status").textContent = status;
    draw();
  }
}

/** Generates a board with exactly one solution, and calls `open` with its text and its puzzle type. */
export async function make(open) {
  let text;
  const puzzle = $("type").value;
  $("made").textContent = "Making a puzzle …";
  const note = (event) => {
    if (event.event === "draft") {
      $("made").textContent = `Making a puzzle … The solutions of the draft differ in ${event.cells} cells.`;
    } else if (event.event === "made") {
      text = event.text;
    } else if (event.event === "error") {
      $("made").textContent = event.message;
    }
  };
  const end = await run(newBoard(), note, (error) => ($("made").textContent = error.message));
  if (text) {
    $("maker").close();
    await open(text, puzzle);
  } else if (end?.stopped) {
    $("made").textContent = "Stopped before a puzzle was found.";
  }
}
