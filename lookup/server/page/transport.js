// How the page asks: its own server, by requests. A page without a server has another module of this name.

import { t } from "./language.js";

/** Milliseconds after which a request is given up. */
const REQUEST_TIMEOUT = 30_000;

const noAnswer = (/** @type {string} */ detail) => ({ status: 0, body: { detail } });

/**
 * Asks for what is at a path below `api`. Gives status 0 if nobody answers.
 * @param {string} path
 * @param {Record<string, string | boolean>} query
 * @returns {Promise<{status: number, body: any}>}
 */
export async function ask(path, query) {
  const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  /** @type {Response} */ let response;
  try {
    response = await fetch(`api/${path}${text && `?${text}`}`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
      headers: { accept: "application/json" },
    });
  } catch {
    return noAnswer(t.error.silent);
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body === null) return noAnswer(t.error.cut);
  return { status: response.status, body };
}
