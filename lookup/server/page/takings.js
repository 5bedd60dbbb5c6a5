// What each player has taken: a bundle of sticks, or a pile of stones, at the lower edge of the board. Sticks that are taken
// travel there.

import { html, mark, prefersNoMotion } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./texts/en.js").Who} Who */
/** The centre of something on the screen, and its height. @typedef {{x: number, y: number, height: number}} Place */

/** Maximum number of sticks of a bundle that are drawn. The number beside the bundle counts all. */
const MAX_DRAWN = 40;
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
    const bundles = [1, 2].map((number) => {
      const player = /** @type {1 | 2} */ (number);
      const all = moves.reduce((sum, ply) => sum + (ply.by === player ? stonesOf(ply.move) : 0), 0);
      const last = by === player ? stonesOf(move) : 0;
      return bundle(game.who(player), all, last, isWon && game.winner() === player);
    });
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

/** Draws what a player has taken. @param {Who} who @param {number} all @param {number} last how many of them by the last move @param {boolean} won whether the player has won */
function bundle(who, all, last, won) {
  const drawn = Math.min(all, MAX_DRAWN);
  return html(
    "p",
    {},
    html("span", { class: "taker" }, won ? mark("win") : null, t.board.taker(who), html("b", {}, t.number(all))),
    html(
      "span",
      { class: "bundle", "aria-hidden": "true" },
      ...Array.from({ length: drawn }, (_, n) => html("i", { class: n < drawn - last ? "taken" : "taken last" })),
    ),
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
