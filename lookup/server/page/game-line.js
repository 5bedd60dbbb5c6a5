// A line of a game: its positions, each with the move that led to it. The reader may play several lines from one start.

import * as api from "./api.js";
import { otherPlayer } from "./players.js";

/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./api.js").State} State */
/** @typedef {import("./api.js").Move} Move */
/** @typedef {import("./players.js").Player} Player */
/** @typedef {import("./saved-game.js").SavedGame} SavedGame */
/** A position of the game, the move that led to it, and who made that move. @typedef {{state: State, move: Move | null, by: Player | null}} Ply */

/** Maximum number of other lines that are kept. */
const MAX_VARIATIONS = 20;

/** Returns whether a line is a prefix of another. */
export const isPrefix = (/** @type {Ply[]} */ line, /** @type {Ply[]} */ of) =>
  line.length <= of.length &&
  line.every((ply, n) => ply === of[n] || (n > 0 && line[0] === of[0] && ply.move?.move === of[n].move?.move));

/** Returns the lines to keep beside a new one: those that it does not continue, and that no other line continues. @param {Ply[][]} lines @param {Ply[]} plies */
export function keepLines(lines, plies) {
  const kept = lines.filter((line) => line.length > 1 && !isPrefix(line, plies));
  return kept
    .filter(
      (line, n) =>
        !kept.some((longer, m) => m !== n && isPrefix(line, longer) && (m < n || longer.length > line.length)),
    )
    .slice(0, MAX_VARIATIONS);
}

/** Requests the plies of a line. @param {Table} table @param {SavedGame} saved @param {string[]} moves @returns {Promise<Ply[]>} */
export async function loadLine(table, saved, moves) {
  const states =
    moves.length > 0 ? await api.game(table.name, saved.start, moves) : [await api.state(table.name, saved.start)];
  const mover = (/** @type {number} */ at) =>
    states[at].player ?? (at % 2 === 0 ? saved.first : otherPlayer(saved.first));
  return states.map((state, n) => {
    if (n === 0) return { state, move: null, by: null };
    const move = states[n - 1].moves.find((move) => move.move === moves[n - 1]) ?? null;
    return { state, move, by: mover(n - 1) };
  });
}
