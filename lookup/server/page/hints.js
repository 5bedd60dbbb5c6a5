// *Show me*: the outcome of each possible move, on the board if there is room, otherwise in a list.

import { html, legend, mark } from "./dom.js";
import { deeds, hooks } from "./sticks.js";
import { does, plies } from "./words.js";

/** @typedef {import("./api.js").Move} Move */
/** @typedef {import("./game.js").Game} Game */

/** The most moves that are listed at once; the rest on request. */
const LISTED = 200;

/**
 * Shows or removes the hints.
 * @param {HTMLElement} root where the list goes
 * @param {HTMLButtonElement} pass the button *Pass*; its hint goes beside it
 * @param {Game} game
 * @param {import("./board-heaps.js").HeapBoard | import("./board-pile.js").PileBoard} board
 * @param {boolean} on
 */
export function showHints(root, pass, game, board, on) {
  const { state } = game;
  const listed = board.hint(on ? state.moves : []);
  root.replaceChildren();
  root.hidden = !on;
  pass.parentElement?.querySelector(".hint")?.remove();
  if (!on) return;
  const passing = listed.find((move) => move.move === "pass");
  if (passing)
    pass.after(html("span", { class: `hint beside ${passing.outcome}`, ...hooks(passing) }, ...deeds(passing)));
  root.append(headline(game));
  if (!state.over)
    root.append(
      key(
        state.depth !== undefined,
        state.moves.some((move) => move.move.endsWith("r")),
        listed.some((move) => move.move.includes(":")),
      ),
    );
  const rest = listed.filter((move) => move !== passing);
  if (rest.length > 0) root.append(list(rest, board));
}

/** Who wins from here. */
function headline(/** @type {Game} */ game) {
  const { state } = game;
  const who = game.name(game.mover());
  const soon = state.depth === undefined ? "" : ` in ${plies(state.depth)}`;
  const words = state.over
    ? "No move is left."
    : state.outcome === "win"
      ? `${who} can win from here${soon}: ${state.winning.length === 1 ? "one move wins" : `${state.winning.length} of ${state.moves.length} moves win`}.`
      : `${does(who, "lose")} from here${soon} if the opponent makes no mistake: no move wins.`;
  return html("p", { class: "headline" }, mark(state.outcome), words);
}

function key(/** @type {boolean} */ depths, /** @type {boolean} */ resets, /** @type {boolean} */ rows) {
  const outcome = (/** @type {string} */ name, /** @type {string} */ words) =>
    html("span", { class: name }, mark(name), words);
  return legend(
    outcome("win", "this move wins"),
    outcome("loss", "this move loses"),
    depths ? "number: plies left after it" : null,
    resets ? "r: with a reset" : null,
    rows ? "2:3: take 3 from row 2" : null,
  );
}

/** @param {Move[]} moves @param {{pick: (move: string) => void, enabled: boolean, focus: () => void}} board */
function list(moves, board) {
  const chip = (/** @type {Move} */ move) =>
    html(
      "li",
      {},
      html(
        "button",
        {
          type: "button",
          class: `chip ${move.outcome}`,
          ...hooks(move),
          "aria-disabled": String(!board.enabled),
          onclick: (/** @type {MouseEvent} */ event) => {
            board.pick(move.move);
            // With the keyboard, *Take* may be hundreds of stops away from here; on the board, Enter takes.
            if (event.detail === 0 && board.enabled) board.focus();
          },
        },
        html("b", {}, move.move),
        ...deeds(move),
      ),
    );
  const items = html("ul", { class: "chips", "aria-label": "Possible moves" }, ...moves.slice(0, LISTED).map(chip));
  if (moves.length <= LISTED) return items;
  const more = html(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: () => {
        items.append(...moves.slice(LISTED).map(chip));
        /** @type {HTMLElement | null} */ (items.children[LISTED]?.firstElementChild)?.focus();
        more.remove();
      },
    },
    `Show ${(moves.length - LISTED).toLocaleString("en")} more`,
  );
  return html("div", {}, items, more);
}
