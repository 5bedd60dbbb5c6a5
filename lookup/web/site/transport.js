// How the page asks where there is no server: a worker solves the games and answers.

/** @typedef {{status: number, body: any}} Answer */

/** The games, and what the board shows at the beginning of each, so that it is there before anything is solved. */
const games = fetch(new URL("games.json", import.meta.url)).then((response) => response.json());

/** @type {Worker | undefined} */ let worker;
/** @type {Map<number, (answer: Answer) => void>} */ const waiting = new Map();
let asked = 0;

/** The worker, which is started with the first question. */
function theWorker() {
  if (worker) return worker;
  worker = new Worker(new URL("worker.js", import.meta.url));
  worker.addEventListener("message", ({ data: { number, answer, progress } }) => {
    if (progress !== undefined) return tell(progress);
    tell(1);
    waiting.get(number)?.(answer);
    waiting.delete(number);
  });
  worker.addEventListener("error", (event) => fail(event.message));
  worker.addEventListener("messageerror", () => fail("the answer cannot be read"));
  return worker;
}

/** Everybody who waits gets an error; the next question starts another worker. @param {string} why */
function fail(why) {
  worker?.terminate();
  worker = undefined;
  const detail = `The games cannot be solved in this browser: ${why || "the program did not start"}.`;
  for (const answer of waiting.values()) answer({ status: 0, body: { detail } });
  waiting.clear();
}

/** Shows how far a game is solved, from 0 to 1. @param {number} share */
function tell(share) {
  const bar = /** @type {HTMLProgressElement | null} */ (document.getElementById("solving"));
  if (!bar) return;
  bar.hidden = share >= 1;
  bar.value = share;
}

/** @param {any} question @returns {Promise<Answer>} */
function put(question) {
  return new Promise((answer) => {
    waiting.set(++asked, answer);
    theWorker().postMessage({ number: asked, question });
  });
}

/**
 * Asks for what a server would have at a path below `api`.
 * @param {string} path
 * @param {Record<string, string | boolean>} query
 * @returns {Promise<Answer>}
 */
export async function ask(path, query) {
  /** @type {{tables: any[], states: Record<string, any>}} */ let known;
  try {
    known = await games;
  } catch {
    return { status: 0, body: { detail: "The list of games could not be loaded. Reload the page to try again." } };
  }
  const { tables, states } = known;
  // Parameters are texts, as in the address of a request.
  query = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  if (path === "tables") return { status: 200, body: { tables, refused: [] } };
  const game = (/** @type {string} */ name) => tables.find((table) => table.name === name);
  /** @param {any} table */
  const solve = ({ name, game, rules }) => put({ ask: "solve", table: name, ruleset: { game, rules } });
  if (path === "diff") {
    const { a, b, ...rest } = query;
    for (const table of [game(String(a)), game(String(b))]) if (table) await solve(table);
    return put({ ask: "diff", table: a, other: b, ...rest });
  }
  const [, name, what] = path.split("/").map(decodeURIComponent);
  if (what === "state" && states[name]?.position === query.position) {
    // While that is looked at, the game is solved.
    solve(game(name));
    return { status: 200, body: states[name] };
  }
  if (game(name)) await solve(game(name));
  return put({ ask: what, table: name, ...query });
}

if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
