// *Show me*: the outcome of each possible move, on the board if there is room, otherwise in a list.

import { byId, html, legend, mark } from "./dom.js";
import { t } from "./language.js";
import { moveWords } from "./notation.js";
import { outcomeNodes, moveAttributes } from "./sticks.js";
import { explainTerms } from "./terms.js";

/** @typedef {import("./api.js").Move} Move */
/** @typedef {import("./game.js").Game} Game */

/** Maximum number of moves listed at first; a button shows the rest. */
const MAX_LISTED_MOVES = 200;

/**
 * Shows or removes the hints, and the verdict below the board.
 * @param {HTMLElement} root the parent of the list
 * @param {HTMLButtonElement} pass the button *Pass*; its hint goes beside it
 * @param {Game} game
 * @param {import("./actions.js").AnyBoard} board
 * @param {boolean} on
 */
export function showHints(root, pass, game, board, on) {
  const { state } = game;
  const listed = board.hint(on ? state.moves : []);
  root.replaceChildren();
  root.hidden = !on;
  byId("verdict").hidden = !on || state.over;
  pass.parentElement?.querySelector(".hint")?.remove();
  if (!on) return;
  const passing = listed.find((move) => move.move === "pass");
  if (passing)
    pass.after(
      html("span", { class: `hint beside ${passing.outcome}`, ...moveAttributes(passing) }, ...outcomeNodes(passing)),
    );
  if (state.over) return root.append(t.show.over);
  byId("verdict").replaceChildren(...verdict(game));
  root.append(
    hintLegend(
      state.depth !== undefined,
      state.moves.some((move) => move.move.endsWith("r")),
    ),
  );
  const rest = listed.filter((move) => move !== passing);
  if (rest.length > 0) root.append(moveList(rest, board));
}

/** *Hint*: returns a sentence on where a winning move is, which does not give it away. @param {import("./api.js").State} state */
export function hintOf(state) {
  if (state.over) return t.hint.over;
  if (state.outcome === "loss") return t.hint.lost;
  const winning = state.moves.filter(({ move }) => state.winning.includes(move));
  const best = winning.find(({ move }) => move === state.best) ?? winning[0];
  if (state.pile) {
    if (winning.every(({ reset }) => reset)) return t.hint.reset;
    const stones = best.takes[0]?.stones ?? 0;
    return 2 * stones <= Math.min(state.pile.limit, state.pile.stones) ? t.hint.few : t.hint.many;
  }
  if (best.takes.length === 0) return t.hint.pass;
  if (best.takes.length > 1) return t.hint.rows(best.takes.map(({ row }) => row ?? 1));
  const rows = winning.filter(({ takes }) => takes.length === 1).map(({ takes }) => takes[0].row ?? 1);
  return t.hint.row([...new Set(rows)].sort((a, b) => a - b));
}

/** Returns the sentence on who wins from here, with its mark. */
function verdict(/** @type {Game} */ game) {
  const { state } = game;
  const who = game.who(game.mover());
  const words =
    state.outcome === "win"
      ? t.show.win(who, state.depth, state.winning.length, state.moves.length)
      : t.show.loss(who, state.depth);
  return [mark(state.outcome), html("span", {}, ...explainTerms(words))];
}

function hintLegend(/** @type {boolean} */ depths, /** @type {boolean} */ resets) {
  const outcome = (/** @type {string} */ name, /** @type {string} */ words) =>
    html("span", { class: name }, mark(name), words);
  return legend(
    outcome("win", t.show.thisWins),
    outcome("loss", t.show.thisLoses),
    depths ? numbersButton() : null,
    resets ? t.show.reset : null,
  );
}

/** Returns the button that shows and hides the numbers on the board. */
function numbersButton() {
  const board = byId("board");
  const button = html(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-pressed": String(board.classList.contains("numbers")),
      onclick: () => button.setAttribute("aria-pressed", String(board.classList.toggle("numbers"))),
    },
    t.show.number,
  );
  return button;
}

/** Returns a list of moves, each a button that chooses the move on the board. @param {Move[]} moves @param {{pick: (move: string) => void, enabled: boolean, focus: () => void}} board */
function moveList(moves, board) {
  const chip = (/** @type {Move} */ move) =>
    html(
      "li",
      {},
      html(
        "button",
        {
          type: "button",
          class: `chip ${move.outcome}`,
          ...moveAttributes(move),
          "aria-disabled": String(!board.enabled),
          onclick: (/** @type {MouseEvent} */ event) => {
            board.pick(move.move);
            // Chosen with the keyboard: the button *Take* may be hundreds of Tab stops away, so focus the board, where
            // Enter makes the move.
            if (event.detail === 0 && board.enabled) board.focus();
          },
        },
        html("b", {}, moveWords(move.move)),
        ...outcomeNodes(move),
      ),
    );
  const items = html(
    "ul",
    { class: "chips", "aria-label": t.show.moves },
    ...moves.slice(0, MAX_LISTED_MOVES).map(chip),
  );
  if (moves.length <= MAX_LISTED_MOVES) return items;
  const more = html(
    "button",
    {
      type: "button",
      class: "quiet more",
      onclick: () => {
        items.append(...moves.slice(MAX_LISTED_MOVES).map(chip));
        /** @type {HTMLElement | null} */ (items.children[MAX_LISTED_MOVES]?.firstElementChild)?.focus();
        more.remove();
      },
    },
    t.show.more(moves.length - MAX_LISTED_MOVES),
  );
  return html("div", {}, items, more);
}
