// The position in the address: /#table=sticks&position=2,5,7, and the whole game in one that is shared.

import { OPPONENTS } from "./game.js";

/** @typedef {import("./game.js").Told} Told */
/**
 * What an address asks for; null for what it leaves out.
 * @typedef {object} Asked
 * @property {string | null} table
 * @property {string | null} position
 * @property {Told | null} told the whole game
 * @property {string[]} open the panels that are open
 * @property {string | null} nonsense what follows the #, if it means nothing
 * @property {string[]} unknown parts that mean nothing beside others that do
 */

/** The address of the page itself, which may be a file. */
export const page = () => location.href.replace(/[?#].*$/s, "");

/** What follows the # in an address that somebody typed or pasted; null if it is none of a game. @param {string} text */
export const inText = (text) => text.match(/#(table=\S+)/)?.[1] ?? null;

const list = (/** @type {string | null} */ text) => (text ? text.split(",") : []);

const any = () => true;
const oneOrTwo = (/** @type {string} */ value) => value === "1" || value === "2";

/** The parts of an address, and whether a value of each means something. @type {Record<string, (value: string, moves: number) => boolean>} */
const PARTS = {
  table: any,
  position: any,
  open: any,
  start: any,
  moves: any,
  at: (value, moves) => /^\d+$/.test(value) && Number(value) <= moves,
  opponent: (value) => OPPONENTS.some((opponent) => opponent === value),
  side: oneOrTwo,
  first: oneOrTwo,
};
/** Those that tell of a whole game. */
const OF_GAME = ["start", "moves", "at", "opponent", "side", "first"];

/**
 * @param {string} hash
 * @param {any} state what the browser keeps with the entry of its history
 * @param {string[]} panels the names of those that can be open
 * @returns {Asked}
 */
export function parse(hash, state, panels = []) {
  const text = hash.replace(/^#/, "");
  const parts = [...new URLSearchParams(text)];
  const moves = list(new URLSearchParams(text).get("moves")).length;
  /** @type {Map<string, string>} */ const asked = new Map();
  const unknown = parts.filter(([name, value]) => {
    const means = Object.hasOwn(PARTS, name) && !asked.has(name) && PARTS[name](value, moves);
    if (means) asked.set(name, value);
    return !means;
  });
  const open = list(asked.get("open") ?? null);
  const closed = open.filter((name) => !panels.includes(name)).map((name) => ["open", name]);
  const table = asked.get("table") ?? null;
  const position = asked.get("position") ?? null;
  const told = state?.told?.table === table && state.position === position ? state.told : null;
  return {
    table,
    position,
    told: told ?? (table !== null && OF_GAME.some((name) => asked.has(name)) ? whole(asked, table) : null),
    open,
    nonsense: text !== "" && table === null ? text : null,
    unknown: [...unknown, ...closed].map(([name, value]) => `${name}=${value}`),
  };
}

/** The game that parts of an address tell of; one without a start begins at the position. @param {Map<string, string>} asked @param {string} table @returns {Told} */
function whole(asked, table) {
  const moves = list(asked.get("moves") ?? null);
  const player = (/** @type {string} */ name) => (asked.get(name) === "2" ? 2 : 1);
  return {
    table,
    start: asked.get("start") ?? asked.get("position") ?? "",
    moves,
    at: Number(asked.get("at") ?? moves.length),
    opponent: OPPONENTS.find((opponent) => opponent === asked.get("opponent")) ?? "perfect",
    side: player("side"),
    first: player("first"),
    chosen: asked.has("side"),
  };
}

// Commas, slashes and the like need no escape after the #, and without it the address is easier to read aloud.
const plain = (/** @type {string} */ text) =>
  encodeURIComponent(text).replace(/%(2C|2F|3A|3B|3D)/g, (escape) => decodeURIComponent(escape).replace("=", "%3D"));

/** @param {string} table @param {string} position */
export function format(table, position) {
  return `#table=${plain(table)}&position=${plain(position)}`;
}

/** The address of a whole game. @param {Told} told @param {string} position @param {string[]} open */
export function formatWhole(told, position, open) {
  const { table, start, moves, at, opponent, side, first } = told;
  const parts = [`start=${plain(start)}`, `moves=${moves.map(plain).join(",")}`];
  if (at !== moves.length) parts.push(`at=${at}`);
  parts.push(`opponent=${opponent}`, `side=${side}`);
  if (first !== 1) parts.push(`first=${first}`);
  if (open.length > 0) parts.push(`open=${open.join(",")}`);
  return `${format(table, position)}&${parts.join("&")}`;
}

let asked = true;

/** The next game is the one that the address asks for, until it is there. @param {boolean} on */
export function follow(on) {
  asked = on;
}

/**
 * Writes the position into the address, and keeps the whole game with it for *reload* and *back*. A new game adds an entry to
 * the browser's history. The moves of a game do not, since *Undo* takes them back; nor does a game that the address asked for,
 * since its entry exists already.
 * @param {Told} told
 * @param {string} position
 * @param {boolean} begins
 */
export function tell(told, position, begins) {
  const hash = format(told.table, position);
  const state = { told, position };
  if (begins && !asked && hash !== location.hash) history.pushState(state, "", hash);
  else history.replaceState(state, "", hash);
}

/** Goes to the gallery, which has an address without a position. */
export function leave() {
  asked = false;
  if (parse(location.hash, null).table !== null) history.pushState(null, "", location.pathname + location.search);
}

/**
 * Copies an address. If the browser does not allow that, shows it selected in a field.
 * @param {HTMLInputElement} field
 * @param {string} text
 * @returns {Promise<boolean>} whether it was copied
 */
export async function share(field, text) {
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
