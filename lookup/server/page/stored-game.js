// The game that the browser stores, for the reader to resume it at a later visit.

import * as address from "./address.js";
import { loadChoice, storeChoice } from "./storage.js";

/** Returns the address of the stored game; "" if there is none. */
export const storedGame = () => loadChoice("game") ?? "";

/**
 * Stores the game, until it is over. A panel's game, or one without a move of the reader, does not replace the stored one.
 * @param {import("./game.js").Game} game
 */
export function storeGame(game) {
  const { saved, state, plies } = game;
  if (game.isTemporary || !game.hasBegun) return;
  if (!plies[plies.length - 1].state.over) return storeChoice("game", address.formatWhole(saved, state.position, []));
  const before = address.parse(storedGame(), null).saved;
  if (before?.table === saved.table && before.start === saved.start) storeChoice("game", null);
}
