// A game in short, as addresses and files have it: enough to restore it.

/** @typedef {import("./players.js").Opponent} Opponent */
/** @typedef {import("./players.js").Player} Player */
/** What a teacher asks: the goal, and whether the page may show answers. @typedef {{goal: "win-1" | "win-3" | "win-5" | "find", hints: boolean}} Assignment */
/**
 * A game in short: enough to restore it.
 * @typedef {object} SavedGame
 * @property {string} table
 * @property {string} start the position it began with
 * @property {string[]} moves
 * @property {string[][]} [variations]
 * @property {number} at
 * @property {Opponent} opponent
 * @property {Player} side
 * @property {Player} first
 * @property {boolean} [chosen] whether the reader has chosen the side
 * @property {Assignment} [assignment]
 */

/** The goals of assignments: so many games won, or the winning move of the first position. */
export const GOALS = /** @type {const} */ (["win-1", "win-3", "win-5", "find"]);

/**
 * Returns a saved game that is at its start.
 * @param {string} table @param {string} start @param {string[]} moves @param {Opponent} opponent @param {Player} side
 * @returns {SavedGame}
 */
export const newSavedGame = (table, start, moves, opponent, side = 1) => ({
  table,
  start,
  moves,
  at: 0,
  opponent,
  side,
  first: 1,
});
