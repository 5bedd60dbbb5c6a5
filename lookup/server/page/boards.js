// The boards of the page, one for each kind of game. The page shows the board of the current game.

import { HeapBoard } from "./board-heaps.js";
import { MatchBoard } from "./board-match.js";
import { PileBoard } from "./board-pile.js";
import { byId, html } from "./dom.js";
import { loadQueenBoard } from "./on-demand.js";
import { isQueenGame } from "./queen-game.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

/** Makes the root of a board. @param {string} name its class */
const group = (name) => html("div", { class: name, role: "group" });

export class Boards {
  #game;
  #changed;
  #take;
  /** The boards made so far; `queen` only after `load`. @type {{heaps?: HeapBoard, expanding?: PileBoard, match?: MatchBoard, queen?: HeapBoard}} */
  #made = {};

  /** @param {Game} game @param {() => void} changed called when the choice changes @param {() => void} take called when Enter makes the move */
  constructor(game, changed, take) {
    this.#game = game;
    this.#changed = changed;
    this.#take = take;
  }

  get heaps() {
    return (this.#made.heaps ??= new HeapBoard(group("heaps"), this.#changed, this.#take));
  }

  get expanding() {
    return (this.#made.expanding ??= new PileBoard(group("stones"), this.#changed, this.#take, byId("reset")));
  }

  get match() {
    return (this.#made.match ??= new MatchBoard(group("pad"), this.#changed, this.#take, byId("reset"), this.#game));
  }

  /** Loads the board of a game, before a game of this table begins. */
  async load(/** @type {Table} */ table) {
    if (this.#made.queen || !isQueenGame(table)) return;
    const { QueenBoard } = await loadQueenBoard();
    this.#made.queen ??= new QueenBoard(group("heaps"), this.#changed, this.#take);
  }

  /** Whether the board is that of a match played elsewhere. */
  get isMatch() {
    const { table, opponent } = this.#game;
    return table?.game === "expanding" && opponent === "elsewhere";
  }

  /** The board of the game. */
  get shown() {
    const { table } = this.#game;
    if (this.isMatch) return this.match;
    return (table && isQueenGame(table) && this.#made.queen) || this[table?.game ?? "heaps"];
  }
}
