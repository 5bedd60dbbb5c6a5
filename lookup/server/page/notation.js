// Moves and positions in notation, such as "1:2" and "56/3/2/4,4/-": their parts, which the texts of each language put
// into words. The notation itself stays available as the title of the words.

import { html } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./api.js").Table} Table */
/** The parts of a move; `text` is its notation. @typedef {{text: string, takes: {row: number | null, stones: number}[], reset: boolean}} ParsedMove */
/** The parts of a pile. `resets` has the order of the text: in a position player 1's first, in a game map's key those of the player to move. @typedef {{stones: number, limit: number, resets: number[], imposed: boolean}} ParsedPile */
/** The parts of a position: a pile or heaps and, if the rules have passes, the passes left. @typedef {{pile?: ParsedPile, heaps?: number[], passes?: number}} ParsedPosition */

/** Returns the parts of a move. @returns {ParsedMove} */
export function parseMove(/** @type {string} */ text) {
  const parts = text === "pass" ? [] : text.split("+");
  const takes = parts.map((part) => {
    const [first, second] = part.split(":").map((number) => Number.parseInt(number, 10));
    return second === undefined ? { row: null, stones: first } : { row: first, stones: second };
  });
  return { text, takes, reset: text.endsWith("r") };
}

/** Returns the parts of a position. @param {Table} table @param {string} text @returns {ParsedPosition} */
export function parsePosition({ game, rules }, text) {
  const [first, second, ...rest] = text.split("/");
  if (game === "heaps")
    return { heaps: first.split(",").map(Number), passes: second === undefined ? undefined : Number(second) };
  const imposed = rest.at(-1) === "r";
  const limit = imposed ? rules["reset-limit"] : Math.max(rules["base-limit"], Number(second) + rules.growth);
  return { pile: { stones: Number(first), limit, resets: rest[1].split(",").map(Number), imposed } };
}

/** Returns a move as an instruction. */
export function instruction(/** @type {string} */ text) {
  const { takes, reset } = parseMove(text);
  return t.take(takes, reset);
}

/** Returns a move in few words, for tables and lists. */
export function briefMove(/** @type {string} */ text) {
  const { takes, reset } = parseMove(text);
  return t.briefMove(takes, reset);
}

/** Returns an element with a move in few words; its tooltip (`title`) is the notation. */
export const moveWords = (/** @type {string} */ text) => html("span", { title: text }, briefMove(text));

/** Returns an element with a position in few words; its tooltip (`title`) is the notation. @param {Table} table @param {string} text */
export const positionWords = (table, text) =>
  html("span", { title: text }, t.position(parsePosition(table, text), true));
