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
  /** The board of Wythoff's game; null before it is loaded. @type {HeapBoard | null} */ #queen = null;

  /** @param {Game} game @param {() => void} changed called when the choice changes @param {() => void} take called when Enter makes the move */
  constructor(game, changed, take) {
    this.#game = game;
    this.#changed = changed;
    this.#take = take;
    this.heaps = new HeapBoard(group("heaps"), changed, take);
    this.expanding = new PileBoard(group("stones"), changed, take, byId("reset"));
    this.match = new MatchBoard(group("pad"), changed, take, byId("reset"), game);
  }

  /** Loads the board of a game, before a game of this table begins. */
  async load(/** @type {Table} */ table) {
    if (this.#queen || !isQueenGame(table)) return;
    const { QueenBoard } = await loadQueenBoard();
    this.#queen ??= new QueenBoard(group("heaps"), this.#changed, this.#take);
  }

  /** The board of the game. */
  get shown() {
    const { table, opponent } = this.#game;
    if (table?.game === "expanding" && opponent === "elsewhere") return this.match;
    return (table && isQueenGame(table) && this.#queen) || this[table?.game ?? "heaps"];
  }
}
