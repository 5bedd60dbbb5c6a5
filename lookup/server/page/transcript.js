// Transcripts: games in files, a line of JSON each, as bouton-match writes and reads them (docs/games.md).

import { ApiError } from "./api.js";
import { byId, html } from "./dom.js";
import { download } from "./download.js";
import { newSavedGame } from "./saved-game.js";
import { t } from "./language.js";
import { ownName } from "./own-rules.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./saved-game.js").SavedGame} SavedGame */
/** @typedef {import("./api.js").Table} Table */

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
export const save = (/** @type {Game} */ game) => download(game.table?.name ?? "game", "jsonl", transcriptLine(game));

/** A game of a file. @typedef {{players: string[], game: string, rules: any, start: string, moves: string[]}} Recorded */

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
 * Lets the reader open files, with the button or by dropping them on the page.
 * @param {() => Table[]} tables
 * @param {(table: string, saved: SavedGame) => Promise<boolean>} play loads a game; returns whether it is on the board
 * @param {(file: File) => void} openTable opens the file of a table
 * @param {(error: Error) => void} failed
 */
export function connectFiles(tables, play, openTable, failed) {
  const choice = byId("recorded");
  const take = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    if (/\.bouton$/i.test(file.name)) return openTable(file);
    const games = await gamesOf(file).catch(() => []);
    if (games.length === 0) return failed(new ApiError(400, t.error.file(file.name)));
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
  };
  /** @type {NodeListOf<HTMLInputElement>} */ const inputs = document.querySelectorAll("input.open");
  for (const input of inputs) {
    input.addEventListener("change", () => {
      take(input.files?.[0]);
      input.value = "";
    });
  }
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}
