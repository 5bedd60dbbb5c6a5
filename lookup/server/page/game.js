// A game in progress, and the reader's actions: all can be undone. This module knows no rules: the server lists the legal moves and
// the positions after them.

import * as api from "./api.js";
import { isPrefix, keepLines, loadLine } from "./game-line.js";
import { t } from "./language.js";
import { chooseMove, PAUSES } from "./players.js";
import { Turns } from "./turns.js";

/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./api.js").Move} Move */
/** @typedef {import("./game-line.js").Ply} Ply */
/** @typedef {import("./players.js").Opponent} Opponent */
/** @typedef {import("./players.js").Player} Player */
/** @typedef {import("./players.js").Seats} Seats */
/** @typedef {import("./saved-game.js").Assignment} Assignment */
/** @typedef {import("./saved-game.js").SavedGame} SavedGame */
/** What *Undo* undoes: a move, a new game, other players, a step or a walk through the game, a change of line. @typedef {"move" | "begin" | "seat" | "go" | "walk" | "line"} Action */
/** The parts of a game that the page may put aside and restore. Lines are replaced and never changed, so they need no copies. @typedef {Pick<Game, typeof PARTS[number]>} Parts */
/** The game before an action, for *Undo*; `action` followed it. @typedef {{action: Action, parts: Parts, first: Player, usual: Seats | null, aside: Aside | null}} Snapshot */
/**
 * The reader's own game, while a panel has another game on the board.
 * @typedef {object} Aside
 * @property {string} panel
 * @property {Parts} parts
 * @property {Pick<Game, "isPaused" | "recentMoves" | "stepMessage">} turn
 * @property {Player} first
 * @property {boolean} chosen
 * @property {Seats | null} next
 * @property {Seats | null} usual
 * @property {Snapshot[]} past
 * @property {Snapshot[]} future
 */
const PARTS = /** @type {const} */ (["table", "plies", "variations", "at", "opponent", "side", "assignment"]);
/** Maximum number of actions that can be undone. */
const MAX_ACTIONS = 500;

export class Game extends Turns {
  /** Other lines that were played. @type {Ply[][]} */ variations = [];
  /** What a teacher asks in this game. @type {Assignment | null} */ assignment = null;
  /** Whether a person made the move that awaits an answer. */
  #awaitsPersonsMove = false;
  /** Increases when earlier requests no longer matter: their responses are dropped. */
  #epoch = 0;
  /** Who plays the next game, if the reader chose that after the end of this one. @type {Seats | null} */ #nextSeats =
    null;
  /** Who usually plays, while other players play a game of a panel or a file. @type {Seats | null} */ #usualSeats =
    null;
  /** Whether the reader has chosen a side. */
  #hasChosenSide = false;
  /** @type {Aside | null} */ #aside = null;
  /** States before the actions that can be undone. @type {Snapshot[]} */ #past = [];
  /** States after the actions that can be redone. @type {Snapshot[]} */ #future = [];
  #changed;
  #failed;
  #prepare;

  /**
   * @param {(game: Game, how: {begins: boolean, again?: boolean, by: "person" | "table"}) => void} changed `begins`: another
   *     game is on the board, `again`: one that was there before; `by`: who made the last move
   * @param {(error: unknown, again: () => void) => void} failed
   * @param {(table: Table, assignment: Assignment | null) => Promise<unknown>} prepare loads the parts of the page that show a game, before it begins
   */
  constructor(changed, failed, prepare) {
    super();
    this.#changed = changed;
    this.#failed = failed;
    this.#prepare = prepare;
  }

  /**
   * Begins a new game. If the server refuses that, the old game stays.
   * @param {Table} table
   * @param {string} position
   * @param {{first?: Player, fair?: boolean, opponent?: Opponent, assignment?: Assignment | null}} how `first`: who moves first, if the position does not say; the
   *     reader keeps their side. Without `first`, player 1 moves first, and a reader who has chosen no side becomes player 1 or, if
   *     `fair`, the winner. `opponent`: who plays against the reader; by default the one who did so before
   */
  begin(table, position, { first, fair = false, opponent, assignment = null } = {}) {
    return this.#load(
      async () => {
        const [state] = await Promise.all([api.state(table.name, position), this.#prepare(table, assignment)]);
        return [{ state, move: null, by: null }];
      },
      (plies) => {
        this.#saveForUndo("begin");
        this.#aside = null;
        Object.assign(this, { table, plies, variations: [], at: 0, assignment, isPaused: false });
        this.#forgetMoves();
        this.firstPlayer = first ?? 1;
        if (this.#usualSeats) Object.assign(this, this.#usualSeats);
        this.#usualSeats = null;
        this.#seatNext();
        if (opponent) this.opponent = opponent;
        if (fair) this.#giveWinningSide();
        else if (!first && !this.#hasChosenSide) this.side = 1;
        this.#update({ begins: true, by: "person" });
      },
      () => this.begin(table, position, { first, fair, opponent, assignment }),
    );
  }

  /** Begins the same game again, with the same players. */
  again() {
    const { table, assignment } = this;
    if (table) this.begin(table, this.plies[0].state.position, { first: this.mover(0), assignment });
  }

  /**
   * Loads a game and puts it on the board, unless another game begins meanwhile.
   * @param {() => Promise<{table: Table, saved: SavedGame} | null>} find returns the game; null if there is none
   * @param {{again?: boolean, once?: boolean, fair?: boolean, panel?: string | null}} how `again`: the game was on the board before;
   *     `once`: its players play this game only; `fair`: as in `begin`; `panel`: the panel whose game it is: the reader's game comes
   *     back when the panel is closed
   * @returns {Promise<boolean>} whether the game is on the board
   */
  resume(find, { again = false, once = false, fair = false, panel = null } = {}) {
    return this.#load(
      async () => {
        const found = await find();
        if (!found) return null;
        const { table, saved } = found;
        const asked = [saved.moves, ...(saved.variations ?? [])].map((moves) => loadLine(table, saved, moves));
        const [lines] = await Promise.all([Promise.all(asked), this.#prepare(table, saved.assignment ?? null)]);
        return { table, saved, lines };
      },
      (answer) => {
        if (!answer) return;
        const { table, saved } = answer;
        const [plies, ...variations] = answer.lines;
        const aside = panel === null ? null : this.#ownGame(panel);
        this.#saveForUndo("begin");
        this.#aside = aside;
        this.#usualSeats = once ? (this.#usualSeats ?? this.seats) : null;
        const { opponent, side, first, assignment = null } = saved;
        const at = Math.max(0, Math.min(saved.at, plies.length - 1));
        Object.assign(this, { table, plies, variations, at, opponent, side, assignment });
        this.#forgetMoves();
        this.firstPlayer = first;
        this.#nextSeats = null;
        if (fair) this.#giveWinningSide();
        else if (!once) this.#hasChosenSide = saved.chosen ?? false;
        this.isPaused = !this.isPersonsTurn() && (this.opponent === "nobody" || at < plies.length - 1);
        this.#update({ begins: true, again, by: "person" });
      },
      () => this.resume(find, { again, once, fair, panel }),
    );
  }

  /** Forgets the moves and the step that the status line names. */
  #forgetMoves() {
    this.recentMoves = [];
    this.stepMessage = () => "";
  }

  /** Returns the reader's game, to restore it later; null if there is none. @param {string} panel @returns {Aside | null} */
  #ownGame(panel) {
    if (this.#aside) return { ...this.#aside, panel };
    if (this.plies.length === 0) return null;
    const { isPaused, recentMoves, stepMessage } = this;
    return {
      panel,
      parts: this.#parts,
      turn: { isPaused, recentMoves, stepMessage },
      first: this.firstPlayer,
      chosen: this.#hasChosenSide,
      next: this.#nextSeats,
      usual: this.#usualSeats,
      past: this.#past,
      future: this.#future,
    };
  }

  /** If a game of this panel is on the board, restores the reader's own game. */
  restoreAside(/** @type {string} */ panel) {
    if (this.#aside?.panel !== panel) return;
    const { parts, turn, first, chosen, next, usual, past, future } = this.#aside;
    Object.assign(this, parts, turn);
    this.firstPlayer = first;
    this.#hasChosenSide = chosen;
    this.#nextSeats = next;
    this.#usualSeats = usual;
    this.#past = past;
    this.#future = future;
    this.#aside = null;
    this.#update({ begins: true, again: true, by: "person" });
  }

  /**
   * Requests a game, and begins it unless another request follows. On an error, the old game continues.
   * @template T
   * @param {() => Promise<T>} ask @param {(answer: T) => void} begin @param {() => void} again
   * @returns {Promise<boolean>} whether it has begun
   */
  async #load(ask, begin, again) {
    const epoch = ++this.#epoch;
    const awaited = this.isWaiting;
    this.isWaiting = false;
    try {
      const answer = await ask();
      if (epoch !== this.#epoch) return false;
      begin(answer);
      return answer !== null;
    } catch (error) {
      if (epoch !== this.#epoch) return false;
      // The old game continues.
      if (awaited) this.#changed(this, { begins: false, by: "person" });
      this.#moveTable();
      this.#failed(error, again);
      return false;
    }
  }

  /** Gives the reader the side that wins, unless they have chosen one. */
  #giveWinningSide() {
    if (!this.#hasChosenSide) this.side = this.winner(0);
  }

  /** Whether the players are not the usual ones: in a lesson, a challenge, or a game from a file. */
  get isTemporary() {
    return this.#usualSeats !== null;
  }

  /** The game in short. @returns {SavedGame} */
  get saved() {
    const moves = (/** @type {Ply[]} */ plies) => plies.flatMap((ply) => (ply.move ? [ply.move.move] : []));
    const { table, plies, variations, at, opponent, side, assignment } = this;
    return {
      table: table?.name ?? "",
      start: plies[0].state.position,
      moves: moves(plies),
      variations: variations.map(moves),
      at,
      opponent,
      side,
      first: this.firstPlayer,
      chosen: this.#hasChosenSide,
      ...(assignment && { assignment }),
    };
  }

  /** Makes a move for the person whose turn it is. */
  play(/** @type {string} */ text) {
    const move = this.isPersonsMove ? this.state.moves.find((move) => move.move === text) : undefined;
    if (!move) return;
    this.recentMoves = [];
    this.#makeMove(move, "person");
  }

  /** Makes a move: requests the position after it, and puts that on the board. @param {Move} move @param {"person" | "table"} by */
  async #makeMove(move, by) {
    const epoch = ++this.#epoch;
    const { table, at } = this;
    if (!table) return;
    this.isWaiting = true;
    this.#awaitsPersonsMove = by === "person";
    this.isPaused = false;
    if (by === "person") this.#changed(this, { begins: false, by });
    try {
      const state = await api.state(table.name, move.to);
      if (epoch !== this.#epoch) return;
      this.isWaiting = false;
      if (by === "person" || this.opponent === "nobody") this.#saveForUndo("move");
      const mover = this.mover(at);
      // If the line continues with this move, keep its later moves for *Redo*.
      if (this.plies[at + 1]?.move?.move !== move.move)
        this.#replaceLine([...this.plies.slice(0, at + 1), { state, move, by: mover }]);
      this.at = at + 1;
      this.stepMessage = () => "";
      if (this.opponent === "nobody") this.recentMoves = [];
      this.recentMoves = [...this.recentMoves, { who: this.who(mover), move }].slice(-2);
      this.#update({ begins: false, by });
    } catch (error) {
      if (epoch !== this.#epoch) return;
      this.isWaiting = false;
      // If the computer could not move, pause the computer: the reader may choose not to retry.
      this.isPaused = this.isTablesTurn;
      this.#changed(this, { begins: false, by });
      this.#failed(error, () => this.#makeMove(move, by));
    }
  }

  /** Puts another line on the board. Keeps the old line, unless the new one continues the old one. */
  #replaceLine(/** @type {Ply[]} */ plies) {
    this.variations = keepLines([this.plies, ...this.variations], plies);
    this.plies = plies;
  }

  /** Shows the position, and lets the table move, if it is the table's turn. @param {{begins: boolean, again?: boolean, by: "person" | "table"}} how */
  #update(how) {
    this.#epoch++;
    this.isWaiting = false;
    this.#changed(this, how);
    this.#moveTable();
  }

  /** Lets the table move after a pause, if it is the table's turn. */
  #moveTable() {
    const epoch = this.#epoch;
    if (!this.isTablesTurn || this.isPaused) return;
    setTimeout(() => {
      if (epoch === this.#epoch) this.#makeMove(chooseMove(this.opponent, this.state), "table");
    }, PAUSES[this.opponent] ?? 0);
  }

  /** @returns {Parts} */
  get #parts() {
    return /** @type {Parts} */ (Object.fromEntries(PARTS.map((name) => [name, this[name]])));
  }

  /** Returns the state of the game before an action. @returns {Snapshot} */
  #snapshot(/** @type {Action} */ action) {
    const [first, usual, aside] = [this.firstPlayer, this.#usualSeats, this.#aside];
    return { action, parts: this.#parts, first, usual, aside };
  }

  /** Saves the state of the game for *Undo*, before an action. */
  #saveForUndo(/** @type {Action} */ action) {
    if (this.plies.length === 0) return;
    this.#past = [...this.#past, this.#snapshot(action)].slice(-MAX_ACTIONS);
    this.#future = [];
  }

  /** Restores a state of the game. @param {Snapshot} was @param {Action} action the action that is undone or redone */
  #restore(was, action) {
    const { plies, variations } = this;
    const begins = was.parts.table !== this.table || was.parts.plies[0] !== plies[0];
    // If a move is undone, it stays in the line, for *Redo*.
    const keepsLine = action === "move" && isPrefix(was.parts.plies, plies);
    Object.assign(this, was.parts, keepsLine && { plies, variations });
    this.firstPlayer = was.first;
    this.#usualSeats = was.usual;
    this.#aside = was.aside;
    this.#nextSeats = null;
    this.#pauseIfBehind();
    this.stepMessage = () => t.status.undone[action] || this.plyMessage;
    this.#update({ begins, again: true, by: "person" });
  }

  /** Pauses the computer if there are later moves or actions to redo, which its move would replace. */
  #pauseIfBehind() {
    this.isPaused =
      !this.isPersonsTurn() &&
      (this.opponent === "nobody" || this.#future.length > 0 || this.at < this.plies.length - 1);
    this.recentMoves = [];
  }

  /** Whether there is something to undo. */
  get canUndo() {
    return this.#past.length > 0 || this.#nextTurn(-1) >= 0;
  }
  /** Whether there is something to redo. */
  get canRedo() {
    return this.#future.length > 0 || this.#nextTurn(1) >= 0;
  }

  /** Returns the nearest ply before or after, at which a person moves or the line ends; -1 if there is none. */
  #nextTurn(/** @type {1 | -1} */ step) {
    for (let at = this.at + step; at >= 0 && at < this.plies.length; at += step) {
      if (this.isPersonsTurn(at) || this.opponent === "nobody" || (step === 1 && at === this.plies.length - 1))
        return at;
    }
    return -1;
  }

  /** Undoes the last action; in a game that was loaded, goes back to the reader's last turn. */
  undo() {
    // A move without a response has had no effect yet: drop the request.
    if (this.isWaiting && this.#awaitsPersonsMove) return this.#update({ begins: false, by: "person" });
    const was = this.#past.pop();
    if (!was) return this.#show(this.#nextTurn(-1));
    this.#future.push(this.#snapshot(was.action));
    this.#restore(was, was.action);
  }

  /** Redoes the last undone action, or goes forward to the reader's next turn. */
  redo() {
    const next = this.#future.pop();
    if (!next) return this.#show(this.#nextTurn(1));
    this.#past.push(this.#snapshot(next.action));
    this.#restore(next, next.action);
  }

  /** Goes to a ply of the game. */
  goTo(/** @type {number} */ at) {
    if (!this.plies[at] || at === this.at) return;
    this.#saveForUndo("go");
    this.#show(at);
  }

  /** Walks through the game: one ply back or forward, or to an end. *Undo* takes back a whole walk. @param {string} key the key pressed */
  walk(key) {
    const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.plies.length - 1 }[key] ?? this.at;
    // Without an answer, a move is not yet part of the game.
    if (this.isWaiting || !this.plies[at] || at === this.at) return;
    if (this.#past.at(-1)?.action !== "walk") this.#saveForUndo("walk");
    this.#show(at);
  }

  /** Puts a ply on the board. */
  #show(/** @type {number} */ at) {
    if (!this.plies[at]) return;
    this.at = at;
    if (!this.state.over) this.#seatNext();
    this.#pauseIfBehind();
    this.stepMessage = () => this.plyMessage;
    this.#update({ begins: false, by: "person" });
  }

  /** Puts another line of the game on the board, at its end. */
  follow(/** @type {Ply[]} */ line) {
    this.#saveForUndo("line");
    this.#replaceLine(line);
    this.#show(line.length - 1);
  }

  /** Stops the game: drops open requests, and pauses the computer. */
  stop() {
    this.#epoch++;
    this.isWaiting = false;
    this.isPaused = this.isTablesTurn;
  }

  /** Pauses or continues the table. */
  pause(/** @type {boolean} */ paused) {
    this.isPaused = paused;
    this.#update({ begins: false, by: "person" });
  }

  /** Changes who plays. */
  changeSeats(/** @type {Opponent} */ opponent, /** @type {Player} */ side) {
    if (!this.#nextSeats && opponent === this.opponent && side === this.side) return;
    this.#hasChosenSide ||= side !== this.side;
    this.#usualSeats = null;
    // Do not change the winner of a finished game: the choice takes effect when a game begins or this one continues.
    if (this.plies.length > 0 && this.state.over) {
      this.#nextSeats = { opponent, side };
      return;
    }
    this.#saveForUndo("seat");
    Object.assign(this, { opponent, side, isPaused: false });
    this.#forgetMoves();
    if (this.plies.length > 0) this.#update({ begins: false, by: "person" });
  }

  /** Who plays; after the end of a game, who plays next. */
  get seats() {
    return this.#nextSeats ?? { opponent: this.opponent, side: this.side };
  }

  /** Seats the players chosen for the next game. */
  #seatNext() {
    if (this.#nextSeats) Object.assign(this, this.#nextSeats);
    this.#nextSeats = null;
  }
}
