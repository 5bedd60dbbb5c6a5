// The address of a game: after the #, table and position, as in #table=sticks&position=2,5,7; a shared address also has
// the whole game.

import { OPPONENTS } from "./players.js";
import { GOALS } from "./saved-game.js";

/** @typedef {import("./saved-game.js").SavedGame} SavedGame */
/**
 * The parts of an address; null for absent ones.
 * @typedef {object} AddressParts
 * @property {string | null} table
 * @property {string | null} position
 * @property {SavedGame | null} saved the whole game, from the address or from the entry of the browser's history
 * @property {string[]} open the panels that are open
 * @property {string | null} nonsense the part after the #, if nothing in it is understood
 * @property {string[]} unknown parts that are not understood, if others are
 */

/** Returns the address of the page itself, without a game. */
export const pageAddress = () => location.href.replace(/[?#].*$/s, "");

/** Returns the part after the # of a typed or pasted address; null if it is not the address of a game. @param {string} text */
export const gameHash = (text) => text.match(/#(table=\S+)/)?.[1] ?? null;

const list = (/** @type {string | null} */ text) => (text ? text.split(",") : []);

const anyValue = () => true;
const oneOrTwo = (/** @type {string} */ value) => value === "1" || value === "2";

/** The parts of an address, each with a check of its value. @type {Record<string, (value: string, moves: number) => boolean>} */
const PARTS = {
  table: anyValue,
  position: anyValue,
  open: anyValue,
  start: anyValue,
  moves: anyValue,
  at: (value, moves) => /^\d+$/.test(value) && Number(value) <= moves,
  opponent: (value) => OPPONENTS.some((opponent) => opponent === value),
  side: oneOrTwo,
  first: oneOrTwo,
  goal: (value) => GOALS.some((goal) => goal === value),
  hints: (value) => value === "off",
};
/** The parts that describe a whole game. */
const GAME_PARTS = ["start", "moves", "at", "opponent", "side", "first", "goal"];

/**
 * Reads the part of an address from its # on.
 * @param {string} hash
 * @param {any} state the state of the browser's history
 * @param {string[]} panels the names that `open` may have
 * @returns {AddressParts}
 */
export function parse(hash, state, panels = []) {
  const text = hash.replace(/^#/, "");
  const parts = [...new URLSearchParams(text)];
  const moves = list(new URLSearchParams(text).get("moves")).length;
  /** @type {Map<string, string>} */ const asked = new Map();
  const unknown = parts.filter(([name, value]) => {
    const isValid = Object.hasOwn(PARTS, name) && !asked.has(name) && PARTS[name](value, moves);
    if (isValid) asked.set(name, value);
    return !isValid;
  });
  const open = list(asked.get("open") ?? null);
  const noPanels = open.filter((name) => !panels.includes(name)).map((name) => ["open", name]);
  const table = asked.get("table") ?? null;
  const position = asked.get("position") ?? null;
  const saved = state?.saved?.table === table && state.position === position ? state.saved : null;
  return {
    table,
    position,
    saved: saved ?? (table !== null && GAME_PARTS.some((name) => asked.has(name)) ? savedGame(asked, table) : null),
    open,
    nonsense: text !== "" && table === null ? text : null,
    unknown: [...unknown, ...noPanels].map(([name, value]) => `${name}=${value}`),
  };
}

/** Returns the game in an address. If the address has no start, the game begins at the position. @param {Map<string, string>} asked @param {string} table @returns {SavedGame} */
function savedGame(asked, table) {
  const moves = list(asked.get("moves") ?? null);
  const player = (/** @type {string} */ name) => (asked.get(name) === "2" ? 2 : 1);
  const goal = GOALS.find((goal) => goal === asked.get("goal"));
  return {
    table,
    start: asked.get("start") ?? asked.get("position") ?? "",
    moves,
    at: Number(asked.get("at") ?? moves.length),
    opponent: OPPONENTS.find((opponent) => opponent === asked.get("opponent")) ?? "perfect",
    side: player("side"),
    first: player("first"),
    chosen: asked.has("side"),
    ...(goal && { assignment: { goal, hints: asked.get("hints") !== "off" } }),
  };
}

// After the # commas, slashes and some other characters need no escape, and an address without escapes is easier to
// read aloud.
const encode = (/** @type {string} */ text) =>
  encodeURIComponent(text).replace(/%(2C|2F|3A|3B|3D)/g, (escape) => decodeURIComponent(escape).replace("=", "%3D"));

/** Returns the address of a position. @param {string} table @param {string} position */
export function format(table, position) {
  return `#table=${encode(table)}&position=${encode(position)}`;
}

/** Returns the parts that describe an assignment. @param {import("./saved-game.js").Assignment | undefined} assignment */
const assignmentParts = (assignment) =>
  assignment ? [`goal=${assignment.goal}`, ...(assignment.hints ? [] : ["hints=off"])] : [];

/** Returns the address of the game of an assignment at its start. @param {SavedGame} saved */
export const formatAssignment = ({ table, start, opponent, side, assignment }) =>
  [format(table, start), `opponent=${opponent}`, `side=${side}`, ...assignmentParts(assignment)].join("&");

/** Returns the address that the browser shows: that of the position or, in an assignment, that of the assignment. @param {SavedGame} saved @param {string} position */
export const formatShown = (saved, position) =>
  saved.assignment ? formatAssignment(saved) : format(saved.table, position);

/** Returns the address of a whole game. @param {SavedGame} saved @param {string} position @param {string[]} open */
export function formatWhole(saved, position, open) {
  const { table, start, moves, at, opponent, side, first, assignment } = saved;
  const parts = [`start=${encode(start)}`, `moves=${moves.map(encode).join(",")}`];
  if (at !== moves.length) parts.push(`at=${at}`);
  parts.push(`opponent=${opponent}`, `side=${side}`);
  if (first !== 1) parts.push(`first=${first}`);
  parts.push(...assignmentParts(assignment));
  if (open.length > 0) parts.push(`open=${open.join(",")}`);
  return `${format(table, position)}&${parts.join("&")}`;
}

/** Whether the game of the address is being loaded. */
let isLoading = true;

/** Records whether the game of the address is being loaded; such a game adds no entry to the browser's history. @param {boolean} on */
export function setLoading(on) {
  isLoading = on;
}

/**
 * Writes the game into the address, and stores the whole game with it, for *reload* and *back*. A new game adds an entry to
 * the browser's history. A move does not, since *Undo* takes it back; nor does the game of the address, which has an entry.
 * @param {SavedGame} saved
 * @param {string} position
 * @param {boolean} begins whether a new game begins
 */
export function write(saved, position, begins) {
  const hash = formatShown(saved, position);
  const state = { saved, position: saved.assignment ? saved.start : position };
  if (begins && !isLoading && hash !== location.hash) history.pushState(state, "", hash);
  else history.replaceState(state, "", hash);
}

/** Writes the address of the gallery, which has no position. */
export function leaveGame() {
  isLoading = false;
  if (parse(location.hash, null).table !== null) history.pushState(null, "", location.pathname + location.search);
}

/**
 * Copies a text. If the browser does not allow that, shows it selected in a field.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} text
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copy(field, text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.hidden = false;
    field.value = text;
    field.focus();
    field.select();
    return false;
  }
}
