// Games of the same family, and positions that two of them share: *Map* and *Variants* compare these.

/** @typedef {import("./api.js").Table} Table */

/** Returns the other tables of the same family. @param {Table[]} tables @param {Table} table */
export const relatives = (tables, table) =>
  tables.filter((other) => other.game === table.game && other.name !== table.name);

/**
 * Returns the position in a form that both tables can read: without empty heaps at the end, and without passes if the other
 * rules have none and no pass is used.
 * @param {import("./game.js").Game} game @param {Table} other
 */
export function sharedPosition(game, other) {
  const { position, heaps, passes } = game.state;
  if (!heaps) return position;
  const last = heaps.findLastIndex((heap) => heap > 0);
  const all = passes === game.table?.rules.passes && !other.rules.passes;
  const rest = position.includes("/") && !all ? `/${passes}` : "";
  return heaps.slice(0, Math.max(1, last + 1)).join(",") + rest;
}
