// *Challenge*: won positions of the game at hand, of which a winning move is to be found; how many in a row.

import * as api from "./api.js";
import { html } from "./dom.js";
import { alone } from "./game.js";
import { keep, kept } from "./kept.js";
import { t } from "./language.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

/** So many positions are tried at random before any won one will do. */
const TRIES = 12;

let streak = 0;
/** The challenge that is on the board, and what was said of the answer. @type {{table: string, position: string, said: string} | null} */
let task = null;

const any = (/** @type {number} */ least, /** @type {number} */ most) =>
  least + Math.floor(Math.random() * (most - least + 1));

/** A position at random: not much more than what people can see through. */
function random(/** @type {Table} */ table) {
  const { rules } = table;
  if (table.game === "expanding") return String(any(Math.min(5, rules.stones), Math.min(40, rules.stones)));
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

/** Whether a game is the challenge, and not another one from the same position. @param {Game} game */
const isTask = ({ table, plies, opponent }) =>
  task !== null && opponent === "friend" && table?.name === task.table && plies[0].state.position === task.position;

/** Judges the answer to a challenge when it is given, and says what is to be heard then. */
export function judged(/** @type {Game} */ game) {
  if (!task || task.said || game.at !== 1 || !isTask(game)) return "";
  const [asked, answered] = game.plies;
  const right = answered.state.outcome === "loss";
  streak = right ? streak + 1 : 0;
  if (streak > Number(kept("streak") ?? 0)) keep("streak", String(streak));
  const best = asked.state.moves.find(({ move }) => move === asked.state.best);
  task.said = right ? t.challenge.right(streak) : t.challenge.wrong(best ? t.take(best.takes, best.reset) : "");
  return task.said;
}

export function drawChallenge(/** @type {Game} */ game) {
  const { table } = game;
  const here = isTask(game);
  const next = async () => {
    if (!table) return;
    const find = async () => {
      const found = await wonPosition(table);
      if (!found) throw new api.ApiError(404, t.challenge.none);
      task = { table: table.name, position: found.position, said: "" };
      return { table, told: alone(table.name, found.position, [], "friend") };
    };
    await game.resume(find, { once: true });
  };
  const longest = Number(kept("streak") ?? 0);
  return html(
    "div",
    {},
    html("p", { class: "big" }, here ? task?.said || t.challenge.task : t.challenge.about),
    longest > 0 ? html("p", { class: "aside" }, t.challenge.best(longest)) : null,
    html(
      "p",
      {},
      html("button", { type: "button", class: "primary", onclick: next }, here ? t.challenge.next : t.challenge.begin),
    ),
  );
}
