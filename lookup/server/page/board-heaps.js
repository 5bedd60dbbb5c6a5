// The board of heap games: a row of sticks for each heap.

import { Board } from "./board.js";
import { html } from "./dom.js";
import { StickRow } from "./sticks.js";
import { count } from "./words.js";

/** @typedef {import("./api.js").State} State */

export class HeapBoard extends Board {
  pile = false;

  /**
   * @param {State} state
   * @param {State} start of the game, whose sticks leave a trace
   * @param {boolean} enabled whether a move can be chosen
   */
  show(state, start, enabled) {
    this.enabled = enabled;
    this.several = state.moves.some((move) => move.move.includes("+"));
    const heaps = state.heaps ?? [];
    const most = Math.max(0, ...heaps, ...(start.heaps ?? []));
    const rows = heaps.map(
      (heap, n) =>
        new StickRow({
          row: n + 1,
          name: `Row ${n + 1}`,
          unit: "stick",
          heap,
          reach: heap,
          places: Math.max(heap, start.heaps?.[n] ?? 0),
          most,
          choose: (row, taken) => this.choose(row, taken),
        }),
    );
    // A row that was never there is left out: a table of five heaps is asked of two as well.
    const there = rows.filter((row) => row.options.places > 0);
    const passes = start.passes
      ? html("p", { class: "aside" }, `${count(state.passes ?? 0, "pass", "passes")} left`)
      : null;
    this.lay(there, passes);
  }

  /** The move that is chosen, in notation, or "". */
  get move() {
    return this.chosen.map(([row, taken]) => `${row}:${taken}`).join("+");
  }

  /** Chooses a move given in notation. */
  pick(/** @type {string} */ move) {
    const takes = move.split("+").map((part) => /** @type {[number, number]} */ (part.split(":").map(Number)));
    this.chooseAll(takes.filter(([row, taken]) => row > 0 && taken > 0));
  }

  /**
   * Marks the sticks with what taking from there does. Returns the moves that found no room, to be listed.
   * @param {import("./api.js").Move[]} moves none to take the marks away
   */
  hint(moves) {
    const by = new Map(this.several ? [] : moves.map((move) => [move.move, move]));
    for (const row of this.rows) {
      const badges = row.style !== "small" && row.buttons.length > 0;
      row.hint((taken) => [by.get(`${row.row}:${taken}`)].filter((move) => move !== undefined), badges);
      if (badges) for (let taken = 1; taken <= row.reach; taken++) by.delete(`${row.row}:${taken}`);
    }
    return this.several ? moves : moves.filter((move) => by.has(move.move));
  }
}
