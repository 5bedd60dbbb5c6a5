// The buttons below the board, the explanation how to move, and the end of a game.

import { byId, html } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./board-heaps.js").HeapBoard | import("./board-pile.js").PileBoard | import("./board-match.js").MatchBoard} AnyBoard */

/** Shows the chosen move on the button *Take*, or the reason why the choice is not a legal move. */
export function showChoice(/** @type {Game} */ game, /** @type {AnyBoard} */ board) {
  const { state, table } = game;
  const { chosen, move } = board;
  const reset = "reset" in board && board.reset;
  const legal = state.moves.find((possible) => possible.move === move);
  const any = chosen.length > 0;
  const take = byId("take");
  take.disabled = !any || !legal || !game.isPersonsMove;
  const takes = chosen.map(([row, stones]) => ({ row: board.pile ? null : row, stones }));
  // The reader makes the moves of an opponent elsewhere, so the button says whose move it is.
  const isTold = game.opponent === "elsewhere";
  const says = isTold ? t.status.deed(game.who(game.mover()), takes, reset) : t.capital(t.take(takes, reset));
  take.textContent = any ? says : t.play.take;
  byId("reason").textContent = any && !legal && table ? `${t.play.illegal} ${t.rules.mayTake(table)}` : "";
}

/** Returns how to choose a move on the board; "" if the board has only number fields. */
export const howTo = (/** @type {AnyBoard} */ board) => board.how;

/** Enables the buttons that have an effect now. Before the first move, also explains how to move. */
export function showActions(/** @type {Game} */ game, /** @type {AnyBoard} */ board) {
  const { state, plies } = game;
  const how = byId("how");
  how.hidden = state.over || howTo(board) === "";
  // The line keeps its room after the first move, so that the buttons below stay where they are.
  how.classList.toggle("known", game.hasBegun || !game.isPersonsMove);
  how.textContent = howTo(board);
  const pass = byId("pass");
  pass.hidden = !plies[0].state.passes;
  pass.disabled = !game.isPersonsMove || !state.moves.some((move) => move.move === "pass");
  byId("reset-label").hidden = state.over || !plies.some((ply) => ply.state.pile?.resets.some((left) => left > 0));
  byId("undo").disabled = !game.canUndo;
  byId("redo").disabled = !game.canRedo;
  const pause = byId("pause");
  pause.hidden = !(game.isTablesTurn && (game.opponent === "nobody" || game.isPaused));
  pause.textContent = game.isPaused ? t.play.go : t.play.pause;
}

/** Puts *Undo*, *Redo* and *Pause* beside *Take* on a phone, where a thumb reaches them, and with the tools to play elsewhere. */
export function connectPlayTools() {
  const phone = matchMedia("(max-width: 600px), (max-height: 500px)");
  const buttons = ["undo", "redo", "pause"].map(byId);
  const place = () => {
    const focused = buttons.find((button) => button === document.activeElement);
    if (phone.matches) byId("reset-label").after(...buttons);
    else byId("hint").before(...buttons);
    // An element that is moved loses the focus.
    focused?.focus();
  };
  phone.addEventListener("change", place);
  place();
}

/** At the end of a game, offers another one, and shows who threw the win away and at which move. */
export function showEnd(/** @type {Game} */ game) {
  const { state, plies, at } = game;
  const over = state.over && plies.length > 1;
  byId("again").hidden = byId("another").hidden = !over;
  byId("take").hidden = over;
  const ending = byId("ending");
  ending.hidden = !over;
  if (!over) return;
  // The last mistake decided the game: after it the winner made none.
  const last = game.mistakes.filter((mistake) => mistake <= at).at(-1);
  const by = last === undefined ? null : plies[last].by;
  ending.replaceChildren(
    last !== undefined && by
      ? html(
          "span",
          {},
          `${t.play.thrown(game.who(by), last)} `,
          html(
            "button",
            { type: "button", id: "look", class: "quiet", onclick: () => game.goTo(last - 1) },
            t.play.look,
          ),
        )
      : t.play.noneThrown,
  );
}

/**
 * Moves the focus to the board if the focused element was disabled or removed. Whoever uses the keyboard gets to the stick that the
 * arrow keys act on. With a mouse or a finger, the board itself gets the focus, so that the arrow keys still walk through the game.
 * @param {AnyBoard} board
 * @param {Element | null} before the element that had the focus
 * @param {boolean} visibly whether that focus was visible
 */
export function keepFocus(board, before, visibly) {
  const now = document.activeElement;
  const lost = !now || now === document.body || now.matches(":disabled") || !now.checkVisibility();
  if (!before || before === document.body || !lost) return;
  if (visibly) board.focus();
  else board.root.focus({ preventScroll: true });
}
