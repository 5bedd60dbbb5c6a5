// Answers the page's requests without a server: a worker solves games and answers questions.

import { t } from "./language.js";

/** @typedef {{status: number, body: any}} Answer */

/**
 * Returns a function that loads something at the first call, and again after a failure.
 * @template T @param {() => Promise<T>} load
 */
function once(load) {
  /** @type {Promise<T> | null} */ let loading = null;
  return () => {
    loading ??= load();
    return loading.catch((error) => {
      loading = null;
      throw error;
    });
  };
}

/**
 * The games, and the first states of most of them, so that the board appears before a game is solved.
 * @typedef {{tables: any[], states: Record<string, any>, rulesets: Record<string, string>, solve_limit: number, own_limits: any}} Games
 */
const loadGames = once(async () => {
  const response = await fetch(new URL("games.json", import.meta.url));
  return /** @type {Games} */ (await response.json());
});

/** Loads the WebAssembly program that the worker runs. The page loads it, as the worker would begin later. */
const loadProgram = once(async () => {
  const response = await fetch(new URL("bouton.wasm", import.meta.url));
  if (!response.ok) throw new Error(`status ${response.status}`);
  // A page that is a single file embeds the compressed program.
  const compressed = response.headers.get("content-type") === "application/gzip" && response.body;
  const whole = compressed ? new Response(compressed.pipeThrough(new DecompressionStream("gzip"))) : response;
  return whole.arrayBuffer();
});

/** @type {Worker | undefined} */ let worker;
/** @type {Map<number, (answer: Answer) => void>} */ const waiting = new Map();
let lastNumber = 0;

/** Returns the worker; starts it at the first call, and after a failure. It receives the program when that is loaded. */
function runningWorker() {
  if (worker) return worker;
  const started = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data: { number, answer, progress } }) => {
    if (progress !== undefined) return showProgress(progress);
    showProgress(1);
    waiting.get(number)?.(answer);
    waiting.delete(number);
  });
  started.addEventListener("error", (event) => failAll(event.message));
  started.addEventListener("messageerror", () => failAll("the answer cannot be read"));
  loadProgram().then((program) => started.postMessage({ program }), failAll);
  worker = started;
  return started;
}

/** Answers all open questions with an error, and stops the worker. @param {unknown} why */
function failAll(why) {
  worker?.terminate();
  worker = undefined;
  for (const answer of waiting.values()) answer(unsolved(why || "?"));
  waiting.clear();
}

/** Returns the answer if the program could not be loaded, or has stopped. @param {unknown} why @returns {Answer} */
const unsolved = (why) => ({ status: 0, body: { detail: t.error.unsolved(String(why)) } });

/** Shows the progress of solving, from 0 to 1. @param {number} share */
function showProgress(share) {
  const bar = /** @type {HTMLProgressElement | null} */ (document.getElementById("solving"));
  if (!bar) return;
  bar.hidden = share >= 1;
  bar.value = share;
}

/** Sends a question to the worker. @param {any} question @returns {Promise<Answer>} */
function askWorker(question) {
  return new Promise((answer) => {
    waiting.set(++lastNumber, answer);
    runningWorker().postMessage({ number: lastNumber, question });
  });
}

/** Opens the file of a table. The answer describes the table, whose name is its digest. @param {Uint8Array} file @returns {Promise<Answer>} */
export const open = (file) => askWorker(file);

/**
 * Answers a request to a path below `api`, as a server does.
 * @param {string} path
 * @param {Record<string, string | boolean>} query
 * @param {string[]} [positions] positions to look up at once
 * @returns {Promise<Answer>}
 */
export async function ask(path, query, positions) {
  let known;
  try {
    known = await loadGames();
  } catch {
    return { status: 0, body: { detail: t.error.noGames } };
  }
  const { tables, states, rulesets, solve_limit, own_limits } = known;
  if (path === "tables") return { status: 200, body: { tables, refused: [], solve_limit, own_limits } };
  // Without a server there is no address for other machines.
  if (path === "class") return { status: 200, body: { address: null } };
  /** Solves a game of the list. Other names spell their rules, or do not exist. @param {string} name */
  const solve = async (name) => name in rulesets && askWorker({ ask: "solve", table: name, ruleset: rulesets[name] });
  if (path === "diff") {
    for (const name of [query.a, query.b]) await solve(String(name));
    return askWorker({ ask: "diff", ...query });
  }
  const [, name, what] = path.split("/").map(decodeURIComponent);
  const first = what === "state" || (what === "game" && !query.moves);
  if (first && !query.policy && states[name]?.position === query.position) {
    // Solve the game while the reader looks at the first state.
    solve(name);
    return { status: 200, body: what === "game" ? { states: [states[name]] } : states[name] };
  }
  await solve(name);
  if (positions) {
    const lookUp = async (/** @type {string} */ position) => {
      const { status, body } = await askWorker({ ask: "lookup", table: name, position });
      return status === 200 ? body : { position, error: body.detail };
    };
    return { status: 200, body: await Promise.all(positions.map(lookUp)) };
  }
  return askWorker({ ask: what ?? "about", table: name, ...query });
}

/** Delay after which all files are fetched and kept, in ms. */
const KEEP_DELAY = 3000;

/** Lets the browser fetch and keep all files, for visits without a network. */
const keepFiles = () => navigator.serviceWorker.register("offline.js").catch(() => {});

// Not at once, because that would delay the first board. A page that is a single file needs no cache.
const isFolder = document.querySelector('link[rel="manifest"]') !== null;
if (isFolder && "serviceWorker" in navigator) addEventListener("load", () => setTimeout(keepFiles, KEEP_DELAY));
