// The turns of a game: its positions so far, which of them is on the board, who plays, whose turn it is, and who wins.

import { t } from "./language.js";
import { otherPlayer } from "./players.js";

/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./api.js").Move} Move */
/** @typedef {import("./texts/en.js").Who} Who */
/** @typedef {import("./game-line.js").Ply} Ply */
/** @typedef {import("./players.js").Opponent} Opponent */
/** @typedef {import("./players.js").Player} Player */

export class Turns {
  /** @type {Table | null} */ table = null;
  /** @type {Ply[]} */ plies = [];
  /** Index of the ply on the board. */
  at = 0;
  /** @type {Opponent} */ opponent = "perfect";
  /** @type {Player} */ side = 1;
  /** Whether the table waits although it is its turn. */
  isPaused = false;
  /** Moves since the reader's last turn, which the status line names and the board marks. @type {{who: Who, move: Move}[]} */ recentMoves =
    [];
  /** A message about the last step through the game or the last *Undo*, until the next move. @type {() => string} */ stepMessage =
    () => "";
  /** Whether a move was made and the server has not answered yet. */
  isWaiting = false;
  /** Who moves first, if positions do not say who is to move. @type {Player} */ firstPlayer = 1;

  get state() {
    return this.plies[this.at].state;
  }

  /** Returns who is to move at a ply. Positions of heap games do not say that: there the players alternate. */
  mover(at = this.at) {
    return this.plies[at].state.player ?? (at % 2 === 0 ? this.firstPlayer : otherPlayer(this.firstPlayer));
  }

  /** Returns whether a person makes the moves of a player. */
  isPersons(/** @type {Player} */ player) {
    const { opponent, side } = this;
    return opponent === "friend" || (opponent !== "nobody" && (player === side) === (opponent !== "elsewhere"));
  }

  /** Returns whether a person moves at a ply. */
  isPersonsTurn(at = this.at) {
    return this.isPersons(this.mover(at));
  }

  /** Whether a person can make a move on the board now. A reader who did not take the advice makes their own move while the table waits. */
  get isPersonsMove() {
    if (this.plies.length === 0 || this.state.over || this.isWaiting) return false;
    return this.isPersonsTurn() || (this.opponent === "elsewhere" && this.isPaused);
  }

  /** Whether it is the table's turn, paused or not. */
  get isTablesTurn() {
    return this.plies.length > 0 && !this.state.over && !this.isPersonsTurn();
  }

  /** Returns what texts call a player. @returns {Who} */
  who(/** @type {Player} */ player) {
    if (this.opponent === "friend" || this.opponent === "nobody") return player === 1 ? "first" : "second";
    if (player === this.side) return "you";
    return this.opponent === "elsewhere" ? "opponent" : "table";
  }

  /** Returns who has won, or wins under best play from a ply on. */
  winner(at = this.at) {
    const mover = this.mover(at);
    return this.plies[at].state.outcome === "win" ? mover : otherPlayer(mover);
  }

  /** Whether a person has made a move. */
  get hasBegun() {
    return this.plies.some(({ by }) => by !== null && (this.opponent === "nobody" || this.isPersons(by)));
  }

  /** The plies whose moves threw a win away: they led from a won position to one that is won for the opponent. */
  get mistakes() {
    return this.plies.flatMap((ply, at) =>
      at > 0 && this.plies[at - 1].state.outcome === "win" && ply.state.outcome === "win" ? [at] : [],
    );
  }

  /** The moves that the board marks: those since the reader's last turn or, if there are none, the one that led here. @returns {Move[]} */
  get lastMoves() {
    if (this.recentMoves.length > 0) return this.recentMoves.map(({ move }) => move);
    const { move } = this.plies[this.at];
    return move ? [move] : [];
  }

  /** The message on which ply is on the board. */
  get plyMessage() {
    return this.at === 0 ? t.status.start : t.status.at(this.at, this.plies.length - 1);
  }

  /** The status line. */
  get status() {
    const said = this.recentMoves.map(({ who, move }) => `${t.status.deed(who, move.takes, move.reset)}.`);
    return [this.stepMessage(), ...said, this.#turnOrEnd].filter(Boolean).join(" ");
  }

  /** Whose turn it is, or who has won. */
  get #turnOrEnd() {
    if (this.state.over && this.plies.length === 1) return t.status.empty;
    if (this.state.over) return t.status.won(this.who(this.winner()));
    const who = this.who(this.mover());
    return this.isPaused && this.isTablesTurn ? t.status.waits(who) : t.status.turn(who);
  }
}
