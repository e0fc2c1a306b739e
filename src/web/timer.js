// The time that the user takes to solve a board. It starts with the first mark and stops when the board is solved.

import { $ } from "./state.js";

let start = null;
let tick;

const show = () => {
  const seconds = Math.floor((Date.now() - start) / 1000);
  $("timer").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

export function startTimer() {
  if (start === null) {
    start = Date.now();
    tick = setInterval(show, 1000);
    show();
  }
}

export function stopTimer() {
  clearInterval(tick);
}

export function resetTimer() {
  stopTimer();
  start = null;
  $("timer").textContent = "";
}
