// The buttons below the board: take, pass, undo, redo.

import { byId } from "./dom.js";
import { capital, mayTake, takeWords } from "./words.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./board-heaps.js").HeapBoard | import("./board-pile.js").PileBoard} AnyBoard */

/** Shows what is chosen and, if it is not a legal move, says so. */
export function showChoice(/** @type {Game} */ game, /** @type {AnyBoard} */ board) {
  const { state, table } = game;
  const { chosen, move } = board;
  const reset = "reset" in board && board.reset;
  const legal = state.moves.find((possible) => possible.move === move);
  const any = chosen.length > 0;
  const take = byId("take");
  take.disabled = !any || !legal || !game.mine;
  take.textContent =
    legal && any ? capital(legal.words) : any ? capital(takeWords(chosen, board.pile, reset)) : "Take …";
  byId("reason").textContent = any && !legal && table ? `That is not a legal move here. ${mayTake(table)}` : "";
}

/** Enables the buttons that do something now. Before the first move, also says how to make one. */
export function showActions(/** @type {Game} */ game, /** @type {AnyBoard} */ board) {
  const { state, plies } = game;
  const how = byId("how");
  how.hidden = plies.length > 1 || !game.mine || !board.rows.some((row) => row.buttons.length > 0);
  how.textContent = board.pile
    ? "Choose a stone: you take it and all to its right."
    : `Choose a stick: you take it and all to its right in its row.${board.several ? " You may choose in other rows too." : ""}`;
  const pass = byId("pass");
  pass.hidden = !plies[0].state.passes;
  pass.disabled = !game.mine || !state.moves.some((move) => move.move === "pass");
  byId("reset-label").hidden = !plies.some((ply) => ply.state.pile?.resets.some((left) => left > 0));
  byId("undo").disabled = game.back < 0;
  byId("redo").disabled = game.forth < 0;
  const pause = byId("pause");
  pause.hidden = !(game.tables && (game.opponent === "nobody" || game.paused));
  pause.textContent = game.paused ? "Continue" : "Pause";
}

/**
 * Moves the focus to the board if the element that had it is now disabled or gone.
 * @param {AnyBoard} board
 * @param {Element | null} before what had the focus
 */
export function keepFocus(board, before) {
  const now = document.activeElement;
  const lost = !now || now === document.body || now.matches(":disabled") || !now.checkVisibility();
  if (before && before !== document.body && lost) board.focus();
}
