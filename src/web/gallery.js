// The gallery of puzzle types: pictures, names and search.

import { ask } from "./ask.js";
import { parse } from "./board.js";
import { $, types } from "./state.js";

let cards;

/** Returns a name for comparisons: without case, spaces and hyphens, and with hiragana for katakana, as the program does. */
const plain = (text) =>
  text.toLowerCase().replace(/[\s_-]/g, "").replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));

/** Returns the other names of a puzzle type for people, without those that differ only in their spelling. */
export function otherNames({ name, aliases }) {
  // Of spellings, the longest one is shown: that with spaces.
  const names = new Map(aliases.toSorted((a, b) => a.length - b.length).map((alias) => [plain(alias), alias]));
  names.delete(plain(name));
  return [...names.values()].map((alias) => alias.replaceAll("_", " "));
}

/** Returns the number of edits between two words, for misspelt names. */
function distance(a, b) {
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    last = row;
  }
  return last[b.length];
}

/** Builds the cards, without their pictures. `choose(name)` is called with the chosen puzzle type. */
function build(choose) {
  cards = new Map();
  const groups = Map.groupBy(types.values(), ({ group }) => group);
  const sections = [...groups].map(([group, types]) => {
    const section = document.createElement("section");
    const list = Object.assign(document.createElement("div"), { className: "cards" });
    for (const { name, aliases, rules } of types) {
      const button = Object.assign(document.createElement("button"), { type: "button", title: rules });
      const thumb = Object.assign(document.createElement("span"), { className: "thumb" });
      const caption = Object.assign(document.createElement("span"), { textContent: name });
      thumb.setAttribute("aria-hidden", "true");
      button.append(thumb, caption);
      button.addEventListener("click", () => {
        $("gallery").close();
        choose(name);
      });
      list.append(button);
      cards.set(name, { button, section, thumb, caption, name, names: [name, ...aliases] });
    }
    section.append(Object.assign(document.createElement("h3"), { textContent: group }), list);
    return section;
  });
  $("types").replaceChildren(...sections);
}

/** Shows the cards whose names contain the text of the search or, if there is none, the most similar names. */
export function search() {
  const wanted = plain($("search").value);
  const all = [...cards.values()];
  const contains = (card) => card.names.find((name) => plain(name).includes(wanted));
  let matches = new Map(all.map((card) => [card, contains(card)]).filter(([, name]) => name !== undefined));
  let note = wanted ? `${matches.size} of ${all.length} types` : `${all.length} types`;
  if (matches.size === 0) {
    const far = (card) => Math.min(...card.names.map((name) => distance(plain(name), wanted)));
    const nearest = all.map((card) => [far(card), card]).sort(([a], [b]) => a - b).slice(0, 5);
    matches = new Map(nearest.map(([, card]) => [card, card.name]));
    note = `No type is called “${$("search").value}”. The most similar names:`;
  }
  $("matches").textContent = note;
  for (const card of all) {
    const match = matches.get(card);
    card.button.hidden = match === undefined;
    card.caption.textContent = wanted && match && match !== card.name ? `${card.name} (${match})` : card.name;
  }
  for (const section of $("types").children) {
    section.hidden = !section.querySelector("button:not([hidden])");
  }
}

/** Chooses the first card that the search shows. */
export function chooseFirst() {
  [...cards.values()].find(({ button }) => !button.hidden)?.button.click();
}

/** Opens the gallery, and draws the pictures when it is opened for the first time. */
export async function openGallery(choose) {
  const isFirst = cards === undefined;
  if (isFirst) {
    build(choose);
  }
  $("search").value = "";
  search();
  $("gallery").showModal();
  if (isFirst) {
    await ask({ ask: "pictures" }, (event) => {
      if (event.event === "picture") {
        const { picture } = parse(event.svg);
        // The pictures are small, so they have no numbers of rows and columns, and no margin.
        picture.querySelectorAll(".number").forEach((number) => number.remove());
        const [x, y, width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
        picture.setAttribute("viewBox", [x + 16, y + 16, width - 32, height - 32].join(" "));
        cards.get(event.name)?.thumb.replaceChildren(picture);
      }
    });
  }
}
