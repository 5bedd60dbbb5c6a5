// The lessons of *Learn*: ten steps in three chapters, from equal rows to a game without a formula; and those that the reader
// has mastered.

import { storeChoice, loadChoice } from "./storage.js";
import { t } from "./language.js";

/** @typedef {import("./game.js").Game} Game */
/**
 * A step: the position of which the reader says who wins (`guess`, won if `wins`), and the position to play (`play`).
 * @typedef {{key: keyof typeof t.learn.steps, table: string, guess: number[], wins?: boolean, play: string, binary?: boolean}} Step
 */

/** The chapters, each with its steps. @type {Step[][]} */
export const CHAPTERS = [
  [
    { key: "mirror", table: "nim", guess: [4, 4], play: "4,7" },
    { key: "three", table: "nim", guess: [1, 2, 3], play: "1,2,5" },
    { key: "fours", table: "own:bounds=21;take=3", guess: [8], play: "21" },
    { key: "last", table: "twenty-one", guess: [9], play: "20" },
  ],
  [
    { key: "binary", table: "nim", guess: [3, 5, 6], play: "3,5,9", binary: true },
    { key: "odd", table: "nim", guess: [3, 5, 7], wins: true, play: "4,6,7", binary: true },
    { key: "sum", table: "nim", guess: [1, 2, 4, 6], wins: true, play: "2,3,5,9", binary: true },
  ],
  [
    { key: "misere", table: "nim-misere", guess: [1, 1, 1], play: "1,1,4" },
    { key: "queen", table: "wythoff", guess: [1, 2], play: "4,6" },
    { key: "table", table: "expanding", guess: [8], play: "10" },
  ],
];
/** All steps, in order. */
export const STEPS = CHAPTERS.flat();

/** Keys of the steps that the reader has mastered, on this visit or an earlier one. */
export const mastered = new Set((loadChoice("learnt") ?? "").split(",").filter(Boolean));

/** If the reader has won the game of a step against the computer, records the step. Returns the sentence to announce, or "". */
export function recordMastery(/** @type {Game} */ game) {
  if (!game.state.over || game.opponent !== "perfect" || game.winner() !== game.side) return "";
  const start = game.plies[0].state.position;
  // The service adds empty rows, and the limit and resets of a pile.
  const step = STEPS.find(
    ({ table, play }) =>
      game.table?.name === table && start.startsWith(play) && /^([,/]|$)/.test(start.slice(play.length)),
  );
  if (!step || mastered.has(step.key)) return "";
  mastered.add(step.key);
  storeChoice("learnt", [...mastered].join(","));
  return mastered.size < STEPS.length ? t.learn.done : t.learn.allDone;
}
