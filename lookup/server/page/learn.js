// *Learn*: ten steps in three chapters, from equal rows to a game without a formula. In each step the reader guesses the
// winner, and then plays.

import { bit, nimSum, digitPlaces } from "./binary.js";
import { html, scrollingTable } from "./dom.js";
import { pileMiniature, queenMiniature, stickMiniature } from "./gallery.js";
import { storeChoice, loadChoice } from "./storage.js";
import { t } from "./language.js";
import { explainTerms } from "./terms.js";

/** @typedef {import("./game.js").Game} Game */
/**
 * A step: the position of which the reader says who wins (`guess`, won if `wins`), and the position to play (`play`).
 * @typedef {{key: keyof typeof t.learn.steps, table: string, guess: number[], wins?: boolean, play: string, binary?: boolean}} Step
 */

/** The chapters, each with its steps. @type {Step[][]} */
const CHAPTERS = [
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
const STEPS = CHAPTERS.flat();

/** Returns the picture of a step's position, and its words. @param {Step} step @returns {[Node, string]} */
function picture({ table, guess }) {
  const [first, second] = guess;
  if (table === "wythoff") return [queenMiniature(first, second), t.board.queen(guess.join(", "))];
  // The limit of a new pile.
  if (table === "expanding")
    return [pileMiniature(first, 3), t.position({ pile: { stones: first, limit: 3, resets: [], imposed: false } })];
  return [stickMiniature(guess), t.position({ heaps: guess })];
}

/** Keys of the steps that the reader has mastered, on this visit or an earlier one. */
const mastered = new Set((loadChoice("learnt") ?? "").split(",").filter(Boolean));
/** The first step that is not mastered, or the last one. */
let stepIndex = [...STEPS.keys()].find((n) => !mastered.has(STEPS[n].key)) ?? STEPS.length - 1;
/** The reader's guess whether the step's position is won; null before the guess. @type {boolean | null} */ let guessed =
  null;

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

/**
 * Returns the current step.
 * @param {(table: string, position: string) => void} play begins the game of a step
 * @param {(said: string) => void} redraw draws the step again, and announces a sentence
 */
export function drawLearn(play, redraw) {
  const step = STEPS[stepIndex];
  const { title, text, because, task } = t.learn.steps[step.key];
  const isLast = stepIndex === STEPS.length - 1;
  const isAll = mastered.size === STEPS.length;
  const goTo = (/** @type {number} */ to) => () => {
    stepIndex = to;
    guessed = null;
    redraw(t.learn.step(to + 1, t.learn.steps[STEPS[to].key].title, false));
  };
  const stepButton = (/** @type {Step} */ { key }, /** @type {number} */ n) =>
    html(
      "li",
      {},
      html(
        "button",
        {
          type: "button",
          class: mastered.has(key) ? "step-of done" : "step-of",
          "aria-current": n === stepIndex ? "step" : null,
          "aria-label": t.learn.step(n + 1, t.learn.steps[key].title, mastered.has(key)),
          onclick: goTo(n),
        },
        mastered.has(key) ? "✓" : String(n + 1),
      ),
    );
  const path = CHAPTERS.map((steps, n) =>
    html(
      "li",
      {},
      t.learn.chapters[n],
      html("ol", { class: "steps" }, ...steps.map((step) => stepButton(step, STEPS.indexOf(step)))),
    ),
  );
  const guessButton = (/** @type {boolean} */ wins) =>
    html(
      "button",
      {
        type: "button",
        "aria-pressed": String(guessed === wins),
        "data-guess": wins ? "win" : "loss",
        onclick: () => {
          guessed = wins;
          redraw(`${wins === (step.wins ?? false) ? t.learn.right : t.learn.wrong} ${because}`);
        },
      },
      wins ? t.learn.first : t.learn.second,
    );
  const isRight = guessed === (step.wins ?? false);
  const answer =
    guessed === null
      ? []
      : [
          html(
            "p",
            { class: isRight ? "note right" : "note" },
            isRight ? t.learn.right : t.learn.wrong,
            " ",
            ...explainTerms(because),
          ),
          step.binary ? binaryTable(step.guess) : null,
          html("p", {}, ...explainTerms(task)),
          html(
            "p",
            {},
            html(
              "button",
              { type: "button", class: "primary", onclick: () => play(step.table, step.play) },
              t.learn.play(step.play),
            ),
          ),
          mastered.has(step.key) ? html("p", { class: "note right" }, isAll ? t.learn.allDone : t.learn.done) : null,
          mastered.has(step.key) && !isLast && !isAll
            ? html(
                "p",
                {},
                html("button", { type: "button", class: "primary", onclick: goTo(stepIndex + 1) }, t.learn.next),
              )
            : null,
        ];
  const [drawn, words] = picture(step);
  return html(
    "div",
    { class: "text" },
    html("ol", { class: "path" }, ...path),
    html("h3", {}, t.learn.step(stepIndex + 1, title, false)),
    html("p", {}, ...explainTerms(text)),
    html("div", { role: "img", class: "position", "aria-label": words }, drawn),
    html("p", {}, html("b", {}, t.learn.guess)),
    html("p", { class: "actions" }, guessButton(true), guessButton(false)),
    ...answer,
  );
}

/** Returns the heaps in binary, and below each column whether it has an odd number of ones. */
function binaryTable(/** @type {number[]} */ heaps) {
  const columns = digitPlaces(Math.max(...heaps));
  const row = (
    /** @type {string} */ name,
    /** @type {string} */ first,
    /** @type {(place: number) => string} */ cell,
  ) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, name),
      html("td", {}, first),
      ...columns.map((place) => html("td", {}, cell(place))),
    );
  return scrollingTable(
    t.learn.columns,
    [t.why.row, t.why.heap, ...columns.map((place) => String(2 ** place))],
    [
      ...heaps.map((heap, n) => row(String(n + 1), String(heap), (place) => String(bit(heap, place)))),
      row("", t.learn.parity, (place) => (bit(nimSum(heaps), place) === 1 ? `▲ ${t.learn.odd}` : t.learn.even)),
    ],
  );
}
