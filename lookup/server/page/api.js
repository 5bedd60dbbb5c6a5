// The requests that the page sends to its own server (docs/service.md), and their errors.

/**
 * @typedef {"win" | "loss"} Outcome
 * @typedef {{name: string, title: string, game: "expanding" | "heaps", rules: any, holds: string[], start: string, suggested: string}} Table
 * @typedef {{move: string, words: string, to: string, outcome: Outcome, depth?: number}} Move
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
 */

/** Milliseconds after which a request is given up. */
const PATIENCE = 30_000;

/** An error from the server, or no response at all (`status` 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} detail what went wrong, for the reader
   * @param {string} type
   */
  constructor(status, detail, type) {
    super(detail);
    this.status = status;
    this.type = type;
  }

  /** Whether the same request may succeed later. */
  get passing() {
    return this.status === 0 || this.status === 408 || this.status >= 500;
  }
}

let running = 0;

function busy(/** @type {number} */ step) {
  running += step;
  if (running > 0) document.body.dataset.busy = "true";
  else delete document.body.dataset.busy;
}

/**
 * @param {string} path
 * @param {Record<string, string | number | boolean>} [query]
 */
async function get(path, query = {}) {
  const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  busy(1);
  try {
    return await fetched(text ? `${path}?${text}` : path);
  } finally {
    busy(-1);
  }
}

async function fetched(/** @type {string} */ address) {
  /** @type {Response} */ let response;
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE), headers: { accept: "application/json" } });
  } catch {
    throw new ApiError(0, "The server does not respond. It may have been stopped, or the network may be down.", "");
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body === null) throw new ApiError(0, "The server's response was cut off.", "");
  if (response.ok) return body;
  const detail = body?.detail ?? body?.title ?? `The server responded with status ${response.status} and no message.`;
  throw new ApiError(response.status, detail, body?.type ?? "");
}

const of = (/** @type {string} */ name) => `/api/tables/${encodeURIComponent(name)}`;

/** All tables, of which there is one at least. @returns {Promise<Table[]>} */
export async function tables() {
  /** @type {{ tables: Table[], refused: { name: string, reason: string }[] }} */
  const { tables, refused } = await get("/api/tables");
  if (tables.length > 0) return tables;
  const reasons = refused.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  throw new ApiError(
    503,
    reasons ? `The server cannot serve its tables. ${reasons}.` : "The server has no tables yet.",
    "",
  );
}

/** @returns {Promise<State>} */
export const state = (/** @type {string} */ name, /** @type {string} */ position) =>
  get(`${of(name)}/state`, { position });

export const why = (/** @type {string} */ name, /** @type {string} */ position) => get(`${of(name)}/why`, { position });

export const map = (/** @type {string} */ name, /** @type {string} */ position) => get(`${of(name)}/map`, { position });

export const gameMap = (/** @type {string} */ name, /** @type {string} */ position) =>
  get(`${of(name)}/game-map`, { position });

export const diff = (/** @type {string} */ a, /** @type {string} */ b, /** @type {string} */ position) =>
  get("/api/diff", { a, b, position, moves: true });
