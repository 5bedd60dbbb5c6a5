// The common part of all boards: rows of sticks or of other things to choose, the reader's choice, and the keys for it.

import { html } from "./dom.js";
import { t } from "./language.js";
import { keepLinesEqual } from "./lines.js";

/** @typedef {import("./sticks.js").StickRow} StickRow */
/**
 * What can be chosen from on a board, such as a row of sticks.
 * @typedef {object} Row
 * @property {number} row its number, counted from 1
 * @property {number} reach how many a move may take
 * @property {number} taken how many are chosen
 * @property {HTMLButtonElement[]} buttons
 * @property {HTMLElement} element
 * @property {{most: number}} options
 * @property {(taken: number) => HTMLElement | undefined} target returns the element that gets the focus when this many are chosen
 * @property {(taken: number, enabled: boolean) => void} paint shows how many are chosen
 */

/** @template {Row} [R=StickRow] */
export class Board {
  /** The rows from which sticks can be chosen. @type {R[]} */ rows = [];
  /** Whether a move may take from several rows. */
  takesFromSeveral = false;
  enabled = false;
  /** Whether the board is a pile, and not rows of sticks. */
  pile = false;
  /** The row that the arrow keys act on. */
  #active = 0;

  /**
   * @param {HTMLElement} root
   * @param {() => void} changed called when the choice changes
   * @param {() => void} take called when Enter makes the move
   */
  constructor(root, changed, take) {
    this.root = root;
    this.changed = changed;
    this.take = take;
    // Lets the board itself keep the focus when no stick is left.
    root.tabIndex = -1;
    root.addEventListener("keydown", (event) => this.#onKey(event));
    root.addEventListener("focusin", (event) => this.#followFocus(event.target));
  }

  /**
   * Shows the rows of a new position, and restores the focus.
   * @param {R[]} all the rows, with empty ones
   * @param {(Node | null)[]} before nodes to show above the rows
   */
  showRows(all, ...before) {
    const focused = document.activeElement !== this.root && this.root.contains(document.activeElement);
    this.root.setAttribute("aria-label", this.label);
    const was = this.rows[this.#active]?.row;
    this.rows = all.filter((row) => row.reach > 0);
    this.#active = Math.max(
      0,
      this.rows.findIndex((row) => row.row >= (was ?? 0)),
    );
    const rows = html("div", { class: "rows" }, ...all.map((row) => row.element));
    // The style sheet sizes the sticks by these numbers.
    rows.style.setProperty("--rows", String(Math.max(1, all.length)));
    rows.style.setProperty("--most", String(Math.max(1, ...all.map((row) => row.options.most))));
    this.root.replaceChildren(...before.filter((node) => node !== null), rows);
    keepLinesEqual(rows);
    this.paint();
    if (focused) this.focus();
  }

  /** The name of the board. */
  get label() {
    return this.pile ? t.board.pile : t.board.heaps;
  }

  /** How to choose a move on the board; "" if the board has only number fields. */
  get how() {
    return this.rows.some((row) => row.buttons.length > 0) ? t.play.how(this.pile, this.takesFromSeveral) : "";
  }

  /** The rows from which sticks are chosen, each with their number. @returns {[number, number][]} */
  get chosen() {
    return this.rows.filter((row) => row.taken > 0).map((row) => [row.row, row.taken]);
  }

  /** Chooses this many sticks of a row. If a move takes from one row only, chooses none of the others. */
  choose(/** @type {R} */ row, /** @type {number} */ taken) {
    if (!this.enabled) return;
    this.#active = this.rows.indexOf(row);
    for (const other of this.rows) {
      if (other === row) other.paint(taken, true);
      else if (!this.takesFromSeveral) other.paint(0, true);
    }
    this.#updateTabStop();
    this.changed();
  }

  /** Chooses the sticks of a move: pairs of a row and a number of sticks. */
  chooseAll(/** @type {[number, number][]} */ takes) {
    if (!this.enabled) return;
    const taken = new Map(takes);
    for (const row of this.rows) row.paint(taken.get(row.row) ?? 0, true);
    this.#active = Math.max(
      0,
      this.rows.findIndex((row) => taken.has(row.row)),
    );
    this.#updateTabStop();
    this.changed();
  }

  /** Shows the choice in all rows. */
  paint() {
    for (const row of this.rows) row.paint(this.enabled ? row.taken : 0, this.enabled);
    this.#updateTabStop();
  }

  /** The board is one stop of the Tab key: the stick that the arrow keys act on. */
  #updateTabStop() {
    const row = this.rows[this.#active];
    for (const other of this.rows) for (const button of other.buttons) button.tabIndex = -1;
    const target = row?.target(row.taken);
    if (target instanceof HTMLButtonElement) target.tabIndex = 0;
  }

  #followFocus(/** @type {EventTarget | null} */ target) {
    const at = this.rows.findIndex((row) => target instanceof Node && row.element.contains(target));
    if (at >= 0) this.#active = at;
  }

  /** Moves the focus to the stick that the arrow keys act on or, if none is left, to the board itself. */
  focus() {
    const row = this.rows[this.#active];
    (row?.target(row.taken) ?? this.root).focus();
  }

  /** Chooses with a key: left one stick more, as sticks are taken from the right end; right one fewer; up and down another row. */
  arrow(/** @type {string} */ key) {
    const row = this.rows[this.#active];
    if (!row) return;
    const step = { ArrowLeft: 1, ArrowRight: -1, Home: Infinity, End: -Infinity }[key];
    if (step !== undefined) {
      const least = key === "End" ? 1 : 0;
      this.choose(row, Math.max(least, Math.min(row.reach, row.taken + step)));
    } else {
      const next = this.rows[this.#active + (key === "ArrowDown" ? 1 : -1)];
      if (!next) return;
      this.#active = this.rows.indexOf(next);
      // If a move may take from several rows, the choice in the previous row stays.
      if (!this.takesFromSeveral && row.taken > 0) this.choose(next, Math.min(row.taken, next.reach));
    }
    this.#updateTabStop();
    this.focus();
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    const target = /** @type {HTMLElement} */ (event.target);
    // After a move with a mouse or a finger, the board itself has the focus. The page then handles the keys.
    if (target === this.root || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLInputElement) {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.take();
    } else if (event.key === "Enter" && target.matches(".stick, .square, .key") && this.chosen.length > 0) {
      // Enter would click the stick or square, and undo the choice: make the move instead.
      event.preventDefault();
      this.take();
    } else if (ARROWS.has(event.key)) {
      event.preventDefault();
      this.arrow(event.key);
    }
  }
}

/** The keys that choose sticks on the board. */
const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);
