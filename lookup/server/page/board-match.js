// The board of a match of Expanding Nim that is played elsewhere. It shows the advice in large letters, and has keys for what
// the opponent takes.

import { OnePileBoard } from "./board-pile.js";
import { html, mark } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").State} State */

/** If a move may take more stones, the keys are digits instead of a key for each number. */
const MAX_KEYS = 20;
/** Number of keys in a row, also in the style sheet. */
const COLUMNS = 5;

/** @extends {OnePileBoard<Keys>} */
export class MatchBoard extends OnePileBoard {
  #game;

  /**
   * @param {HTMLElement} root
   * @param {() => void} changed
   * @param {() => void} take
   * @param {HTMLInputElement} box *Impose a reset*
   * @param {Game} game
   */
  constructor(root, changed, take, box, game) {
    super(root, changed, take, box);
    this.#game = game;
  }

  /** Puts a position on the board. @param {State} state @param {State} start the first state of the game @param {boolean} enabled whether a move can be chosen */
  show(state, start, enabled) {
    this.enabled = enabled;
    const { pile } = state;
    if (!pile) return;
    const game = this.#game;
    this.clearReset(state, enabled);
    const [mine, theirs] = game.side === 1 ? pile.resets : pile.resets.toReversed();
    const facts = [
      t.position({ pile }),
      pile.imposed && !state.over ? t.board.bound : "",
      start.pile?.resets.some((had) => had > 0) ? t.match.resets(mine, theirs) : "",
    ];
    const { advice } = this;
    const winner = game.who(game.winner());
    const outcome = winner === "you" ? "win" : "loss";
    const other =
      advice && !state.over && game.who(game.mover()) !== "you"
        ? html("button", { type: "button", class: "quiet", onclick: () => game.goTo(game.at - 1) }, t.match.other)
        : null;
    const keys = new Keys(Math.min(pile.limit, pile.stones), this.label, (taken) => this.choose(keys, taken));
    this.showRows(
      [keys],
      html("p", { class: "aside" }, ...facts.filter(Boolean).map((fact) => html("span", {}, fact))),
      html(
        "div",
        { class: "advice" },
        advice ? html("p", {}, t.capital(t.take(advice.takes, advice.reset))) : null,
        html(
          "p",
          { class: `big ${outcome}` },
          mark(outcome),
          t.verdict.wins(winner, state.over ? undefined : state.depth),
        ),
        other,
      ),
      state.over ? null : html("p", { class: "ask", "aria-hidden": "true" }, this.label),
    );
  }

  /** The reader's own move: the best one now, or the one just made; null if the opponent moves first. */
  get advice() {
    const { state, plies, at, side } = this.#game;
    if (!state.over && this.#game.who(this.#game.mover()) === "you")
      return state.moves.find(({ move }) => move === state.best) ?? null;
    return plies[at].by === side ? plies[at].move : null;
  }

  get label() {
    return t.match.ask(this.#game.who(this.#game.mover()));
  }

  get how() {
    return "";
  }

  /** Returns all moves: the keys have no marks. */
  hint(/** @type {import("./api.js").Move[]} */ moves) {
    return moves;
  }

  /** Chooses with a key of the keyboard: the number beside the chosen one, or above or below it. */
  arrow(/** @type {string} */ key) {
    const [keys] = this.rows;
    if (!keys) return;
    const { taken, reach } = keys;
    const to = { Home: 1, End: reach, ArrowLeft: taken - 1, ArrowRight: taken + 1 }[key];
    const vertical = taken + (key === "ArrowUp" ? -COLUMNS : COLUMNS);
    this.choose(keys, Math.max(1, Math.min(reach, to ?? (vertical > 0 && vertical <= reach ? vertical : taken))));
    this.focus();
  }

  /** Types a digit of the number. */
  type(/** @type {number} */ digit) {
    const [keys] = this.rows;
    if (keys) this.choose(keys, keys.append(digit));
  }
}

/** The keys: one for each number or, if there are many, the digits. They take the place of a row of stones. */
class Keys {
  row = 1;
  /** The number chosen. */
  taken = 0;

  /** @param {number} reach the greatest number @param {string} label @param {(taken: number) => void} choose */
  constructor(reach, label, choose) {
    this.reach = reach;
    this.options = { most: reach };
    const key = (/** @type {string} */ text, /** @type {() => number} */ taken, name = text) =>
      html(
        "button",
        {
          type: "button",
          class: "key",
          "aria-label": name === text ? null : name,
          onclick: () => choose(taken()),
        },
        text,
      );
    const hasDigits = reach > MAX_KEYS;
    /** The key of n is at index n - 1. @type {HTMLButtonElement[]} */
    this.buttons = hasDigits
      ? []
      : Array.from({ length: reach }, (_, n) => key(String(n + 1), () => (this.taken === n + 1 ? 0 : n + 1)));
    /** @type {HTMLButtonElement[]} */
    this.digits = hasDigits
      ? [
          ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => key(String(digit), () => this.append(digit))),
          key("⌫", () => Math.floor(this.taken / 10), t.match.erase),
        ]
      : [];
    this.element = html(
      "div",
      { class: hasDigits ? "keys digits" : "keys", role: "group", "aria-label": label },
      ...this.buttons,
      ...this.digits,
    );
  }

  /** Returns the number with a further digit or, if that is too large, the digit alone. */
  append(/** @type {number} */ digit) {
    const longer = 10 * this.taken + digit;
    return longer <= this.reach ? longer : Math.min(digit, this.reach);
  }

  /** Returns the key that gets the focus when this number is chosen. */
  target(/** @type {number} */ taken) {
    return this.buttons[Math.max(1, Math.min(taken, this.reach)) - 1] ?? this.digits[0];
  }

  /** Shows the number chosen, and whether one can be. */
  paint(/** @type {number} */ taken, /** @type {boolean} */ enabled) {
    this.taken = taken;
    this.buttons.forEach((button, n) => button.setAttribute("aria-pressed", String(n + 1 === taken)));
    for (const button of [...this.buttons, ...this.digits]) button.setAttribute("aria-disabled", String(!enabled));
  }
}
