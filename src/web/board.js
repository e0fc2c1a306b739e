// A board of cells that is edited with mouse, touch and keyboard. The cells are transparent and lie on a picture.

/** The time in milliseconds in which typed digits belong to the same number. */
const TYPING = 1500;

/** The width in pixels up to which small pictures are enlarged. */
const WIDTH = 480;

/** The width and the height of a cell in pictures. */
const CELL = 40;

/** Parses a picture, without its style, because the style of the page has dark colours, too. */
export function parse(svg) {
  const text = svg.replace(/<style>[^]*?<\/style>/, "");
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const [width, height] = ["width", "height"].map((name) => Number(picture.getAttribute(name)));
  picture.removeAttribute("height");
  return { picture: document.importNode(picture, true), width, height };
}

/** Returns a picture of a board without content. */
export function blank(rows, columns) {
  const [width, height] = [CELL * columns, CELL * rows];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width + 40}" height="${height + 40}" ` +
    `viewBox="0 0 ${width + 40} ${height + 40}"><g transform="translate(20 20)">` +
    `<rect class="paper" width="${width}" height="${height}"/><rect class="frame" width="${width}" height="${height}"/>` +
    `</g></svg>`
  );
}

export class Board {
  /**
   * `edit(row, column, token)` is called when the user changes a cell, and `tokens()` returns the tokens that a cell
   * may have: `{words, numbers}`.
   */
  constructor({ picture, cells, edit, tokens }) {
    Object.assign(this, { picture, root: cells, edit, tokens });
    this.buttons = [];
    this.brush = null;
    this.current = [0, 0];
    this.typed = { text: "", time: 0 };
    cells.addEventListener("keydown", (event) => this.key(event));
    cells.addEventListener("pointerdown", (event) => this.press(event));
    cells.addEventListener("pointermove", (event) => this.drag(event));
    cells.addEventListener("focusin", (event) => this.select(...this.place(event.target)));
    addEventListener("pointerup", () => (this.painting = null));
    addEventListener("pointercancel", () => (this.painting = null));
  }

  /** Shows a picture, and puts cells on it if the board consists of cells. `describe(row, column)` names a cell. */
  show(svg, rows, columns, describe) {
    const { picture, width, height } = parse(svg);
    picture.setAttribute("aria-hidden", String(rows > 0));
    picture.setAttribute("width", width * Math.min(2, Math.max(1, WIDTH / width)));
    this.picture.replaceChildren(picture);
    this.root.hidden = rows === 0;
    if (rows === 0) {
      return;
    }
    if (rows !== this.buttons.length || columns !== this.buttons[0].length) {
      this.build(rows, columns);
    }
    // Boards whose lines run along the sides of cells have no frame.
    const frame = picture.querySelector("rect.frame");
    const group = frame?.parentNode ?? picture.querySelector("g[transform]");
    const [left, top] = group.getAttribute("transform").match(/[\d.]+/g).map(Number);
    const side = (name, cells) => Number(frame?.getAttribute(name) ?? CELL * cells);
    const of = (part, whole) => `${(100 * part) / whole}%`;
    Object.assign(this.root.style, {
      left: of(left, width),
      top: of(top, height),
      width: of(side("width", columns), width),
      height: of(side("height", rows), height),
    });
    this.buttons.forEach((line, row) =>
      line.forEach((button, column) => {
        button.className = "";
        button.textContent = "";
        button.setAttribute("aria-label", describe(row, column));
      }),
    );
  }

  build(rows, columns) {
    const hadFocus = this.root.contains(document.activeElement);
    this.buttons = [];
    const lines = [];
    for (let row = 0; row < rows; row++) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      const buttons = [];
      for (let column = 0; column < columns; column++) {
        const button = document.createElement("button");
        button.type = "button";
        button.setAttribute("role", "gridcell");
        button.tabIndex = -1;
        button.dataset.place = `${row} ${column}`;
        buttons.push(button);
      }
      line.append(...buttons);
      lines.push(line);
      this.buttons.push(buttons);
    }
    this.root.replaceChildren(...lines);
    this.select(Math.min(this.current[0], rows - 1), Math.min(this.current[1], columns - 1));
    if (hadFocus) {
      this.focus();
    }
  }

  /** Writes a token on a cell. `kind` is the class of the cell. */
  write(row, column, token, kind) {
    const button = this.buttons[row][column];
    button.textContent = token === "." ? "" : token;
    button.classList.add(kind);
  }

  /** Marks a cell as wrong. */
  wrong(row, column) {
    this.buttons[row]?.[column]?.classList.add("wrong");
  }

  place(button) {
    return button.dataset.place.split(" ").map(Number);
  }

  select(row, column) {
    const last = this.buttons[this.current[0]]?.[this.current[1]];
    if (last) {
      last.tabIndex = -1;
    }
    this.current = [row, column];
    this.buttons[row][column].tabIndex = 0;
  }

  focus() {
    this.buttons[this.current[0]][this.current[1]].focus();
  }

  /** Changes the selected cell to the token after its own. */
  cycle(token) {
    const { words, numbers } = this.tokens();
    const all = numbers ? [...words, ..."123456789"] : words;
    this.edit(...this.current, all[(all.indexOf(token) + 1) % all.length]);
  }

  press(event) {
    const button = event.target.closest("button");
    if (!button || event.button !== 0) {
      return;
    }
    const [row, column] = this.place(button);
    const same = this.current[0] === row && this.current[1] === column && document.activeElement === button;
    button.focus();
    if (this.brush !== null) {
      event.preventDefault();
      // Without the capture, the pointer enters other cells while it paints.
      button.releasePointerCapture?.(event.pointerId);
      this.painting = this.token(row, column) === this.brush ? "." : this.brush;
      this.edit(row, column, this.painting);
    } else if (same) {
      this.cycle(this.token(row, column));
    }
  }

  drag(event) {
    if (this.painting === null || this.painting === undefined) {
      return;
    }
    const button = document.elementFromPoint(event.clientX, event.clientY)?.closest("#cells button");
    if (button) {
      const [row, column] = this.place(button);
      if (this.token(row, column) !== this.painting) {
        this.edit(row, column, this.painting);
      }
    }
  }

  key(event) {
    const [row, column] = this.current;
    const [rows, columns] = [this.buttons.length, this.buttons[0].length];
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? rows - 1 : row, columns - 1],
    };
    if (event.key in moves) {
      const clamp = (value, most) => Math.max(0, Math.min(value, most - 1));
      this.select(clamp(moves[event.key][0], rows), clamp(moves[event.key][1], columns));
      this.focus();
    } else if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (["Delete", "Backspace"].includes(event.key)) {
      this.edit(row, column, ".");
    } else if ([" ", "Enter"].includes(event.key)) {
      this.cycle(this.token(row, column));
    } else if (event.key.length === 1) {
      this.type(event.key);
    } else {
      return;
    }
    event.preventDefault();
  }

  type(key) {
    const { words, numbers } = this.tokens();
    const [row, column] = this.current;
    const now = Date.now();
    const isDigit = /^[0-9]$/.test(key);
    const before = this.typed.place === `${row} ${column}` && now - this.typed.time < TYPING ? this.typed.text : "";
    const token = words.find((word) => word.toLowerCase() === key.toLowerCase());
    if (numbers && isDigit && (before || key !== "0")) {
      const text = (before + key).slice(0, 9);
      this.typed = { text, time: now, place: `${row} ${column}` };
      this.edit(row, column, text);
    } else if (token !== undefined) {
      this.edit(row, column, token);
    }
  }
}
