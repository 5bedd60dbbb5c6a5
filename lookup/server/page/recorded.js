// Games and tables in files: the buttons that save and open them, and files that are dropped on the page.

import { byId } from "./dom.js";
import { loadTranscripts } from "./on-demand.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./saved-game.js").SavedGame} SavedGame */
/** @typedef {import("./api.js").Table} Table */

/** Connects the button that saves the game. @param {Game} game @param {() => void} saved called after that @param {(error: unknown, again: () => void) => void} failed */
export function connectSave(game, saved, failed) {
  const save = async () => {
    try {
      (await loadTranscripts()).save(game);
      saved();
    } catch (error) {
      failed(error, save);
    }
  };
  byId("save").addEventListener("click", save);
}

/**
 * Lets the reader open files, with the button or by dropping them on the page.
 * @param {() => Table[]} tables
 * @param {(table: string, saved: SavedGame) => Promise<boolean>} play loads a game; returns whether it is on the board
 * @param {(file: File) => void} openTable opens the file of a table
 * @param {(error: unknown, again: () => void) => void} failed
 */
export function connectFiles(tables, play, openTable, failed) {
  const take = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    if (/\.bouton$/i.test(file.name)) return openTable(file);
    try {
      await (await loadTranscripts()).openGames(file, tables, play);
    } catch (error) {
      failed(error, () => take(file));
    }
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
