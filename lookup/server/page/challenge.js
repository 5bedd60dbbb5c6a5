// *Challenge*: won positions of the game at hand, of which a winning move is to be found; how many in a row.

import * as api from "./api.js";
import { html } from "./dom.js";
import { keep, kept } from "./kept.js";
import { t } from "./language.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

/** So many positions are tried at random before any won one will do. */
const TRIES = 12;

let streak = 0;
/** The start of the challenge that is on the board, and whether it was answered. @type {{position: string, answered: boolean} | null} */
let task = null;

const any = (/** @type {number} */ least, /** @type {number} */ most) =>
  least + Math.floor(Math.random() * (most - least + 1));

/** A position at random: not much more than what people can see through. */
function random(/** @type {Table} */ table) {
  const { rules } = table;
  if (table.game === "expanding") return String(any(5, Math.min(40, rules.stones)));
  const heaps = rules.bounds.slice(0, 4).map((/** @type {number} */ bound) => any(0, Math.min(9, bound)));
  return heaps.join(",");
}

/** A won position, rather one in which most moves lose. @returns {Promise<import("./api.js").State | null>} */
async function wonPosition(/** @type {Table} */ table) {
  let found = null;
  for (let tries = 0; tries < TRIES; tries++) {
    const state = await api.state(table.name, random(table));
    if (state.outcome !== "win" || state.over) continue;
    found = state;
    if (state.moves.length > 2 && state.winning.length * 3 <= state.moves.length) break;
  }
  return found;
}

/** Whether a position that somebody gives is a challenge: then the answer is judged when it is made. */
export function judged(/** @type {Game} */ game) {
  if (!task || task.answered || game.at !== 1 || game.plies[0].state.position !== task.position) return;
  task.answered = true;
  const right = game.plies[1].state.outcome === "loss";
  streak = right ? streak + 1 : 0;
  if (streak > Number(kept("streak") ?? 0)) keep("streak", String(streak));
}

/** @param {Game} game @param {(error: unknown, again: () => void) => void} failed */
export function drawChallenge(game, failed) {
  const { table, plies } = game;
  const here = task !== null && plies[0].state.position === task.position;
  const next = async () => {
    try {
      const found = table && (await wonPosition(table));
      if (!table || !found) return;
      task = { position: found.position, answered: false };
      await game.resume(table, {
        table: table.name,
        start: found.position,
        moves: [],
        at: 0,
        opponent: "friend",
        side: 1,
        first: 1,
      });
    } catch (error) {
      failed(error, next);
    }
  };
  const said = () => {
    if (!here) return t.challenge.about;
    if (!task?.answered || plies.length < 2) return t.challenge.task;
    if (plies[1].state.outcome === "loss") return t.challenge.right(streak);
    const best = plies[0].state.moves.find((move) => move.move === plies[0].state.best);
    return best ? t.challenge.wrong(t.take(best.takes, best.reset)) : t.challenge.task;
  };
  const longest = Number(kept("streak") ?? 0);
  return html(
    "div",
    {},
    html("p", { class: "big" }, said()),
    longest > 0 ? html("p", { class: "aside" }, t.challenge.best(longest)) : null,
    html(
      "p",
      {},
      html("button", { type: "button", class: "primary", onclick: next }, here ? t.challenge.next : t.challenge.begin),
    ),
  );
}
