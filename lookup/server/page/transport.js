// Sends the page's questions to its server. The page without a server has another module of this name.

import { t } from "./language.js";

/** Time after which a request fails, in ms. */
const REQUEST_TIMEOUT = 30_000;

/** A server opens the tables of its folder only. */
export const open = async (/** @type {Uint8Array} */ _file) => noAnswer(t.error.ofServer);

const noAnswer = (/** @type {string} */ detail) => ({ status: 0, body: { detail } });

/**
 * Sends a request to a path below `api`. Returns status 0, and the reason as `detail`, if there is no answer.
 * @param {string} path
 * @param {Record<string, string | boolean>} query
 * @param {string[]} [positions] positions to look up at once
 * @returns {Promise<{status: number, body: any}>}
 */
export async function ask(path, query, positions) {
  const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  /** @type {Response} */ let response;
  try {
    response = await fetch(`api/${path}${text && `?${text}`}`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
      headers: { accept: "application/json", ...(positions && { "content-type": "application/json" }) },
      ...(positions && { method: "POST", body: JSON.stringify(positions) }),
    });
  } catch {
    return noAnswer(t.error.silent);
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body === null) return noAnswer(t.error.cut);
  return { status: response.status, body };
}
