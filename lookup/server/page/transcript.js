// Transcripts: games in files, a line of JSON each, as bouton-match writes and reads them (docs/games.md).

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./saved-game.js").SavedGame} SavedGame */

/** A game of a file. @typedef {{players: string[], game: string, rules: any, start: string, moves: string[]}} Recorded */

/**
 * Returns the functions that save a game, and open the games of a file. This module is loaded when one of them is first needed,
 * and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeTranscripts({ api, dom: { byId, html }, download: { download }, newSavedGame, ownName, t }) {
  /** Maximum number of bytes read from a file: some ten thousand games. */
  const MAX_FILE_BYTES = 16 << 20;

  /** Returns the line of a game in a transcript. Its times are 0: the page does not measure them. @param {Game} game */
  function transcriptLine(game) {
    const { table, plies } = game;
    if (!table) return "";
    const { rules } = table;
    const last = plies.length - 1;
    // In a transcript, "first" is the player of the first move.
    const begins = game.mover(0);
    const players = [begins, begins === 1 ? 2 : 1].map((player) =>
      t.transcript.player(game.who(/** @type {1 | 2} */ (player))),
    );
    const moves = plies.flatMap(({ move }) => (move ? [move.move] : []));
    const end = plies[last].state.over
      ? { winner: game.winner(last) === begins ? "first" : "second", reason: "played" }
      : { "broken-off": "saved from the page before its end" };
    const line = { game: table.game, rules, players, start: plies[0].state.position, moves, ...end, seconds: [0, 0] };
    return `${JSON.stringify(line)}\n`;
  }

  /** Saves a game as a file. */
  const save = (/** @type {Game} */ game) => download(game.table?.name ?? "game", "jsonl", transcriptLine(game));

  /** Returns whether the value of a line is a game. @param {any} line @returns {line is Recorded} */
  const isGame = (line) =>
    (line?.game === "heaps" || line?.game === "expanding") &&
    typeof line.rules === "object" &&
    line.rules !== null &&
    typeof line.start === "string" &&
    (line.players === undefined || Array.isArray(line.players)) &&
    Array.isArray(line.moves) &&
    line.moves.every((/** @type {unknown} */ move) => typeof move === "string");

  /** Parses a line of JSON; null if it is invalid. */
  function parseLine(/** @type {string} */ line) {
    try {
      return JSON.parse(line);
    } catch {
      return null;
    }
  }

  /** Reads the games of a file; none if it is not a transcript. Ignores a truncated last line. @returns {Promise<Recorded[]>} */
  async function gamesOf(/** @type {File} */ file) {
    const lines = (await file.slice(0, MAX_FILE_BYTES).text()).split("\n").filter((line) => line.trim() !== "");
    const games = lines.map(parseLine);
    if (games.length > 1 && games.at(-1) === null) games.pop();
    return games.every(isGame) ? games : [];
  }

  /** Returns whether two rulesets are equal. @param {any} a @param {any} b */
  const isSameRules = (a, b) =>
    Object.keys(a).length === Object.keys(b).length &&
    Object.keys(a).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));

  /**
   * Offers the games of a file in a list, and puts the first one on the board.
   * @param {File} file
   * @param {() => Table[]} tables
   * @param {(table: string, saved: SavedGame) => Promise<boolean>} play loads a game; returns whether it is on the board
   */
  async function openGames(file, tables, play) {
    const choice = byId("recorded");
    const games = await gamesOf(file).catch(() => []);
    if (games.length === 0) throw new api.ApiError(400, t.error.file(file.name));
    const go = async (/** @type {Recorded} */ recorded) => {
      const known = tables().find(({ game, rules }) => game === recorded.game && isSameRules(rules, recorded.rules));
      const name = known?.name ?? ownName(recorded.rules);
      const { start, moves } = recorded;
      // Show the end of the game: the winner, and the move that threw a win away.
      const taken = await play(name, { ...newSavedGame(name, start, moves, "friend"), at: moves.length });
      if (taken) choice.hidden = false;
    };
    // With a single game, the list only shows its players.
    choice.disabled = games.length < 2;
    choice.replaceChildren(
      ...games.map(({ players }, n) =>
        html("option", { value: n }, t.transcript.game(n + 1, (players ?? []).map(String).join(" – "))),
      ),
    );
    choice.onchange = () => go(games[choice.value]);
    go(games[0]);
  }

  return { openGames, save };
}
