// The gallery: the games by plain names, each with a picture and a sentence. Other modules use its names of games.

import { byId, html, svg } from "./dom.js";
import { t } from "./language.js";
import { isOwn } from "./own-rules.js";

/** @typedef {import("./api.js").Table} Table */

/** The first games of the gallery, in this order; the others follow in the server's order. */
const FIRST = [
  "twenty-one",
  "sticks",
  "marienbad",
  "nim",
  "wythoff",
  "expanding",
  "sticks-normal",
  "subtraction",
  "moore",
  "nim-pass",
];

/** Returns the plain name of a game; for an unknown table, its title. */
export const nameOf = (/** @type {Table} */ table) =>
  t.gallery.games[table.name]?.[0] ?? (isOwn(table.name) ? ownTitle(table) : table.title);

/** Returns the name of own rules: the stones, the moves, and who wins. */
function ownTitle(/** @type {Table} */ table) {
  const { take, play } = table.rules;
  const some = (/** @type {number[]} */ all) =>
    all.length > 16 ? [...all.slice(0, 8), "…", all[all.length - 1]] : all;
  const taken = typeof take === "number" ? ` (1–${take})` : Array.isArray(take) ? ` (${some(take).join(", ")})` : "";
  return `${t.own.title}: ${table.start}${taken}${play === "misere" ? `, ${t.own.whoWins} ${t.own.last.misere}` : ""}`;
}

/** Returns a game in a sentence. */
const sentence = (/** @type {Table} */ table) => t.gallery.games[table.name]?.[1] ?? t.rules.all(table);

/** Returns the tables in the order of the gallery. */
export function sortTables(/** @type {Table[]} */ tables) {
  const rank = (/** @type {Table} */ { name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return tables.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Fills the gallery.
 * @param {Table[]} tables
 * @param {(table: Table) => void} choose
 * @param {{name: string, go: () => void} | null} resume the game that the reader can resume
 */
export function showGallery(tables, choose, resume) {
  const card = (/** @type {Table} */ table) =>
    html(
      "li",
      {},
      html(
        "button",
        { type: "button", class: "game card", "data-game": table.name, onclick: () => choose(table) },
        drawStart(table),
        html("b", {}, nameOf(table)),
        html("span", {}, sentence(table)),
      ),
    );
  byId("cards").replaceChildren(...sortTables(tables).map(card));
  const button = byId("resume");
  button.hidden = resume === null;
  if (resume) {
    button.textContent = t.gallery.resume(resume.name);
    button.onclick = resume.go;
  }
}

const frame = (/** @type {any[]} */ ...parts) =>
  svg("svg", { class: "miniature", viewBox: "0 0 120 72", "aria-hidden": "true", focusable: "false" }, ...parts);

/** Draws rows of sticks in miniature. */
export const miniature = (/** @type {number[]} */ heaps) => frame(...drawSticks(heaps));

/** Draws the start of a game in miniature: rows of sticks, a board with a queen, or a pile. */
function drawStart(/** @type {Table} */ table) {
  if (table.game === "expanding") return frame(...drawPile());
  if (table.rules["equal-take"]) return frame(...drawQueen());
  const heaps = table.suggested
    .split("/")[0]
    .split(",")
    .map(Number)
    .filter((heap) => heap > 0);
  return miniature(heaps.slice(0, 5));
}

function drawSticks(/** @type {number[]} */ heaps) {
  const high = Math.min(20, 66 / heaps.length);
  const apart = Math.min(13, 112 / Math.max(...heaps));
  const top = (72 - high * heaps.length) / 2;
  return heaps.flatMap((heap, row) =>
    Array.from({ length: heap }, (_, n) =>
      svg("rect", {
        class: "wood",
        x: 60 + (n - (heap - 1) / 2) * apart - Math.min(2.5, apart / 3),
        y: top + row * high + 2,
        width: Math.min(5, apart / 1.5),
        height: high - 4,
        rx: Math.min(2.5, apart / 3),
      }),
    ),
  );
}

function drawQueen() {
  const squares = Array.from({ length: 36 }, (_, n) => [n % 6, Math.floor(n / 6)]);
  return [
    ...squares.map(([x, y]) =>
      svg("rect", {
        class: (x + y) % 2 ? "square dark" : "square",
        x: 27 + x * 11,
        y: 3 + y * 11,
        width: 11,
        height: 11,
      }),
    ),
    svg("path", { class: "wood", d: "M74 12 77 22H88L91 12 86 17 82.500 9 79 17Z" }),
    svg("path", { class: "way", d: "M71 25 38 58" }),
  ];
}

function drawPile() {
  return Array.from({ length: 45 }, (_, n) =>
    svg("circle", {
      class: n < 36 ? "wood" : n < 41 ? "wood near" : "gone",
      cx: 16 + (n % 9) * 11,
      cy: 14 + Math.floor(n / 9) * 11,
      r: 4.2,
    }),
  );
}
