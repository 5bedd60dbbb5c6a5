// A game in progress: the positions so far, which of them is on the board, and who moves. It knows no rules: the server
// says what is legal and where it leads.

import * as api from "./api.js";
import { deed } from "./words.js";

/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./api.js").State} State */
/** @typedef {import("./api.js").Move} Move */
/** A position of the game, and the move that led to it with who made it. @typedef {{state: State, move: Move | null, by: 1 | 2 | null}} Ply */
/** @typedef {"table" | "erring" | "friend" | "nobody"} Opponent */

/** How long the table waits before it moves, in ms, so that the board can be seen between two moves. */
const PAUSE = { reply: 500, watch: 700 };

export class Game {
  /** @type {Table | null} */ table = null;
  /** @type {Ply[]} */ plies = [];
  at = 0;
  /** @type {Opponent} */ opponent = "table";
  /** How often the erring table makes a random legal move, in percent. */
  erring = 25;
  /** @type {1 | 2} */ side = 1;
  /** Whether the table waits although it is its turn. */
  paused = false;
  /** What happened since the person's last turn, in sentences. @type {string[]} */ said = [];
  /** Where in the game the person has gone, until somebody moves. */
  place = "";
  /** Changes when earlier requests no longer matter: their responses are dropped. */
  #epoch = 0;
  #moving = false;
  /** Who was to move at the start, if positions do not say. @type {1 | 2} */ #first = 1;
  /** Who is to play when the game that is over is left. @type {{opponent: Opponent, side: 1 | 2} | null} */ #next =
    null;
  #changed;
  #failed;

  /**
   * @param {(game: Game, begins: boolean, by: "person" | "table") => void} changed
   * @param {(error: unknown, again: () => void) => void} failed
   */
  constructor(changed, failed) {
    this.#changed = changed;
    this.#failed = failed;
  }

  get state() {
    return this.plies[this.at].state;
  }

  /** Who is to move in a position of the game. Positions of heap games do not say: there the players alternate. */
  mover(at = this.at) {
    return this.plies[at].state.player ?? (at % 2 === 0 ? this.#first : other(this.#first));
  }

  /** Whether a person moves there. */
  #personal(at = this.at) {
    return this.opponent === "friend" || (this.opponent !== "nobody" && this.mover(at) === this.side);
  }

  /** Whether a move can be made on the board now. */
  get mine() {
    return this.plies.length > 0 && !this.state.over && !this.#moving && this.#personal();
  }

  /** Whether it is the table's turn, paused or not. */
  get tables() {
    return this.plies.length > 0 && !this.state.over && !this.#personal();
  }

  /** The name of a player. */
  name(/** @type {1 | 2} */ player) {
    if (this.opponent === "friend" || this.opponent === "nobody")
      return player === 1 ? "The first player" : "The second player";
    return player === this.side ? "You" : "The table";
  }

  /** Who has won, or wins from a position if nobody makes a mistake. */
  winner(at = this.at) {
    const mover = this.mover(at);
    return this.plies[at].state.outcome === "win" ? mover : other(mover);
  }

  /** The plies whose move turned a won position into a lost one. */
  get mistakes() {
    return this.plies.flatMap((ply, at) =>
      at > 0 && this.plies[at - 1].state.outcome === "win" && ply.state.outcome === "win" ? [at] : [],
    );
  }

  /**
   * Begins a new game. If the server refuses it, the old game stays.
   * @param {Table} table
   * @param {string} position
   * @param {1 | 2} first who is to move, if the position does not say
   */
  async begin(table, position, first = 1) {
    const epoch = ++this.#epoch;
    this.#moving = false;
    try {
      const state = await api.state(table.name, position);
      if (epoch !== this.#epoch) return;
      Object.assign(this, {
        table,
        plies: [{ state, move: null, by: null }],
        at: 0,
        paused: false,
        said: [],
        place: "",
      });
      this.#first = first;
      this.#sit();
      this.#settle(true);
    } catch (error) {
      if (epoch !== this.#epoch) return;
      // The old game goes on.
      this.#lead();
      this.#failed(error, () => this.begin(table, position, first));
    }
  }

  /** Makes a move for the person whose turn it is. */
  play(/** @type {string} */ text) {
    const move = this.mine ? this.state.moves.find((move) => move.move === text) : undefined;
    if (!move) return;
    this.said = [];
    this.#make(move, "person");
  }

  /** @param {Move} move @param {"person" | "table"} by */
  async #make(move, by) {
    const epoch = ++this.#epoch;
    const { table, at } = this;
    if (!table) return;
    this.#moving = true;
    this.paused = false;
    try {
      const state = await api.state(table.name, move.to);
      if (epoch !== this.#epoch) return;
      this.#moving = false;
      const mover = this.mover(at);
      // If this is the move that was made here before, what came after it stays, for *Redo*.
      if (this.plies[at + 1]?.move?.move !== move.move) this.plies.length = at + 1;
      this.plies[at + 1] = { state, move, by: mover };
      this.at = at + 1;
      this.place = "";
      if (this.opponent === "nobody") this.said = [];
      this.said = [...this.said, deed(this.name(mover), move)].slice(-2);
      this.#settle(false, by);
    } catch (error) {
      if (epoch !== this.#epoch) return;
      this.#moving = false;
      // If the table could not move, it waits, in case nobody tries again.
      this.paused = this.tables;
      this.#changed(this, false, by);
      this.#failed(error, () => this.#make(move, by));
    }
  }

  /**
   * Shows the position, and lets the table move if it is its turn.
   * @param {boolean} begins
   * @param {"person" | "table"} by who made the last move
   */
  #settle(begins, by = "person") {
    this.#epoch++;
    this.#moving = false;
    this.#changed(this, begins, by);
    this.#lead();
  }

  /** Lets the table move, after a while, if it is its turn. */
  #lead() {
    const epoch = this.#epoch;
    if (!this.tables || this.paused) return;
    setTimeout(
      () => {
        if (epoch === this.#epoch) this.#make(this.#tablesMove(), "table");
      },
      this.opponent === "nobody" ? PAUSE.watch : PAUSE.reply,
    );
  }

  /** The table's best move, or a random one if it errs. */
  #tablesMove() {
    const { moves, best } = this.state;
    const errs = this.opponent === "erring" && Math.random() * 100 < this.erring;
    if (errs) return moves[Math.floor(Math.random() * moves.length)];
    return moves.find((move) => move.move === best) ?? moves[0];
  }

  /** The ply to which *Undo* leads, or -1: the last one before at which a person was to move. */
  get back() {
    for (let at = this.at - 1; at >= 0; at--) if (this.#personal(at) || this.opponent === "nobody") return at;
    return -1;
  }

  /** The ply to which *Redo* leads, or -1. */
  get forth() {
    for (let at = this.at + 1; at < this.plies.length; at++) {
      if (this.#personal(at) || this.opponent === "nobody" || at === this.plies.length - 1) return at;
    }
    return -1;
  }

  /** Goes to a ply of the game. The table waits there, so that it does not overwrite what can be redone. */
  goTo(/** @type {number} */ at) {
    if (!this.plies[at]) return;
    this.at = at;
    if (!this.state.over) this.#sit();
    this.paused = !this.#personal() && (this.opponent === "nobody" || at < this.plies.length - 1);
    this.said = [];
    this.place = at === 0 ? "Back at the start." : `At ply ${at} of ${this.plies.length - 1}.`;
    this.#settle(false);
  }

  /** Pauses or continues the table. */
  pause(/** @type {boolean} */ paused) {
    this.paused = paused;
    this.#settle(false);
  }

  /** Changes who plays. */
  seat(/** @type {Opponent} */ opponent, /** @type {1 | 2} */ side) {
    this.#next = { opponent, side };
    // Who has won stays who has won: it holds from the next game on, or from where this one is taken up again.
    if (this.plies.length > 0 && this.state.over) return;
    this.#sit();
    this.paused = false;
    this.said = [];
    this.place = "";
    if (this.plies.length > 0) this.#settle(false);
  }

  /** Whoever is to play next takes the seat. */
  #sit() {
    if (this.#next) Object.assign(this, this.#next);
    this.#next = null;
  }

  /** The status line. */
  get status() {
    return [this.place, ...this.said, this.#turn].filter(Boolean).join(" ");
  }

  /** Whose turn it is, or who has won. */
  get #turn() {
    if (this.state.over && this.plies.length === 1) return "No move is left. There is nothing to play.";
    if (this.state.over) return won(this.name(this.winner()));
    const turn = whose(this.name(this.mover()));
    return this.paused && this.tables ? `${turn} Press Continue to let it move.` : turn;
  }
}

const other = (/** @type {1 | 2} */ player) => (player === 1 ? 2 : 1);
const whose = (/** @type {string} */ name) => (name === "You" ? "Your turn." : `${name}'s turn.`);
const won = (/** @type {string} */ name) =>
  name === "You" ? "The game is over: you win." : `The game is over: ${name.toLowerCase()} wins.`;
