// Editing the clues of a board: tokens in cells, and named values.

import { $, change, found, native, state } from "./state.js";

/** The time in milliseconds in which typed digits belong to the same number. */
const TYPING = 1500;

export class Edit {
  /** `changed()` is called after each change of the board. */
  constructor(board, changed) {
    Object.assign(this, { board, changed });
    this.brush = null;
    this.typed = { text: "", time: 0 };
  }

  get tokens() {
    const { words, numbers } = found.clues ?? { words: ["."], numbers: false };
    return { words, numbers, all: numbers ? [...new Set([...words, ..."123456789"])] : words };
  }

  token(row, column) {
    return state.cells[row][column];
  }

  set(row, column, token) {
    if (this.token(row, column) === token) {
      return;
    }
    const cells = state.cells.map((line) => [...line]);
    cells[row][column] = token;
    change({ cells, text: native(state.header, cells), marks: null, pencil: {} });
    this.board.write(row, column, token, "clue");
    this.changed();
  }

  press(y, x, { right, again }) {
    const [row, column] = this.board.current;
    if (right) {
      this.painting = ".";
    } else if (this.brush !== null) {
      this.painting = this.token(row, column) === this.brush ? "." : this.brush;
    } else if (again) {
      this.cycle(row, column);
    }
    if (this.painting !== undefined) {
      this.set(row, column, this.painting);
    }
  }

  drag(y, x) {
    const [row, column] = [Math.floor(y / 2), Math.floor(x / 2)];
    if (this.painting !== undefined && state.cells?.[row]?.[column] !== undefined) {
      this.set(row, column, this.painting);
    }
  }

  release() {
    this.painting = undefined;
  }

  /** Changes a cell to the token after its own. */
  cycle(row, column) {
    const { all } = this.tokens;
    this.set(row, column, all[(all.indexOf(this.token(row, column)) + 1) % all.length]);
  }

  key(event) {
    const [row, column] = this.board.current;
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return false;
    }
    if (["Delete", "Backspace"].includes(event.key)) {
      this.set(row, column, ".");
    } else if ([" ", "Enter"].includes(event.key)) {
      this.cycle(row, column);
    } else if (event.key.length === 1) {
      this.type(event.key);
    } else {
      return false;
    }
    return true;
  }

  type(key) {
    const { words, numbers } = this.tokens;
    const [row, column] = this.board.current;
    const at = `${row} ${column}`;
    const now = Date.now();
    const before = this.typed.at === at && now - this.typed.time < TYPING ? this.typed.text : "";
    const find = (text) => words.find((word) => word.toLowerCase() === text.toLowerCase());
    const longer = before && find(before + key);
    if (longer !== undefined && longer !== "") {
      this.typed = { text: before + key, time: now, at };
      this.set(row, column, longer);
    } else if (numbers && /^[0-9]$/.test(key) && (before || key !== "0")) {
      const text = (/^\d*$/.test(before) ? before + key : key).slice(0, 9);
      this.typed = { text, time: now, at };
      this.set(row, column, text);
    } else if (find(key) !== undefined) {
      this.typed = { text: key, time: now, at };
      this.set(row, column, find(key));
    }
  }

  /** Shows the tokens to draw with. */
  palette() {
    const { all } = this.tokens;
    const shown = JSON.stringify([all, state.puzzle]);
    if ($("brushes").dataset.key === shown) {
      return;
    }
    $("brushes").dataset.key = shown;
    this.brush = null;
    const names = { ".": "Empty", "#": "Block" };
    const buttons = all.map((token) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: names[token] ?? token });
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        this.brush = this.brush === token ? null : token;
        buttons.forEach((other, index) => other.setAttribute("aria-pressed", String(all[index] === this.brush)));
      });
      return button;
    });
    $("brushes").replaceChildren(...buttons);
  }

  /** Shows inputs for the named values in the lines of a text that are not cells. */
  fields(shown) {
    const lines = (state.cells ? state.header : state.text).trimEnd().split("\n");
    const values = lines.map((line) => line.match(/^(\w+)\s*=\s*(.*?)(;?)\s*$/));
    const isForm = shown && lines.length > 1 && lines.slice(1).every((_, index) => values[index + 1]);
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
        change(state.cells ? { header, text: native(header, state.cells) } : { text: `${header}\n` });
        this.changed();
      });
      const label = document.createElement("label");
      label.append(`${name} `, input);
      return [label];
    });
    $("fields").replaceChildren(...inputs);
  }
}
