// How the page asks: its own server, by requests. A page without a server has another module of this name.

/** Milliseconds after which a request is given up. */
const PATIENCE = 30_000;

const nobody = (/** @type {string} */ detail) => ({ status: 0, body: { detail } });

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
      signal: AbortSignal.timeout(PATIENCE),
      headers: { accept: "application/json" },
    });
  } catch {
    return nobody("The server does not respond. It may have been stopped, or the network may be down.");
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body === null) return nobody("The server's response was cut off.");
  return { status: response.status, body };
}
