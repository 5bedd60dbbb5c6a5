// Wythoff's game, which has a board of its own: board-queen.js.

/** Returns whether a game is that of the queen: two heaps, and a move takes from one, or the same number from both. @param {import("./api.js").Table} table */
export function isQueenGame({ game, rules }) {
  return (
    game === "heaps" &&
    rules.bounds?.length === 2 &&
    rules.take === "any" &&
    rules["heaps-per-move"] === 2 &&
    Boolean(rules["equal-take"]) &&
    !rules.passes
  );
}
