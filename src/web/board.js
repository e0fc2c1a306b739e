// The picture of a board, and the transparent cells on it, which take the focus and the pointer.

/** The width and the height of a cell in pictures. */
export const CELL = 40;

/** The largest width of a cell on the page, in pixels. */
const LARGEST = 112;

/** The height below a board that its controls need, in pixels. */
const BELOW = 96;

/** The part of the margin of a picture that the page leaves out. */
const TRIMMED = 13;

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
   * `modes()` returns the object that handles the pointer and the keys: `press`, `drag`, `release` and `key`. Points are in
   * halves of a cell, with the row first.
   */
  constructor({ frame, picture, cells, mode }) {
    Object.assign(this, { frame, picture, root: cells, mode });
    this.buttons = [];
    this.current = [0, 0];
    this.pressed = false;
    cells.addEventListener("keydown", (event) => this.key(event));
    // Lines along the border of a board are partly beside its cells.
    frame.addEventListener("pointerdown", (event) => this.press(event));
    frame.addEventListener("pointermove", (event) => this.pressed && this.mode().drag?.(...this.point(event)));
    frame.addEventListener("contextmenu", (event) => this.root.hidden || event.preventDefault());
    cells.addEventListener("focusin", (event) => this.select(...this.place(event.target)));
    cells.addEventListener("focusin", () => this.changed?.());
    for (const name of ["pointerup", "pointercancel"]) {
      addEventListener(name, (event) => this.release(event));
    }
    addEventListener("resize", () => this.fit());
  }

  /** Shows a picture, and puts cells on it if the board consists of cells. `describe(row, column)` names a cell. */
  show(svg, rows, columns, describe) {
    if (svg !== this.svg) {
      this.svg = svg;
      const { picture, ...whole } = parse(svg);
      const [width, height] = [whole.width - 2 * TRIMMED, whole.height - 2 * TRIMMED];
      picture.setAttribute("viewBox", `${TRIMMED} ${TRIMMED} ${width} ${height}`);
      picture.setAttribute("aria-hidden", String(rows > 0));
      this.size = [width, height, rows];
      this.picture.replaceChildren(picture);
      this.group = picture.querySelector("rect.frame")?.parentNode ?? picture.querySelector("g[transform]");
      this.fit();
    }
    this.group?.querySelectorAll(".own").forEach((element) => element.remove());
    this.group?.querySelectorAll(".over").forEach((element) => element.classList.remove("over"));
    this.root.hidden = rows === 0;
    if (rows === 0) {
      return;
    }
    if (rows !== this.buttons.length || columns !== this.buttons[0].length) {
      this.build(rows, columns);
    }
    const [width, height] = this.size;
    const [left, top] = this.group.getAttribute("transform").match(/[\d.]+/g).map((at) => Number(at) - TRIMMED);
    const of = (part, whole) => `${(100 * part) / whole}%`;
    Object.assign(this.root.style, {
      left: of(left, width),
      top: of(top, height),
      width: of(CELL * columns, width),
      height: of(CELL * rows, height),
    });
    this.buttons.forEach((line, row) =>
      line.forEach((button, column) => {
        button.className = "";
        button.textContent = "";
        button.setAttribute("aria-label", describe(row, column));
      }),
    );
  }

  /** Makes the picture as large as the window allows. */
  fit() {
    const picture = this.picture.firstElementChild;
    if (!picture) {
      return;
    }
    const [width, height, rows] = this.size;
    const across = this.frame.parentNode.clientWidth - 2 * parseFloat(getComputedStyle(this.frame.parentNode).paddingLeft);
    const top = this.frame.getBoundingClientRect().top + scrollY;
    const down = Math.max(innerHeight - top - BELOW, 220);
    const largest = rows > 0 ? LARGEST / CELL : 1.5;
    const scale = Math.min(across / width, rows > 0 ? down / height : Infinity, largest);
    picture.setAttribute("width", Math.floor(width * scale));
  }

  clear() {
    this.svg = undefined;
    this.picture.replaceChildren();
    this.root.hidden = true;
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
    this.buttons[this.current[0]]?.[this.current[1]].focus({ preventScroll: true });
  }

  /** Returns the point under the pointer, in halves of a cell. */
  point(event) {
    const box = this.root.getBoundingClientRect();
    const [rows, columns] = [this.buttons.length, this.buttons[0].length];
    return [(2 * rows * (event.clientY - box.top)) / box.height, (2 * columns * (event.clientX - box.left)) / box.width];
  }

  press(event) {
    if (this.root.hidden || (event.button !== 0 && event.button !== 2)) {
      return;
    }
    const point = this.point(event);
    const [rows, columns] = [this.buttons.length, this.buttons[0].length];
    if (point[0] < -0.6 || point[1] < -0.6 || point[0] > 2 * rows + 0.6 || point[1] > 2 * columns + 0.6) {
      return;
    }
    const within = (at, most) => Math.max(0, Math.min(Math.floor(at / 2), most - 1));
    const [row, column] = [within(point[0], rows), within(point[1], columns)];
    const was = this.current.join(" ") === `${row} ${column}` && document.activeElement === this.buttons[row][column];
    this.select(row, column);
    this.focus();
    event.preventDefault();
    // Without the capture, other elements receive the pointer while it draws.
    this.frame.setPointerCapture?.(event.pointerId);
    this.pressed = true;
    this.mode().press?.(...point, { right: event.button === 2, again: was, touch: event.pointerType === "touch" });
  }

  release() {
    if (this.pressed) {
      this.pressed = false;
      this.mode().release?.();
    }
  }

  /** Moves the focus, if the key is one that moves it. */
  move(event) {
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
    if (!(event.key in moves)) {
      return false;
    }
    const clamp = (value, most) => Math.max(0, Math.min(value, most - 1));
    this.select(clamp(moves[event.key][0], rows), clamp(moves[event.key][1], columns));
    this.focus();
    return true;
  }

  key(event) {
    const { mode } = this;
    if (mode().key?.(event) || (!event.altKey && !event.metaKey && !event.shiftKey && this.move(event))) {
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
