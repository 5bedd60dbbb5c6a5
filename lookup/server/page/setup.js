// The form above the board: which game, from where, and who plays.

import { byId, html } from "./dom.js";
import { rulesInWords } from "./words.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

/** Fills the list of games. */
export function offerGames(/** @type {Table[]} */ tables) {
  byId("game").replaceChildren(...tables.map((table) => html("option", { value: table.name }, table.title)));
}

/** Shows which game is played. */
export function showSetup(/** @type {Game} */ game) {
  const { table } = game;
  if (!table) return;
  byId("game").value = table.name;
  byId("start").value = game.plies[0].state.position;
  byId("rules").textContent = rulesInWords(table);
  document.title = `${table.title} – Bouton`;
}

/** Connects the lists of players and the error rate to the game. */
export function seat(/** @type {Game} */ game) {
  const [opponent, side, rate] = [byId("opponent"), byId("side"), byId("rate")];
  const sit = () => {
    byId("erring").hidden = opponent.value !== "erring";
    byId("sides").hidden = opponent.value === "friend" || opponent.value === "nobody";
    game.seat(opponent.value, side.value === "2" ? 2 : 1);
  };
  const err = () => {
    byId("percent").textContent = `${rate.value} %`;
    rate.setAttribute("aria-valuetext", `${rate.value} percent`);
    game.erring = Number(rate.value);
  };
  opponent.addEventListener("change", sit);
  side.addEventListener("change", sit);
  rate.addEventListener("input", err);
  err();
  // The browser may have kept the choices from before a reload.
  sit();
}
