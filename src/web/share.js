// Links, files and printing.

import { $, found, link, state } from "./state.js";

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("shared").textContent = `Copied the ${what}.`;
  } catch {
    $("shared").textContent = text;
  }
}

export function save(name, content, type) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([content], { type }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** Connects the buttons. `shown()` is the drawing on the page. */
export function connect(on, shown) {
  on("sharing", "click", () => {
    $("shared").textContent = "";
    $("sharer").showModal();
  });
  on("share", "click", () => copy(location.href.replace(/#.*/, "") + link(), "link"));
  on("address", "click", () => copy(found.address, "address"));
  on("print", "click", () => {
    $("sharer").close();
    print();
  });
  on("save-text", "click", () => save("board.txt", state.text, "text/plain"));
  on("save-svg", "click", () => save("board.svg", shown()?.svg ?? "", "image/svg+xml"));
  on("save-json", "click", () => save("solution.json", JSON.stringify(found.solution.solution), "application/json"));
  on("save-sheet", "click", () => save(`${found.puzzle ?? "puzzle"}.sheet`, $("sheet").value, "text/plain"));
}
