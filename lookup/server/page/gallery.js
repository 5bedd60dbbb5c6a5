// The gallery: the games by plain names, each with a picture and a sentence. Other modules use its names of games.

import { byId, html, svg } from "./dom.js";
import { t } from "./language.js";
import { parsePosition } from "./notation.js";
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

/** How hard a game is to master, from 1 to 3, and whether a formula for its lost positions is known. @type {Record<string, [1 | 2 | 3, boolean]>} */
const LEVELS = {
  "twenty-one": [1, true],
  sticks: [1, true],
  marienbad: [1, true],
  "sticks-normal": [1, true],
  nim: [2, true],
  "nim-misere": [2, true],
  wythoff: [2, true],
  subtraction: [2, true],
  moore: [2, true],
  "nim-pass": [3, false],
  expanding: [3, false],
};

/**
 * Fills the gallery: first the lessons, then a card for each game. The variants of Expanding Nim share one card.
 * @param {Table[]} tables
 * @param {(table: Table) => void} choose
 * @param {(table: Table) => void} match begins a match of Expanding Nim that is played elsewhere
 * @param {() => void} learn
 * @param {{name: string, go: () => void} | null} resume the game that the reader can resume
 */
export function showGallery(tables, choose, match, learn, resume) {
  const sorted = sortTables(tables);
  const main = sorted.find(({ name }) => name === "expanding");
  const isVariant = (/** @type {Table} */ table) =>
    main !== undefined && table !== main && table.game === "expanding" && !isOwn(table.name);
  const variants = sorted.filter(isVariant);
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
        level(table),
        table.origin === "opened" ? html("small", { class: "digest" }, t.gallery.digest(table.digest)) : null,
      ),
      table === main && variants.length > 0 ? variantList(variants, choose) : null,
    );
  /** Returns a card that is no game. @param {string} name @param {() => void} onclick @param {Node} picture @param {string[]} words */
  const aside = (name, onclick, picture, [title, about]) =>
    html(
      "li",
      {},
      html(
        "button",
        { type: "button", class: `game card ${name}`, onclick },
        picture,
        html("b", {}, title),
        html("span", {}, about),
      ),
    );
  const cards = sorted
    .filter((table) => !isVariant(table))
    .flatMap((table) =>
      table === main
        ? [card(main), aside("elsewhere", () => match(main), frame(...drawKeys()), t.gallery.match)]
        : [card(table)],
    );
  byId("cards").replaceChildren(aside("lessons", learn, frame(...drawLessons()), t.gallery.lessons), ...cards);
  const button = byId("resume");
  button.hidden = resume === null;
  if (resume) {
    button.textContent = t.gallery.resume(resume.name);
    button.onclick = resume.go;
  }
}

/** Returns a line on how hard a game is, and whether a formula is known; nothing for games that have no such entry. */
function level(/** @type {Table} */ table) {
  const known = LEVELS[table.name];
  if (!known) return null;
  const [hard, formula] = known;
  return html(
    "small",
    { class: "level" },
    html("span", { class: "dots", "aria-hidden": "true" }, "●".repeat(hard), html("i", {}, "●".repeat(3 - hard))),
    `${t.gallery.levels[hard]} · ${formula ? t.gallery.formula : t.gallery.noFormula}`,
  );
}

/** Returns the list of variants below the card of a game. @param {Table[]} variants @param {(table: Table) => void} choose */
const variantList = (variants, choose) =>
  html(
    "details",
    { class: "variants" },
    html("summary", {}, t.gallery.variants(variants.length)),
    ...variants.map((table) =>
      html(
        "button",
        { type: "button", class: "quiet", "data-game": table.name, onclick: () => choose(table) },
        html("b", {}, nameOf(table)),
        html("span", {}, sentence(table)),
      ),
    ),
  );

const frame = (/** @type {any[]} */ ...parts) =>
  svg("svg", { class: "miniature", viewBox: "0 0 120 72", "aria-hidden": "true", focusable: "false" }, ...parts);

/** Draws rows of sticks in miniature. */
export const stickMiniature = (/** @type {number[]} */ heaps) => frame(...drawSticks(heaps));

/** Draws a chessboard in miniature, with a queen on a square and her way along the diagonal. */
export const queenMiniature = (/** @type {number} */ x, /** @type {number} */ y) => frame(...drawQueen(x, y));

/** Draws a pile in miniature. @param {number} stones @param {number} reach how many of them a move may take @param {number} places how many stones there were at the start */
export const pileMiniature = (stones, reach, places = stones) => frame(...drawPile(stones, reach, places));

/** Draws the start of a game in miniature, with what is special about it. */
function drawStart(/** @type {Table} */ table) {
  if (table.game === "expanding") return pileMiniature(41, 5, 45);
  if (table.rules["equal-take"]) return queenMiniature(4, 4);
  if (Array.isArray(table.rules.take)) return frame(...drawGroups(table.rules.take));
  const several = (table.rules["heaps-per-move"] ?? 1) > 1;
  const all = parsePosition(table, table.suggested).heaps ?? [];
  const rows = all.filter((heap) => heap > 0);
  // If the table has more rows than its suggested game, draw them all.
  const heaps = rows.length < all.length ? all.map((_, row) => 4 + 2 * row).slice(0, 5) : rows.slice(0, 5);
  const last = heaps.length > 1 ? (table.rules.play === "misere" ? "burnt" : "prize") : "";
  const pass = table.rules.passes ? [svg("path", { class: "pass", d: "M108 20a8 8 0 1 1-4-7m4-5v6h-6" })] : [];
  return frame(...drawSticks(heaps, last, several ? heaps.length - 2 : heaps.length), ...pass);
}

/**
 * Draws rows of sticks.
 * @param {number[]} heaps
 * @param {string} [last] the class of the last stick: whoever takes it wins or loses
 * @param {number} [chosen] the sticks at the right of the rows from this one on are chosen
 */
function drawSticks(heaps, last = "", chosen = heaps.length) {
  const high = Math.min(20, 66 / heaps.length);
  const apart = Math.min(13, 112 / Math.max(...heaps));
  const thick = Math.min(4.4, apart / 1.6);
  const top = (72 - high * heaps.length) / 2;
  return heaps.flatMap((heap, row) =>
    Array.from({ length: heap }, (_, n) => {
      const x = 60 + (n - (heap - 1) / 2) * apart;
      const isLast = row === heaps.length - 1 && n === heap - 1;
      const kind = isLast && last ? last : row >= chosen && n >= heap - 2 ? "chosen" : "wood";
      return drawStick(x, top + row * high + 1.5, thick, high - 3, kind);
    }),
  );
}

/** Draws a stick: a shaft and a head. @param {number} x @param {number} y @param {number} thick @param {number} long @param {string} kind */
const drawStick = (x, y, thick, long, kind) =>
  svg(
    "g",
    { class: kind },
    svg("rect", { x: x - thick / 2, y, width: thick, height: long, rx: thick / 3 }),
    svg("circle", { class: "head", cx: x, cy: y + thick * 0.5, r: thick * 0.66 }),
  );

/** Draws the amounts that a move may take: a group of sticks for each. */
function drawGroups(/** @type {number[]} */ amounts) {
  const shown = amounts.slice(0, 4);
  const all = shown.reduce((sum, amount) => sum + amount + 1.2, -1.2);
  const apart = Math.min(12, 108 / all);
  let x = 60 - (all * apart) / 2 + apart / 2;
  return shown.flatMap((amount) => {
    const group = Array.from({ length: amount }, (_, n) =>
      drawStick(x + n * apart, 18, Math.min(4.4, apart / 1.6), 36, "wood"),
    );
    x += (amount + 1.2) * apart;
    return group;
  });
}

/** Draws two equal rows, and a mirror between them: the first lesson. */
const drawLessons = () => [
  ...[10, 42].flatMap((y) => [24, 42, 60, 78, 96].map((x) => drawStick(x, y, 4.4, 20, "wood"))),
  svg("path", { class: "way", d: "M10 36H110" }),
];

/** Draws the keys of a match pad, one of them pressed, below the advice. */
const drawKeys = () => [
  svg("rect", { class: "wood", x: 36, y: 3, width: 48, height: 12, rx: 3 }),
  ...Array.from({ length: 12 }, (_, n) =>
    svg("rect", {
      class: n === 6 ? "head" : "square dark",
      x: 27 + (n % 4) * 17,
      y: 20 + Math.floor(n / 4) * 17,
      width: 14,
      height: 14,
      rx: 3,
    }),
  ),
];

function drawQueen(/** @type {number} */ x, /** @type {number} */ y) {
  const squares = Array.from({ length: 36 }, (_, n) => [n % 6, Math.floor(n / 6)]);
  const [left, top, way] = [27 + x * 11, 58 - y * 11, Math.min(x, y) * 11 - 4];
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
    svg("path", { class: "way", d: `M${left + 1} ${top + 10}l${-way} ${way}` }),
    svg("path", { class: "wood queen", d: `M${left - 1.5} ${top}l2.5 10h9l2.5 -10-4.5 4.5-2.5 -5.5-2.5 5.5Z` }),
  ];
}

function drawPile(/** @type {number} */ stones, /** @type {number} */ reach, /** @type {number} */ places) {
  const across = Math.min(9, places);
  const high = Math.ceil(places / across);
  return Array.from({ length: places }, (_, n) =>
    svg("circle", {
      class: n < stones - reach ? "wood" : n < stones ? "wood near" : "gone",
      cx: 60 + ((n % across) - (across - 1) / 2) * 11,
      cy: 36 + (Math.floor(n / across) - (high - 1) / 2) * 11,
      r: 4.2,
    }),
  );
}
