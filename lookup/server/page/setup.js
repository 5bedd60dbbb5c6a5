// *Settings*: the game, its start, and its players.

import { beforeFrame, byId, html } from "./dom.js";
import { nameOf, sortTables } from "./gallery.js";
import { t } from "./language.js";
import { storeChoice } from "./storage.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

/** The least width of a part of the rules that says something, in pixels. */
const MIN_RULES = 60;

/** Fills the list of games, and keeps the reader's choice. */
export function offerGames(/** @type {Table[]} */ tables) {
  const kept = byId("game").value;
  byId("game").replaceChildren(
    ...sortTables(tables).map((table) => html("option", { value: table.name }, nameOf(table))),
  );
  if (kept) byId("game").value = kept;
}

/** Returns the start of a game as people type it: for a pile as it is before any move, its stones alone. */
export function typedStart(/** @type {Game} */ { table, plies }) {
  const { position } = plies[0].state;
  const [stones, ...rest] = position.split("/");
  const [, ...first] = table?.start.split("/") ?? [];
  return table?.game === "expanding" && rest.join() === first.join() ? stones : position;
}

/** Shows which game is played. */
export function showSetup(/** @type {Game} */ game) {
  const { table } = game;
  if (!table) return;
  byId("game").value = table.name;
  byId("start").value = typedStart(game);
  byId("name").textContent = nameOf(table);
  byId("rules").textContent = t.rules.all(table);
  fitSoon();
  document.title = `${nameOf(table)} – Bouton`;
}

/** Offers the whole rules if they do not fit their line. */
export function fitRules() {
  const [rules, more] = [byId("rules"), byId("more-rules")];
  const all = more.getAttribute("aria-expanded") === "true";
  rules.classList.toggle("short", !all && rules.clientWidth < MIN_RULES);
  // Not `hidden`: rules with `:has(… :not([hidden]))` would make the browser compute all styles of the board again.
  more.classList.toggle("idle", !all && rules.scrollWidth <= rules.clientWidth);
}

const fitSoon = beforeFrame(fitRules);

/** Connects the button that shows the whole rules. */
export function connectRules() {
  const more = byId("more-rules");
  more.addEventListener("click", () => {
    more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") !== "true"));
    fitRules();
  });
  new ResizeObserver(fitRules).observe(byId("rules"));
}

/** Shows who plays. */
export function showSeats(/** @type {Game} */ game) {
  const { opponent, side } = game.seats;
  const [select, sides] = [byId("opponent"), byId("side")];
  select.disabled = sides.disabled = game.isWaiting;
  select.value = opponent;
  sides.value = String(side);
  const one = opponent !== "friend" && opponent !== "nobody";
  byId("sides").hidden = !one;
  byId("seats").textContent = t.seat.line(select.selectedOptions[0]?.textContent ?? "", one ? t.seat.sides[side] : "");
}

/** Connects the lists of players to the game. */
export function connectSeats(/** @type {Game} */ game) {
  const sit = () => {
    // A match elsewhere is not how the next game of the gallery begins.
    if (byId("opponent").value !== "elsewhere") storeChoice("opponent", byId("opponent").value);
    game.changeSeats(byId("opponent").value, byId("side").value === "2" ? 2 : 1);
    showSeats(game);
  };
  byId("opponent").addEventListener("change", sit);
  byId("side").addEventListener("change", sit);
  showSeats(game);
}
