// *Map*: the plane around the position, the map of the whole game if that is small, and the list of what the colours show.

import { byId, html } from "./dom.js";
import { nameOf } from "./gallery.js";
import { t } from "./language.js";
import { loadGameMap, loadPlane } from "./on-demand.js";
import { relatives, sharedPosition } from "./relatives.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

const gameMap = html("div", { class: "stack" });
/** The maps: one element for all positions, so that the focus stays on its buttons. */
const maps = html("div", {}, gameMap);

/** Returns whether positions of a game have Grundy values: the last stick wins, and each row is a game of its own. @param {Table} table */
const hasValues = ({ game, rules }) =>
  game === "heaps" && rules.play === "normal" && rules["heaps-per-move"] === 1 && !rules.passes;

/** Returns the value of the option *compared with* a table. It begins with the word `table`, as the value of no other option does. @param {Table} table */
const againstTable = ({ name }) => `table ${name}`;

/** Fills the list of what the colours show: outcomes, depths, values, or what differs from another table. @param {Table} table @param {Table[]} others */
function offerColours(table, others) {
  const select = byId("colours");
  const chosen = select.value;
  const option = (/** @type {string} */ value, /** @type {string} */ words) =>
    html("option", { value, selected: value === chosen }, words);
  select.replaceChildren(
    option("", t.map.byOutcome),
    ...(table.holds.includes("depth") ? [option("depth", t.map.byDepth)] : []),
    ...(hasValues(table) ? [option("value", t.map.byValue)] : []),
    ...others.map((other) => option(againstTable(other), t.map.against(nameOf(other)))),
  );
}

/** Returns the maps of a game. @param {Game} game @param {number} width of the panel @param {Table[]} tables all games, to compare with */
export async function drawMaps(game, width, tables) {
  const { table, state } = game;
  if (!table) return maps;
  const others = relatives(tables, table);
  offerColours(table, others);
  const colours = byId("colours").value;
  const other = others.find((other) => againstTable(other) === colours);
  const [plane, drawGameMap] = await Promise.all([loadPlane(), loadGameMap()]);
  if (plane.root.parentNode !== maps) maps.prepend(plane.root);
  const compared = other ? { table: other, position: sharedPosition(game, other) } : null;
  const part = await plane.draw(game, width, colours, compared);
  const whole = await drawGameMap(game, part.game_map);
  if (state === game.state) gameMap.replaceChildren(...(whole ? [whole] : []));
  return maps;
}
