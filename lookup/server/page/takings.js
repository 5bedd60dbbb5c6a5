// What each player has taken: a bundle of sticks, or a pile of stones, at the lower edge of the board. Sticks that are taken
// travel there. When the board is empty, the piles take its place, and show each move of their player.

import { html, mark, prefersNoMotion } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./texts/en.js").Who} Who */
/** The centre of something on the screen, and its height. @typedef {{x: number, y: number, height: number}} Place */

/** Maximum number of sticks of a bundle that are drawn, and of those at the end. The number beside the bundle counts all. */
const [MAX_DRAWN, MAX_DRAWN_AT_END] = [40, 120];
/** Duration of a stick's flight, and the delay from one stick to the next, in ms. */
const [DURATION, DELAY] = [400, 25];

const stonesOf = (/** @type {import("./api.js").Move | null} */ move) =>
  (move?.takes ?? []).reduce((sum, { stones }) => sum + stones, 0);

export class Takings {
  root = html("div", { class: "takings", role: "group" });
  #board;
  /** Places of the sticks that the next move to be shown takes, or of the queen that it moves. @type {Place[]} */ #places =
    [];

  /** @param {HTMLElement} board */
  constructor(board) {
    this.#board = board;
  }

  /** Remembers the places of what the game's last move takes, if the board still shows the position before it. @param {Game} game */
  remember({ plies, at }) {
    const { move } = plies[at];
    const isNext = move && this.#board.dataset.position === plies[at - 1].state.position;
    const taken = isNext && !prefersNoMotion() ? move.takes : [];
    const pieces = taken.flatMap(({ row, stones }) =>
      [...this.#board.querySelectorAll(`[data-row="${row ?? 1}"] .shaft`)].slice(-stones),
    );
    const queen = taken.length > 0 ? this.#queen : null;
    this.#places = (queen ? [queen] : pieces).map(placeOf);
  }

  /** The queen on a chessboard; null on other boards. */
  get #queen() {
    return this.#board.querySelector(".figure.queen");
  }

  /** Shows what the players have taken, when the board shows the position after the last move. @param {Game} game */
  show(game) {
    const { plies, at, state } = game;
    const { by, move } = plies[at];
    const moves = plies.slice(1, at + 1);
    const isWon = state.over && moves.length > 0;
    const isEmpty = isWon && !state.pile?.stones && !state.heaps?.some((heap) => heap > 0);
    const bundles = [1, 2].map((number) => {
      const player = /** @type {1 | 2} */ (number);
      const taken = moves.filter((ply) => ply.by === player).map((ply) => stonesOf(ply.move));
      const last = by === player ? stonesOf(move) : 0;
      const groups = isEmpty ? newest(taken, MAX_DRAWN_AT_END) : [Math.min(sum(taken), MAX_DRAWN)];
      const note = isEmpty && last > 0 ? t.board.withLast(Boolean(state.pile)) : "";
      return bundle(game.who(player), sum(taken), groups, last, isWon && game.winner() === player, note);
    });
    this.#board.classList.toggle("emptied", isEmpty);
    // The style sheet sizes the sticks of the piles by this number.
    const drawn = bundles.map((one) => one.querySelectorAll(".taken").length);
    this.root.style.setProperty("--drawn", String(Math.max(...drawn)));
    // The reader's bundle is at the left.
    if (game.who(2) === "you") bundles.reverse();
    this.root.replaceChildren(...(moves.length > 0 ? bundles : []));
    this.root.setAttribute("aria-label", t.board.taken);
    this.root.classList.toggle("round", Boolean(state.pile));
    const arriving = this.#queen ? [this.#queen] : [...this.root.querySelectorAll(".last")];
    const places = this.#places.slice(-arriving.length);
    this.#places = [];
    // Measure only when the whole page has changed, so that the browser computes its layout once.
    requestAnimationFrame(() =>
      arriving.slice(0, places.length).forEach((stick, n) => arrive(stick, places[n], n * DELAY)),
    );
  }
}

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0);

/** Returns how many sticks of each move to draw: those of the newest moves, up to a limit. @param {number[]} taken @param {number} limit */
function newest(taken, limit) {
  let room = limit;
  const drawn = taken.toReversed().map((stones) => {
    const shown = Math.min(stones, room);
    room -= shown;
    return shown;
  });
  return drawn.toReversed().filter((stones) => stones > 0);
}

/**
 * Draws what a player has taken.
 * @param {Who} who
 * @param {number} all how many sticks
 * @param {number[]} groups how many are drawn, in groups
 * @param {number} last how many of them the last move took
 * @param {boolean} won whether the player has won
 * @param {string} note
 */
function bundle(who, all, groups, last, won, note) {
  const older = sum(groups) - last;
  let drawn = 0;
  const stick = () => html("i", { class: drawn++ < older ? "taken" : "taken last" });
  return html(
    "p",
    {},
    html("span", { class: "taker" }, won ? mark("win") : null, t.board.taker(who), html("b", {}, t.number(all))),
    html(
      "span",
      { class: "bundle", "aria-hidden": "true" },
      ...groups.map((size) => html("span", { class: "one-move" }, ...Array.from({ length: size }, stick))),
    ),
    note ? html("span", { class: "aside" }, ` ${note}`) : null,
  );
}

/** @returns {Place} */
function placeOf(/** @type {Element} */ element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, height };
}

/** Lets a stick arrive from its place on the board. @param {Element} stick @param {Place} from @param {number} delay */
function arrive(stick, from, delay) {
  const to = placeOf(stick);
  const way = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.height / to.height})`;
  stick.animate([{ transform: way }, { transform: "none" }], {
    duration: DURATION,
    delay,
    easing: "cubic-bezier(0.3, 0, 0.2, 1)",
    fill: "backwards",
  });
}
