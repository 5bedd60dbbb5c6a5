// The requests of the page to the service (docs/service.md), and their errors.

import { shorten } from "./dom.js";
import { t } from "./language.js";
import { ask, open } from "./transport.js";

/**
 * @typedef {"win" | "loss"} Outcome
 * @typedef {{name: string, title: string, plain?: string, game: "expanding" | "heaps", rules: any, holds: string[], start: string, suggested: string, positions: number, wins: number, deepest?: number, bytes: number, digest: string, origin: string}} Table
 * @typedef {{move: string, takes: {row: number | null, stones: number}[], reset: boolean, words: string, words_of_another: string, to: string, outcome: Outcome, depth_after?: number}} Move
 * @typedef {object} State
 * @property {string} position
 * @property {string} key
 * @property {"expanding" | "heaps"} game
 * @property {1 | 2 | null} player
 * @property {boolean} over
 * @property {{stones: number, currentmax: number, limit: number, resets: number[], imposed: boolean}} [pile]
 * @property {number[]} [heaps]
 * @property {number} [passes]
 * @property {Outcome} outcome
 * @property {number} [depth]
 * @property {string | null} best
 * @property {string[]} winning
 * @property {Move[]} moves
 *
 * @typedef {{kind: "theorem", key: string, name: string, statement: string, modulus?: number, values: number[], more: boolean}} Theorem
 * @typedef {{kind: "columns", position: string, rows: {heap: number, value: number, digits: number[]}[], label: string, sums: number[], modulus: number, number: number | null}} Columns
 * @typedef {{kind: "sentence", key: string, text: string, move?: string, makes?: {row: number, from: number, to: number}[], answer?: string, numbers?: number[]}} Sentence
 * @typedef {{kind: "replies", text: string}} Replies
 * @typedef {Theorem | Columns | Sentence | Replies} Block
 * @typedef {object} Why
 * @property {string} position
 * @property {Outcome} outcome
 * @property {string} text
 * @property {Block[]} blocks
 * @property {string | null} best
 * @property {string} of
 * @property {{move: string, to: string, answer: string | null, then: string | null}[]} replies
 * @property {number} more
 */

/** An error from the server, or no response at all (`status` 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message what went wrong, in the reader's language
   * @param {string} [detail] the service's own message, in English
   */
  constructor(status, message, detail = "") {
    super(message);
    this.status = status;
    this.detail = detail;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() {
    return this.status === 0 || this.status === 408 || this.status >= 500;
  }
}

/** The start and the maximum sizes of each game, by the name of its table, for messages. @type {Map<string, {start: string, rows?: number[], stones?: number, passes?: number}>} */
const extents = new Map();

const extentOf = (/** @type {Table} */ { start, rules }) => ({
  start,
  rows: rules.bounds,
  stones: rules.stones,
  passes: rules.passes,
});

/**
 * Returns the page's text for a problem of this type, in the reader's language.
 * @param {number} status @param {string} type @param {string} path @param {Record<string, any>} query
 */
function problemText(status, type, path, query) {
  if (status === 414 || status === 431) return t.error.long;
  const name = query.a ?? decodeURIComponent(path.split("/")[1] ?? "");
  const [position, moves, table] = [query.position, query.moves, name].map((asked) => shorten(String(asked ?? "")));
  const kind = type.replace("urn:bouton:", "").replace("too-many-connections", "busy");
  const says = Object.hasOwn(t.problem, kind) ? t.problem[kind] : () => t.error.status(status);
  return says({ position, moves, table, ...extents.get(name) });
}

let openRequests = 0;

/** Counts open requests, and marks the page as busy while there are any. */
function countRequests(/** @type {number} */ step) {
  openRequests += step;
  if (openRequests > 0) document.body.dataset.busy = "true";
  else delete document.body.dataset.busy;
}

/** Returns the body of an answer, or throws an error. @param {Promise<{status: number, body: any}>} answer @param {(status: number, type: string) => string} says returns the message of an error */
async function bodyOf(answer, says) {
  countRequests(1);
  try {
    const { status, body } = await answer;
    if (status === 200) return body;
    const detail = String(body?.detail ?? "");
    // Without a response, the text of the error is the page's own.
    if (status === 0) throw new ApiError(0, detail);
    throw new ApiError(status, says(status, String(body?.type ?? "")), detail);
  } finally {
    countRequests(-1);
  }
}

/** Returns a part of the page that is being loaded, or throws an error. @template T @param {Promise<T>} part @returns {Promise<T>} */
export async function loaded(part) {
  countRequests(1);
  try {
    return await part;
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, t.error.part, String(error));
  } finally {
    countRequests(-1);
  }
}

/**
 * Sends a request, and returns the answer or throws an error.
 * @param {string} path below `api`
 * @param {Record<string, string | boolean>} [query]
 * @param {string[]} [positions] positions to look up at once
 */
const get = (path, query = {}, positions) => bodyOfAnswer(ask(path, query, positions), path, query);

/** Returns the body of an answer to a request, or throws an error. @param {Promise<{status: number, body: any}>} answer @param {string} path @param {Record<string, string | boolean>} query */
const bodyOfAnswer = (answer, path, query) => bodyOf(answer, (status, type) => problemText(status, type, path, query));

/** Opens the file of a table, which must be valid. Returns the table, whose name is its digest. @param {string} name of the file @param {Uint8Array} file @returns {Promise<Table>} */
export async function openTable(name, file) {
  const table = await bodyOf(open(file), (_, type) =>
    (t.error.tables[type] ?? t.error.tables["urn:bouton:not-a-table"])(shorten(name)),
  );
  extents.set(table.name, extentOf(table));
  return table;
}

const tablePath = (/** @type {string} */ name) => `tables/${encodeURIComponent(name)}`;

/** Upper limits on the keys of own rules. @typedef {{heaps: number, stones: number, passes: number, resets: number, spelling: number}} OwnLimits */

/**
 * Returns all tables, at least one, and the limits of own rules; null limits if the service solves no own rules.
 * @returns {Promise<{tables: Table[], own: OwnLimits | null}>}
 */
export async function tables() {
  /** @type {{ tables: Table[], refused: { name: string, reason: string }[], solve_limit?: number, own_limits: OwnLimits }} */
  const { tables, refused, solve_limit, own_limits } = await get("tables");
  for (const table of tables) extents.set(table.name, extentOf(table));
  if (tables.length > 0) return { tables, own: solve_limit ? own_limits : null };
  const reasons = refused.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  throw new ApiError(503, reasons ? t.error.refused(reasons) : t.error.noTables);
}

/** Returns a table by its name, which may spell own rules. @returns {Promise<Table>} */
export async function table(/** @type {string} */ name) {
  /** @type {Table} */ const table = await get(tablePath(name));
  extents.set(table.name, extentOf(table));
  return table;
}

/** Returns the states of a game at its start and after each move. @returns {Promise<State[]>} */
export const game = async (/** @type {string} */ name, /** @type {string} */ position, /** @type {string[]} */ moves) =>
  (await get(`${tablePath(name)}/game`, { position, moves: moves.join(",") })).states;

const statePath = (/** @type {string} */ name) => `${tablePath(name)}/state`;

/**
 * The answer about the position of the page's address. It is requested at once, before the page knows the tables and its language.
 * Null if the page asks for something else: for a game with moves, or a table whose name it learns later (from a digest, or own
 * rules).
 */
let early = askEarly();

function askEarly() {
  const { table, position, ...others } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const isName = /^[\w-]+$/.test(table ?? "") && !/^[\da-f]{64}$/.test(table);
  const hasMoves = history.state?.saved?.moves?.length > 0;
  if (!isName || !position || Object.keys(others).length > 0 || hasMoves) return null;
  return { path: statePath(table), position, answer: ask(statePath(table), { position }) };
}

/** Returns the state of a position. @returns {Promise<State>} */
export function state(/** @type {string} */ name, /** @type {string} */ position) {
  const path = statePath(name);
  const request = () => ask(path, { position });
  const isAsked = early?.path === path && early.position === position;
  // After a failure, the reader tries again.
  const answer = early && isAsked ? early.answer.then((first) => (first.status > 0 ? first : request())) : request();
  early = null;
  return bodyOfAnswer(answer, path, { position });
}

/** Returns the argument why a position is won or lost. @returns {Promise<Why>} */
export const why = (/** @type {string} */ name, /** @type {string} */ position) =>
  get(`${tablePath(name)}/why`, { position });

/** Returns the part of a table around a position, or around other numbers on its axes. @param {string} name @param {string} position @param {number} [x] @param {number} [y] */
export const map = (name, position, x, y) =>
  get(`${tablePath(name)}/map`, x === undefined ? { position } : { position, x: String(x), y: String(y ?? 0) });

export const gameMap = (/** @type {string} */ name, /** @type {string} */ position) =>
  get(`${tablePath(name)}/game-map`, { position });

export const diff = (/** @type {string} */ a, /** @type {string} */ b, /** @type {string} */ position) =>
  get("diff", { a, b, position, moves: true });

/** A position of a list, answered; `error` instead of an outcome if it is not one of the game. @typedef {{position: string, outcome?: Outcome, depth?: number, best?: string | null, error?: string}} LookedUp */

/** Looks many positions up at once. @returns {Promise<LookedUp[]>} */
export const lookUp = (/** @type {string} */ name, /** @type {string[]} */ positions) =>
  get(`${tablePath(name)}/lookup`, {}, positions);
