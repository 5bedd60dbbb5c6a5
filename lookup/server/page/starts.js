// The ways to begin a game: from its suggested position, from the gallery, in a lesson, and by own rules.

import { byId } from "./dom.js";
import { OPPONENTS } from "./players.js";
import { beginScroll } from "./reveal.js";
import { newSavedGame } from "./saved-game.js";
import { loadChoice } from "./storage.js";

/** @typedef {import("./api.js").Table} Table */

export class Starts {
  #game;
  #tables;

  /** @param {import("./game.js").Game} game @param {import("./tables.js").Tables} tables */
  constructor(game, tables) {
    this.#game = game;
    this.#tables = tables;
  }

  /** Begins a game from the suggested position. A reader who has chosen no side gets the one that can win. */
  suggested(/** @type {Table} */ table) {
    return this.#game.begin(table, table.suggested, { fair: true });
  }

  /** Begins a game of the gallery, against the opponent that the reader chose last; at first, against one that makes mistakes. */
  chosen(/** @type {Table} */ table) {
    const opponent = OPPONENTS.find((one) => one === loadChoice("opponent")) ?? "medium";
    return this.#game.begin(table, table.suggested, { fair: true, opponent });
  }

  /** Begins a match that is played elsewhere, and opens the settings: the reader knows its start, and who begins. */
  async match(/** @type {Table} */ table) {
    if (!(await this.#game.begin(table, table.start, { opponent: "elsewhere" }))) return;
    byId("settings").open = true;
    beginScroll();
    byId("settings").scrollIntoView({ block: "nearest" });
  }

  /** Begins the game of a lesson: the reader moves first, against the perfect computer. */
  lesson(/** @type {string} */ name, /** @type {string} */ position) {
    const find = async () => {
      const table = await this.#tables.load(name);
      return table ? { table, saved: newSavedGame(name, position, [], "perfect") } : null;
    };
    return this.#game.resume(find, { once: true, panel: "learn" });
  }

  /** Begins a game of own rules, with the present players. */
  async own(/** @type {string} */ name) {
    const find = async () => {
      const table = await this.#tables.load(name);
      const { opponent, side } = this.#game.seats;
      return table ? { table, saved: newSavedGame(table.name, table.start, [], opponent, side) } : null;
    };
    await this.#game.resume(find, { fair: true });
  }
}
