// The boards of the page, one for each kind of game. The page shows the board of the current game.

import { HeapBoard } from "./board-heaps.js";
import { MatchBoard } from "./board-match.js";
import { PileBoard } from "./board-pile.js";
import { isQueenGame, QueenBoard } from "./board-queen.js";
import { byId, html } from "./dom.js";

/** @typedef {import("./game.js").Game} Game */

export class Boards {
  #game;

  /** @param {Game} game @param {() => void} changed called when the choice changes @param {() => void} take called when Enter makes the move */
  constructor(game, changed, take) {
    const group = (/** @type {string} */ name) => html("div", { class: name, role: "group" });
    this.#game = game;
    this.heaps = new HeapBoard(group("heaps"), changed, take);
    this.queen = new QueenBoard(group("heaps"), changed, take);
    this.expanding = new PileBoard(group("stones"), changed, take, byId("reset"));
    this.match = new MatchBoard(group("pad"), changed, take, byId("reset"), game);
  }

  /** The board of the game. */
  get shown() {
    const { table, opponent } = this.#game;
    if (table?.game === "expanding" && opponent === "elsewhere") return this.match;
    return table && isQueenGame(table) ? this.queen : this[table?.game ?? "heaps"];
  }
}
