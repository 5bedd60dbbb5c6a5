// One row of sticks: a button for each stick within reach, and a number field if there are many.

import { html, mark, hiddenText } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./api.js").Move} Move */

/** If the longest row has more sticks, the rows have number fields, and smaller sticks. */
const MAX_LARGE = 10;
/** If the longest row has more sticks, they are drawn as small stones. */
const MAX_MIDDLE = 40;
/** If the longest row has more sticks, the rows have sliders instead of a button for each stick. */
const MAX_BUTTONS = 400;

/**
 * @typedef {object} RowOptions
 * @property {number} row its number, counted from 1
 * @property {string} name its name
 * @property {string} inside its name inside a sentence
 * @property {boolean} pile whether it holds stones, not sticks
 * @property {number} last how many sticks the last moves took from it; their traces are marked
 * @property {number} heap how many sticks it has
 * @property {number} reach how many of them, from the right, a move may take
 * @property {number} places how many sticks and traces it has: the sticks at the start of the game
 * @property {number} most the greatest number of sticks of a row, since all rows of a board are drawn alike
 * @property {(row: StickRow, taken: number) => void} choose called with how many are chosen
 */

export class StickRow {
  /** How many are chosen. */
  taken = 0;

  /** @param {RowOptions} options */
  constructor(options) {
    const { row, name, pile, last, heap, reach, places, most } = options;
    this.options = options;
    this.row = row;
    this.reach = reach;
    this.style = most > MAX_MIDDLE ? "small" : most > MAX_LARGE ? "middle" : "large";
    /** @type {HTMLButtonElement[]} the button that chooses n is at index n - 1 */
    this.buttons = most > MAX_BUTTONS ? [] : Array.from({ length: reach }, (_, n) => this.#button(n + 1));
    this.field = most > MAX_LARGE && reach > 0 ? this.#stepper() : null;
    /** @type {HTMLInputElement | null} */ this.slider = most > MAX_BUTTONS && reach > 0 ? this.#makeSlider() : null;
    const traces =
      most > MAX_BUTTONS
        ? []
        : Array.from({ length: Math.max(0, places - heap) }, (_, n) =>
            html("span", { class: n < last ? "trace last" : "trace", "aria-hidden": "true" }),
          );
    this.element = html(
      "div",
      {
        class: `row ${this.style}${last > 0 ? " last" : ""}`,
        role: "group",
        "aria-label": t.board.holds(name, heap, pile),
      },
      html(
        "div",
        { class: "row-head" },
        html("span", { class: "row-name", "aria-hidden": "true" }, name, html("b", {}, t.number(heap))),
        this.field?.element,
      ),
      html("div", { class: "sticks" }, this.slider, ...[...this.buttons].reverse(), ...traces),
    );
  }

  #button(/** @type {number} */ taken) {
    const { row, heap } = this.options;
    return html(
      "button",
      {
        type: "button",
        class: "stick",
        tabindex: -1,
        "aria-pressed": "false",
        "data-row": row,
        "data-stick": heap - taken + 1,
        onclick: () => this.options.choose(this, this.taken === taken ? 0 : taken),
      },
      hiddenText(this.#label(taken)),
      html("span", { class: "shaft" }),
    );
  }

  #label(/** @type {number} */ taken) {
    const { name, pile, heap } = this.options;
    return t.board.stick(name, pile, heap - taken + 1, heap, taken);
  }

  #stepper() {
    const { inside, reach } = this.options;
    const set = (/** @type {number} */ taken) => this.options.choose(this, Math.max(0, Math.min(reach, taken)));
    const input = html("input", {
      type: "number",
      inputmode: "numeric",
      min: 0,
      max: reach,
      step: 1,
      value: 0,
      "aria-label": t.board.howMany(inside),
      oninput: () => set(Math.trunc(Number(input.value)) || 0),
    });
    const fewer = html(
      "button",
      {
        type: "button",
        class: "step",
        "aria-label": t.board.fewer(inside),
        onclick: () => set(this.taken - 1),
      },
      "−",
    );
    const more = html(
      "button",
      {
        type: "button",
        class: "step",
        "aria-label": t.board.more(inside),
        onclick: () => set(this.taken + 1),
      },
      "+",
    );
    return { input, parts: [fewer, input, more], element: html("span", { class: "stepper" }, fewer, input, more) };
  }

  /** Returns a slider, for a row with too many sticks to draw. */
  #makeSlider() {
    const slider = html("input", {
      type: "range",
      min: 0,
      max: this.reach,
      value: 0,
      "aria-label": t.board.bar(this.options.inside),
      oninput: () => this.options.choose(this, Number(slider.value)),
    });
    return slider;
  }

  /** Returns the element that gets the focus when this many sticks are chosen. */
  target(/** @type {number} */ taken) {
    return this.buttons[Math.max(1, Math.min(taken, this.reach)) - 1] ?? this.field?.input;
  }

  /** Shows how many sticks are chosen, and whether any can be. */
  paint(/** @type {number} */ taken, /** @type {boolean} */ enabled) {
    this.taken = taken;
    this.buttons.forEach((button, n) => {
      button.setAttribute("aria-pressed", String(n < taken));
      button.setAttribute("aria-disabled", String(!enabled));
    });
    if (this.field && Number(this.field.input.value) !== taken) this.field.input.value = String(taken);
    for (const part of this.field?.parts ?? []) part.disabled = !enabled;
    if (this.slider) Object.assign(this.slider, { value: String(taken), disabled: !enabled });
  }

  /**
   * Shows on each stick the outcomes of the moves that the stick chooses.
   * @param {(taken: number) => Move[]} moves by how many they take, with and without a reset
   * @param {boolean} badges whether there is room for marks, or only for colours
   */
  hint(moves, badges) {
    this.buttons.forEach((button, n) => showOutcomes(button, moves(n + 1), badges));
  }
}

/**
 * Shows on a button the outcomes of the moves that the button chooses.
 * @param {HTMLButtonElement} button
 * @param {Move[]} moves with and without a reset; empty to remove the marks
 * @param {boolean} badges whether there is room for marks, or only for colours
 */
export function showOutcomes(button, moves, badges) {
  button.querySelectorAll(".hint, .hint-text").forEach((old) => old.remove());
  if (moves[0]) button.dataset.verdict = moves[0].outcome;
  else delete button.dataset.verdict;
  const words = (/** @type {Move} */ move) => html("span", { class: "unseen hint-text" }, `; ${spokenOutcome(move)}`);
  button.append(...moves.map(badges ? badge : words));
}

/** Returns the outcome of a move with its depth, for screen readers. */
function spokenOutcome(/** @type {Move} */ move) {
  return outcomeWords(move) + (move.depth_after === undefined ? "" : `, ${t.verdict.left(move.depth_after)}`);
}

const outcomeWords = (/** @type {Move} */ move) => t.verdict.move(move.outcome, move.reset);

/** Returns the attributes by which tests and style sheets recognise a move. */
export const moveAttributes = (/** @type {Move} */ move) => ({
  "data-move": move.move,
  "data-outcome": move.outcome,
  "data-depth": move.depth_after,
});

/** Returns the outcome of a move: a mark and the depth, and words for screen readers. @returns {Node[]} */
export function outcomeNodes(/** @type {Move} */ move) {
  const { outcome, depth_after: depth } = move;
  if (depth === undefined) return [mark(outcome), hiddenText(` ${outcomeWords(move)}`)];
  return [
    mark(outcome),
    hiddenText(` ${outcomeWords(move)}, `),
    html("span", {}, String(depth)),
    hiddenText(` ${t.verdict.leftOf(depth)}`),
  ];
}

/** Returns the mark of a move under its stick. */
function badge(/** @type {Move} */ move) {
  const reset = move.reset ? html("span", { class: "with-reset", "aria-hidden": "true" }, "r") : null;
  return html(
    "span",
    { class: `hint ${move.outcome}`, ...moveAttributes(move) },
    hiddenText("; "),
    reset,
    ...outcomeNodes(move),
  );
}
