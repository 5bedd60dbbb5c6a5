// A game in progress: the positions so far, which of them is on the board, and who moves. This module knows no rules: the server
// lists the legal moves and the positions after them. Everything that the reader does to a game can be undone.

import * as api from "./api.js";
import { t } from "./language.js";

/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./api.js").State} State */
/** @typedef {import("./api.js").Move} Move */
/** @typedef {import("./texts/en.js").Who} Who */
/** A position of the game, and the move that led to it with who made it. @typedef {{state: State, move: Move | null, by: 1 | 2 | null}} Ply */
/** Who plays against the person: the table on one of its levels, a friend, or the table against itself. @typedef {"perfect" | "medium" | "easy" | "friend" | "nobody"} Opponent */
/** @typedef {1 | 2} Player */
/** The kind of an action. @typedef {"move" | "begin" | "seat" | "go" | "line"} Action */
/** Who plays. @typedef {{opponent: Opponent, side: Player}} Seats */
/**
 * The state of the game before an action, for *Undo*. Lines are replaced and never changed, so they need no copies.
 * @typedef {object} Snapshot
 * @property {Action} action the action that followed
 * @property {Table | null} table
 * @property {Ply[]} plies
 * @property {Ply[][]} variations
 * @property {number} at
 * @property {Opponent} opponent
 * @property {Player} side
 * @property {Player} first
 * @property {Seats | null} usual
 * @property {Aside | null} aside
 */
/**
 * The reader's own game, put aside while a panel has a game of its own on the board.
 * @typedef {object} Aside
 * @property {string} panel
 * @property {Partial<Game>} game
 * @property {Player} first
 * @property {boolean} chosen
 * @property {Seats | null} next
 * @property {Seats | null} usual
 * @property {Snapshot[]} past
 * @property {Snapshot[]} future
 */
/**
 * A game in short: enough to restore it.
 * @typedef {object} SavedGame
 * @property {string} table
 * @property {string} start the position it began with
 * @property {string[]} moves
 * @property {string[][]} [variations]
 * @property {number} at
 * @property {Opponent} opponent
 * @property {Player} side
 * @property {Player} first
 * @property {boolean} [chosen] whether the reader has chosen the side
 */

/** Pause before the computer moves, in ms, so that the board can be seen between two moves. */
const PAUSES = { reply: 500, watch: 700 };
/** Probability with which the computer makes a random legal move instead of the best. @type {Record<Opponent, number>} */
const ERROR_RATES = { perfect: 0, medium: 0.2, easy: 0.5, friend: 0, nobody: 0 };
export const OPPONENTS = /** @type {Opponent[]} */ (Object.keys(ERROR_RATES));
/** Most actions that can be undone, and most other lines that are kept. */
const MAX_ACTIONS = 500;
const MAX_VARIATIONS = 20;

export class Game {
  /** @type {Table | null} */ table = null;
  /** @type {Ply[]} */ plies = [];
  /** Lines that were played and left. @type {Ply[][]} */ variations = [];
  at = 0;
  /** @type {Opponent} */ opponent = "perfect";
  /** @type {Player} */ side = 1;
  /** Whether the table waits although it is its turn. */
  isPaused = false;
  /** Moves since the person's last turn: in a message, and on the board. @type {{who: Who, move: Move}[]} */ recentMoves =
    [];
  /** A message about the last step through the game or the last *Undo*, until the next move. @type {() => string} */ stepMessage =
    () => "";
  /** Whether a move was made and its answer is awaited. */
  isWaiting = false;
  /** Whether that move is a person's. */
  #mineIsAwaited = false;
  /** Counts up when earlier requests no longer matter: their responses are dropped. */
  #epoch = 0;
  /** Who was to move at the start, if positions do not say. @type {Player} */ #first = 1;
  /** Who will play the next game, chosen after the end of this one. @type {Seats | null} */ #next = null;
  /** Who usually plays, while a loaded game is played by two friends. @type {Seats | null} */ #usual = null;
  /** Whether the reader has chosen a side. */
  #chosen = false;
  /** @type {Aside | null} */ #aside = null;
  /** @type {Snapshot[]} */ #past = [];
  /** @type {Snapshot[]} */ #future = [];
  #changed;
  #failed;

  /**
   * @param {(game: Game, how: {begins: boolean, again?: boolean, by: "person" | "table"}) => void} changed `begins`: another
   *     game is on the board, `again`: one that was there before; `by`: who made the last move
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
  get isPersonsMove() {
    return this.plies.length > 0 && !this.state.over && !this.isWaiting && this.#personal();
  }

  /** Whether it is the table's turn, paused or not. */
  get isTablesTurn() {
    return this.plies.length > 0 && !this.state.over && !this.#personal();
  }

  /** A player, as texts know them. @returns {Who} */
  who(/** @type {Player} */ player) {
    if (this.opponent === "friend" || this.opponent === "nobody") return player === 1 ? "first" : "second";
    return player === this.side ? "you" : "table";
  }

  /** Returns who has won, or wins from a position under best play. */
  winner(at = this.at) {
    const mover = this.mover(at);
    return this.plies[at].state.outcome === "win" ? mover : other(mover);
  }

  /** Returns whether a person has moved. */
  get hasBegun() {
    return this.plies.some(({ by }) => by !== null && this.who(by) !== "table");
  }

  /** The plies whose move turned a won position into a lost one. */
  get mistakes() {
    return this.plies.flatMap((ply, at) =>
      at > 0 && this.plies[at - 1].state.outcome === "win" && ply.state.outcome === "win" ? [at] : [],
    );
  }

  /** The last moves, which the board marks: those since the person's last turn, or the one that led here. @returns {Move[]} */
  get lastMoves() {
    if (this.recentMoves.length > 0) return this.recentMoves.map(({ move }) => move);
    const { move } = this.plies[this.at];
    return move ? [move] : [];
  }

  /**
   * Begins a new game. If the server refuses it, the old game stays.
   * @param {Table} table
   * @param {string} position
   * @param {{first?: Player, fair?: boolean}} how `first`: who is to move, if the position does not say, and the reader keeps their
   *     side. Without it the first player is, and a reader who has chosen no side becomes that or, if `fair`, the one that can win
   */
  begin(table, position, { first, fair = false } = {}) {
    return this.#enter(
      async () => [{ state: await api.state(table.name, position), move: null, by: null }],
      (plies) => {
        this.#remember("begin");
        this.#aside = null;
        Object.assign(this, { table, plies, variations: [], at: 0, paused: false, made: [], place: () => "" });
        this.#first = first ?? 1;
        if (this.#usual) Object.assign(this, this.#usual);
        this.#usual = null;
        this.#sit();
        if (fair) this.#beFair();
        else if (!first && !this.#chosen) this.side = 1;
        this.#settle({ begins: true, by: "person" });
      },
      () => this.begin(table, position, { first, fair }),
    );
  }

  /** Begins the same game again, with the same players. */
  again() {
    if (this.table) this.begin(this.table, this.plies[0].state.position, { first: this.mover(0) });
  }

  /**
   * Loads a game and puts it on the board. If another game begins meanwhile, that one stays.
   * @param {() => Promise<{table: Table, saved: SavedGame} | null>} find null: there is none
   * @param {{again?: boolean, once?: boolean, fair?: boolean, panel?: string | null}} how `again`: it was there before; `once`: only
   *     the players of the saved game play it; `fair`: as in `begin`; `panel`: the panel that brings it, and puts the reader's game aside
   * @returns {Promise<boolean>} whether it is on the board
   */
  resume(find, { again = false, once = false, fair = false, panel = null } = {}) {
    return this.#enter(
      async () => {
        const found = await find();
        if (!found) return null;
        const { table, saved } = found;
        const lines = [saved.moves, ...(saved.variations ?? [])].map((moves) => loadLine(table, saved, moves));
        return { table, saved, lines: await Promise.all(lines) };
      },
      (answer) => {
        if (!answer) return;
        const { table, saved } = answer;
        const [plies, ...variations] = answer.lines;
        const aside = panel === null ? null : this.#setAside(panel);
        this.#remember("begin");
        this.#aside = aside;
        this.#usual = once ? (this.#usual ?? this.seats) : null;
        const { opponent, side, first } = saved;
        const at = Math.max(0, Math.min(saved.at, plies.length - 1));
        Object.assign(this, { table, plies, variations, at, opponent, side, made: [], place: () => "" });
        this.#first = first;
        this.#next = null;
        if (fair) this.#beFair();
        else if (!once) this.#chosen = saved.chosen ?? false;
        this.isPaused = !this.#personal() && (this.opponent === "nobody" || at < plies.length - 1);
        this.#settle({ begins: true, again, by: "person" });
      },
      () => this.resume(find, { again, once, fair, panel }),
    );
  }

  /** @param {string} panel @returns {Aside | null} null if there is no game yet */
  #setAside(panel) {
    if (this.#aside) return { ...this.#aside, panel };
    if (this.plies.length === 0) return null;
    const {
      table,
      plies,
      variations,
      at,
      opponent,
      side,
      isPaused: paused,
      recentMoves: made,
      stepMessage: place,
    } = this;
    return {
      panel,
      game: { table, plies, variations, at, opponent, side, isPaused: paused, recentMoves: made, stepMessage: place },
      first: this.#first,
      chosen: this.#chosen,
      next: this.#next,
      usual: this.#usual,
      past: this.#past,
      future: this.#future,
    };
  }

  /** Brings the game back that a panel has put aside, as it was, if one of this panel's is on the board. */
  restoreAside(/** @type {string} */ panel) {
    if (this.#aside?.panel !== panel) return;
    const { game, first, chosen, next, usual, past, future } = this.#aside;
    Object.assign(this, game);
    this.#first = first;
    this.#chosen = chosen;
    this.#next = next;
    this.#usual = usual;
    this.#past = past;
    this.#future = future;
    this.#aside = null;
    this.#settle({ begins: true, again: true, by: "person" });
  }

  /**
   * Requests the first state of a game, and begins it.
   * @template T
   * @param {() => Promise<T>} ask @param {(answer: T) => void} begin @param {() => void} again
   * @returns {Promise<boolean>} whether it has begun
   */
  async #enter(ask, begin, again) {
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
      this.#lead();
      this.#failed(error, again);
      return false;
    }
  }

  /** Gives the reader the side that wins, as long as they have chosen none. */
  #beFair() {
    if (!this.#chosen) this.side = this.winner(0);
  }

  /** Returns whether the players differ from the usual ones: in a lesson, a challenge, or a game from a file. */
  get isTemporary() {
    return this.#usual !== null;
  }

  /** Returns the game in short. @returns {SavedGame} */
  get saved() {
    const moves = (/** @type {Ply[]} */ plies) => plies.flatMap((ply) => (ply.move ? [ply.move.move] : []));
    const { table, plies, variations, at, opponent, side } = this;
    return {
      table: table?.name ?? "",
      start: plies[0].state.position,
      moves: moves(plies),
      variations: variations.map(moves),
      at,
      opponent,
      side,
      first: this.#first,
      chosen: this.#chosen,
    };
  }

  /** Makes a move for the person whose turn it is. */
  play(/** @type {string} */ text) {
    const move = this.isPersonsMove ? this.state.moves.find((move) => move.move === text) : undefined;
    if (!move) return;
    this.recentMoves = [];
    this.#make(move, "person");
  }

  /** @param {Move} move @param {"person" | "table"} by */
  async #make(move, by) {
    const epoch = ++this.#epoch;
    const { table, at } = this;
    if (!table) return;
    this.isWaiting = true;
    this.#mineIsAwaited = by === "person";
    this.isPaused = false;
    if (by === "person") this.#changed(this, { begins: false, by });
    try {
      const state = await api.state(table.name, move.to);
      if (epoch !== this.#epoch) return;
      this.isWaiting = false;
      if (by === "person" || this.opponent === "nobody") this.#remember("move");
      const mover = this.mover(at);
      // If the same move was made here before, keep the moves after it for *Redo*.
      if (this.plies[at + 1]?.move?.move !== move.move)
        this.#replace([...this.plies.slice(0, at + 1), { state, move, by: mover }]);
      this.at = at + 1;
      this.stepMessage = () => "";
      if (this.opponent === "nobody") this.recentMoves = [];
      this.recentMoves = [...this.recentMoves, { who: this.who(mover), move }].slice(-2);
      this.#settle({ begins: false, by });
    } catch (error) {
      if (epoch !== this.#epoch) return;
      this.isWaiting = false;
      // If the computer could not move, pause it: the reader may not try again.
      this.isPaused = this.isTablesTurn;
      this.#changed(this, { begins: false, by });
      this.#failed(error, () => this.#make(move, by));
    }
  }

  /** Puts another line on the board. Keeps the old line, unless the new one continues it. */
  #replace(/** @type {Ply[]} */ plies) {
    const kept = [this.plies, ...this.variations].filter((line) => line.length > 1 && !isPrefix(line, plies));
    this.variations = kept
      .filter(
        (line, n) =>
          !kept.some((longer, m) => m !== n && isPrefix(line, longer) && (m < n || longer.length > line.length)),
      )
      .slice(0, MAX_VARIATIONS);
    this.plies = plies;
  }

  /** Shows the position, and lets the table move if it is its turn. @param {{begins: boolean, again?: boolean, by: "person" | "table"}} how */
  #settle(how) {
    this.#epoch++;
    this.isWaiting = false;
    this.#changed(this, how);
    this.#lead();
  }

  /** Lets the table move, after a while, if it is its turn. */
  #lead() {
    const epoch = this.#epoch;
    if (!this.isTablesTurn || this.isPaused) return;
    setTimeout(
      () => {
        if (epoch === this.#epoch) this.#make(this.#tablesMove(), "table");
      },
      this.opponent === "nobody" ? PAUSES.watch : PAUSES.reply,
    );
  }

  /** Returns the computer's move: the best, or a random one if it errs. */
  #tablesMove() {
    const { moves, best } = this.state;
    if (Math.random() < ERROR_RATES[this.opponent]) return moves[Math.floor(Math.random() * moves.length)];
    return moves.find((move) => move.move === best) ?? moves[0];
  }

  /** Returns the state of the game before an action. @returns {Snapshot} */
  #snapshot(/** @type {Action} */ action) {
    const { table, plies, variations, at, opponent, side } = this;
    const [first, usual, aside] = [this.#first, this.#usual, this.#aside];
    return { action, table, plies, variations, at, opponent, side, first, usual, aside };
  }

  /** Saves the state of the game for *Undo*, before an action. */
  #remember(/** @type {Action} */ action) {
    if (this.plies.length === 0) return;
    this.#past = [...this.#past, this.#snapshot(action)].slice(-MAX_ACTIONS);
    this.#future = [];
  }

  /** Restores an earlier state of the game. @param {Snapshot} was @param {Action} action the action that is undone or redone */
  #restore(was, action) {
    const begins = was.table !== this.table || was.plies[0] !== this.plies[0];
    // Later moves stay on the curve, for *Redo*.
    const longer = action === "move" && isPrefix(was.plies, this.plies);
    const { table, at, opponent, side } = was;
    Object.assign(this, { table, at, opponent, side });
    if (!longer) Object.assign(this, { plies: was.plies, variations: was.variations });
    this.#first = was.first;
    this.#usual = was.usual;
    this.#aside = was.aside;
    this.#next = null;
    this.#stay();
    this.stepMessage = () => t.status.undone[action] || this.#where;
    this.#settle({ begins, again: true, by: "person" });
  }

  /** Pauses the computer after a step through the game, so that it does not overwrite moves that can be redone. */
  #stay() {
    this.isPaused =
      !this.#personal() && (this.opponent === "nobody" || this.#future.length > 0 || this.at < this.plies.length - 1);
    this.recentMoves = [];
  }

  get #where() {
    return this.at === 0 ? t.status.start : t.status.at(this.at, this.plies.length - 1);
  }

  /** Whether there is something to undo, and to redo. */
  get canUndo() {
    return this.#past.length > 0 || this.#turn(-1) >= 0;
  }
  get canRedo() {
    return this.#future.length > 0 || this.#turn(1) >= 0;
  }

  /** The nearest ply before or after, at which a person is to move or the line ends; -1 if there is none. */
  #turn(/** @type {1 | -1} */ step) {
    for (let at = this.at + step; at >= 0 && at < this.plies.length; at += step) {
      if (this.#personal(at) || this.opponent === "nobody" || (step === 1 && at === this.plies.length - 1)) return at;
    }
    return -1;
  }

  /** Undoes what was done last; in a game that was taken up, goes back to the person's last turn. */
  undo() {
    // A request without an answer yet has had no effect: undoing it is enough.
    if (this.isWaiting && this.#mineIsAwaited) return this.#settle({ begins: false, by: "person" });
    const was = this.#past.pop();
    if (!was) return this.#move(this.#turn(-1));
    this.#future.push(this.#snapshot(was.action));
    this.#restore(was, was.action);
  }

  /** Redoes the last undone action, or goes forward to the person's next turn. */
  redo() {
    const next = this.#future.pop();
    if (!next) return this.#move(this.#turn(1));
    this.#past.push(this.#snapshot(next.action));
    this.#restore(next, next.action);
  }

  /** Goes to a ply of the game. */
  goTo(/** @type {number} */ at) {
    if (!this.plies[at] || at === this.at) return;
    this.#remember("go");
    this.#move(at);
  }

  #move(/** @type {number} */ at) {
    if (!this.plies[at]) return;
    this.at = at;
    if (!this.state.over) this.#sit();
    this.#stay();
    this.stepMessage = () => this.#where;
    this.#settle({ begins: false, by: "person" });
  }

  /** Takes up another line of the game, at its end. */
  follow(/** @type {Ply[]} */ line) {
    this.#remember("line");
    this.#replace(line);
    this.#move(line.length - 1);
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
    this.#settle({ begins: false, by: "person" });
  }

  /** Changes who plays. */
  changeSeats(/** @type {Opponent} */ opponent, /** @type {Player} */ side) {
    if (!this.#next && opponent === this.opponent && side === this.side) return;
    this.#chosen ||= side !== this.side;
    this.#usual = null;
    // Do not change the winner of a finished game: the choice takes effect in the next game, or if this one is resumed.
    if (this.plies.length > 0 && this.state.over) {
      this.#next = { opponent, side };
      return;
    }
    this.#remember("seat");
    Object.assign(this, { opponent, side, paused: false, made: [], place: () => "" });
    if (this.plies.length > 0) this.#settle({ begins: false, by: "person" });
  }

  /** Who plays; after the end, who plays next. */
  get seats() {
    return this.#next ?? { opponent: this.opponent, side: this.side };
  }

  /** Seats the players chosen for the next game. */
  #sit() {
    if (this.#next) Object.assign(this, this.#next);
    this.#next = null;
  }

  /** The status line. */
  get status() {
    const said = this.recentMoves.map(({ who, move }) => t.status.deed(who, move.takes, move.reset));
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

const other = (/** @type {Player} */ player) => (player === 1 ? 2 : 1);

/**
 * A game to be taken up at its start.
 * @param {string} table @param {string} start @param {string[]} moves @param {Opponent} opponent @param {Player} side
 * @returns {SavedGame}
 */
export const newSavedGame = (table, start, moves, opponent, side = 1) => ({
  table,
  start,
  moves,
  at: 0,
  opponent,
  side,
  first: 1,
});

/** Returns whether a line is a prefix of another. */
const isPrefix = (/** @type {Ply[]} */ line, /** @type {Ply[]} */ of) =>
  line.length <= of.length &&
  line.every((ply, n) => ply === of[n] || (n > 0 && line[0] === of[0] && ply.move?.move === of[n].move?.move));

/** The plies of moves from a start. @param {Table} table @param {SavedGame} saved @param {string[]} moves @returns {Promise<Ply[]>} */
async function loadLine(table, saved, moves) {
  const states =
    moves.length > 0 ? await api.game(table.name, saved.start, moves) : [await api.state(table.name, saved.start)];
  const mover = (/** @type {number} */ at) => states[at].player ?? (at % 2 === 0 ? saved.first : other(saved.first));
  return states.map((state, n) => {
    if (n === 0) return { state, move: null, by: null };
    const move = states[n - 1].moves.find((move) => move.move === moves[n - 1]) ?? null;
    return { state, move, by: mover(n - 1) };
  });
}
