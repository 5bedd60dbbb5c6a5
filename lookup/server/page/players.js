// The players of a game: the reader, and who plays against the reader.

/** @typedef {1 | 2} Player */
/**
 * Who plays against the reader: the table at one of three levels, or a friend; `nobody`: the table plays both sides; `elsewhere`: the
 * table plays the reader's side, and the reader makes the moves of an opponent who plays elsewhere.
 * @typedef {"perfect" | "medium" | "easy" | "friend" | "nobody" | "elsewhere"} Opponent
 */
/** Who plays, and which player the reader is. @typedef {{opponent: Opponent, side: Player}} Seats */

/** Pauses before the computer moves, in ms, so that people see the board between two moves; advice is not delayed. @type {Partial<Record<Opponent, number>>} */
export const PAUSES = { perfect: 500, medium: 500, easy: 500, nobody: 700 };
/** Probability that the computer makes a random legal move instead of the best. @type {Record<Opponent, number>} */
const ERROR_RATES = { perfect: 0, medium: 0.2, easy: 0.5, friend: 0, nobody: 0, elsewhere: 0 };
export const OPPONENTS = /** @type {Opponent[]} */ (Object.keys(ERROR_RATES));

/** Returns the other player. @param {Player} player @returns {Player} */
export const otherPlayer = (player) => (player === 1 ? 2 : 1);

/** Returns the computer's move: the best, or a random one if it errs. @param {Opponent} opponent @param {import("./api.js").State} state */
export function chooseMove(opponent, { moves, best }) {
  if (Math.random() < ERROR_RATES[opponent]) return moves[Math.floor(Math.random() * moves.length)];
  return moves.find((move) => move.move === best) ?? moves[0];
}
