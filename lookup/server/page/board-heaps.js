// The board of heap games: a row of sticks for each heap.

import { Board } from "./board.js";
import { html } from "./dom.js";
import { t } from "./language.js";
import { parseMove } from "./notation.js";
import { StickRow } from "./sticks.js";

/** @typedef {import("./api.js").State} State */

export class HeapBoard extends Board {
  /**
   * Puts a position on the board.
   * @param {State} state
   * @param {State} start the first state of the game; its sticks leave traces when they are taken
   * @param {boolean} enabled whether a move can be chosen
   * @param {import("./api.js").Move[]} moves the last moves, which are marked
   */
  show(state, start, enabled, moves) {
    this.enabled = enabled;
    this.takesFromSeveral = state.moves.some((move) => move.move.includes("+"));
    const heaps = state.heaps ?? [];
    const last = rowsOf(moves);
    const most = Math.max(0, ...heaps, ...(start.heaps ?? []));
    const rows = heaps.map((heap, n) =>
      this.makeRow(n + 1, heap, most, last.get(n + 1) ?? 0, Math.max(heap, start.heaps?.[n] ?? 0)),
    );
    // Omit rows that were empty from the start: a table for five heaps has games with two, too.
    const shown = rows.filter((row) => row.options.places > 0);
    const passes = start.passes ? html("p", { class: "aside" }, t.play.passesLeft(state.passes ?? 0)) : null;
    this.showRows(shown, passes);
  }

  /**
   * Makes the row of a heap.
   * @param {number} row its number, counted from 1
   * @param {number} heap
   * @param {number} most the greatest number of sticks of a row
   * @param {number} [last] how many sticks the last moves took from it
   * @param {number} [places] how many sticks and traces it has
   */
  makeRow(row, heap, most, last = 0, places = heap) {
    return new StickRow({
      row,
      name: t.board.row(row),
      inside: t.board.aRow(row),
      pile: false,
      last,
      heap,
      reach: heap,
      places,
      most,
      choose: (row, taken) => this.choose(row, taken),
    });
  }

  /** The chosen move in notation, or "". */
  get move() {
    return this.chosen.map(([row, taken]) => `${row}:${taken}`).join("+");
  }

  /** Chooses a move given in notation. */
  pick(/** @type {string} */ move) {
    this.chooseAll(parseMove(move).takes.map(({ row, stones }) => [row ?? 0, stones]));
  }

  /**
   * Marks each stick with the outcome of the move that the stick chooses. Returns the moves that are not marked on the board.
   * @param {import("./api.js").Move[]} moves empty to remove the marks
   */
  hint(moves) {
    const byName = new Map(this.takesFromSeveral ? [] : moves.map((move) => [move.move, move]));
    for (const row of this.rows) {
      const badges = row.style !== "small" && row.buttons.length > 0;
      row.hint((taken) => [byName.get(`${row.row}:${taken}`)].filter((move) => move !== undefined), badges);
      if (badges) for (let taken = 1; taken <= row.reach; taken++) byName.delete(`${row.row}:${taken}`);
    }
    return this.takesFromSeveral ? moves : moves.filter((move) => byName.has(move.move));
  }
}

/** Returns the number of sticks that the moves took from each row. @param {import("./api.js").Move[]} moves */
function rowsOf(moves) {
  /** @type {Map<number, number>} */ const taken = new Map();
  for (const { row, stones } of moves.flatMap((move) => move.takes))
    if (row !== null) taken.set(row, (taken.get(row) ?? 0) + stones);
  return taken;
}
