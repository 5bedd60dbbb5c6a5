// The boards of Expanding Nim. That of a usual game shows the pile, in front of it the stones that can be taken, the limit and the
// resets.

import { Board } from "./board.js";
import { html, svg } from "./dom.js";
import { t } from "./language.js";
import { StickRow } from "./sticks.js";

/** @typedef {import("./api.js").State} State */

/** Maximum number of stones of a pile that is drawn; the stones of a larger one would be too small to see. */
const MAX_DRAWN = 2000;
/** Least and greatest number of stones in a row of the drawing. */
const [MIN_COLUMNS, MAX_COLUMNS] = [20, 50];

/** A board with a single pile, and a box to impose a reset. @template {import("./board.js").Row} R @extends {Board<R>} */
export class OnePileBoard extends Board {
  pile = true;
  #box;

  /**
   * @param {HTMLElement} root
   * @param {() => void} changed
   * @param {() => void} take
   * @param {HTMLInputElement} box *Impose a reset*
   */
  constructor(root, changed, take, box) {
    super(root, changed, take);
    this.#box = box;
    // The two boards share the box; only the one on the page reacts.
    box.addEventListener("change", () => root.isConnected && this.updateReset());
  }

  /** Shows that the box was checked or cleared. */
  updateReset() {
    this.changed();
  }

  /** Clears the box, and lets it be checked if a move may impose a reset. @param {State} state @param {boolean} enabled whether a move can be chosen */
  clearReset(state, enabled) {
    this.#box.checked = false;
    this.#box.disabled = !enabled || !state.moves.some((move) => move.move.endsWith("r"));
  }

  /** The chosen move in notation, or "". */
  get move() {
    const [chosen] = this.chosen;
    return chosen ? `${chosen[1]}${this.reset ? "r" : ""}` : "";
  }

  /** Whether the chosen move imposes a reset. */
  get reset() {
    return this.#box.checked && !this.#box.disabled;
  }

  /** Chooses a move given in notation. */
  pick(/** @type {string} */ move) {
    this.#box.checked = move.endsWith("r");
    this.chooseAll([[1, Number.parseInt(move, 10)]]);
  }
}

/** @extends {OnePileBoard<StickRow>} */
export class PileBoard extends OnePileBoard {
  /** @type {import("./api.js").Move[]} the hints shown last */ #hinted = [];

  updateReset() {
    this.hint(this.#hinted);
    this.changed();
  }

  /**
   * Puts a position on the board.
   * @param {State} state
   * @param {State} start the first state of the game
   * @param {boolean} enabled whether a move can be chosen
   * @param {import("./api.js").Move[]} moves the last moves, which are marked
   * @param {(player: 1 | 2) => import("./texts/en.js").Who} who what texts call a player
   */
  show(state, start, enabled, moves, who) {
    this.enabled = enabled;
    const { pile } = state;
    if (!pile) return;
    const reach = Math.min(pile.limit, pile.stones);
    this.clearReset(state, enabled);
    const row = new StickRow({
      row: 1,
      name: t.board.thePile,
      inside: t.board.aPile,
      pile: true,
      last: 0,
      heap: pile.stones,
      reach,
      places: reach,
      most: reach,
      choose: (row, taken) => this.choose(row, taken),
    });
    const had = start.pile?.resets ?? pile.resets;
    const tokens = [1, 2].map((player, n) =>
      resets(who(/** @type {1 | 2} */ (player)), pile.resets[n], Math.max(had[n], pile.resets[n])),
    );
    const facts = html(
      "dl",
      { class: "facts" },
      fact(t.board.left, t.number(pile.stones)),
      fact(t.board.limit, String(pile.limit), pile.imposed && !state.over ? t.board.bound : ""),
      fact(t.board.most, String(pile.currentmax)),
      ...tokens,
    );
    const taken = moves.flatMap((move) => move.takes).reduce((sum, { stones }) => sum + stones, 0);
    const gone = Math.max(0, (start.pile?.stones ?? pile.stones) - pile.stones);
    this.showRows([row], facts, drawPile(pile.stones - reach, gone, Math.min(taken, gone)));
  }

  /** Chooses a move given in notation, and marks the stones as the box is checked now. */
  pick(/** @type {string} */ move) {
    super.pick(move);
    this.hint(this.#hinted);
  }

  /** Marks each stone with the outcomes of the moves that the stone chooses. Returns the moves that are not marked on the board. */
  hint(/** @type {import("./api.js").Move[]} */ moves) {
    this.#hinted = moves;
    const [row] = this.rows;
    if (!row) return moves;
    const badges = row.style !== "small" && row.buttons.length > 0;
    const byTake = movesByTake(moves);
    // If there is room for one colour only, show that of the move with a reset if *Impose a reset* is checked, or
    // without.
    const first = !badges && this.reset;
    const order = (/** @type {import("./api.js").Move} */ move) => Number(move.move.endsWith("r") !== first);
    row.hint((taken) => [...(byTake.get(taken) ?? [])].sort((a, b) => order(a) - order(b)), badges);
    return badges ? [] : moves;
  }
}

/** Returns the moves by the stones they take: one or two, without and with a reset. @param {import("./api.js").Move[]} moves */
function movesByTake(moves) {
  const by = new Map();
  for (const move of moves) {
    const taken = Number.parseInt(move.move, 10);
    by.set(taken, [...(by.get(taken) ?? []), move]);
  }
  return by;
}

/** Returns a fact beside the pile. @param {string} term @param {string} value @param {string} [note] */
function fact(term, value, note = "") {
  return html(
    "div",
    { class: "fact" },
    html("dt", {}, term),
    html("dd", {}, value, note ? html("small", {}, note) : null),
  );
}

/** Returns the resets of a player as tokens: full for resets left, empty for used ones. */
function resets(/** @type {import("./texts/en.js").Who} */ who, /** @type {number} */ left, /** @type {number} */ had) {
  const tokens = Array.from({ length: had }, (_, n) => html("span", { class: n < left ? "token" : "token used" }));
  const picture = html(
    "span",
    { class: "tokens", role: "img", "aria-label": t.board.resetsLeft(left, had) },
    ...tokens,
  );
  return html(
    "div",
    { class: "fact" },
    html("dt", {}, t.board.resets(who)),
    html("dd", {}, had === 0 ? t.board.none : picture),
  );
}

/**
 * Draws the stones behind those that can be taken, from the lowest row up and, pale, those that were taken. The pile gets lower
 * with each move.
 * @param {number} out stones out of reach @param {number} gone stones taken since the start
 * @param {number} taken how many of them the last moves took, which are marked
 */
function drawPile(out, gone, taken) {
  const words = t.board.outOfReach(out);
  const all = out + gone;
  if (all > MAX_DRAWN) return html("p", { class: "aside" }, words);
  const columns = Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, Math.ceil(Math.sqrt(6 * all))));
  const rows = Math.ceil(all / columns);
  /** Returns the path of the stones `from` to `to - 1`. */
  const dots = (/** @type {number} */ from, /** @type {number} */ to) => {
    let path = "";
    for (let n = from; n < to; n++) {
      const row = Math.floor(n / columns);
      const inRow = Math.min(columns, all - row * columns);
      const x = (columns - inRow) * 5 + (n % columns) * 10;
      path += `M${x + 1.5} ${(rows - row) * 10 - 5}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0`;
    }
    return path;
  };
  const drawing = svg(
    "svg",
    {
      class: "pile",
      viewBox: `0 0 ${columns * 10} ${rows * 10}`,
      role: "img",
      "aria-label": words,
    },
    svg("path", { class: "gone", d: dots(out + taken, all) }),
    svg("path", { class: "gone last", d: dots(out, out + taken) }),
    svg("path", { class: "there", d: dots(0, out) }),
  );
  // The style sheet sizes the stones by this number.
  drawing.style.setProperty("--columns", String(columns));
  return drawing;
}
