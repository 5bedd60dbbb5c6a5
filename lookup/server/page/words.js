// The page's words for rules, moves and verdicts. The rules come from the table; nothing here decides what is legal.

/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./api.js").Move} Move */

export const plies = (/** @type {number} */ n) => (n === 1 ? "1 ply" : `${n} plies`);

/** @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** A sentence about a player, for example "You win". @param {string} who "You" or another name @param {string} verb without its "s" */
export const does = (who, verb) => `${who} ${who === "You" ? verb : `${verb}s`}`;

export const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);

const listed = (/** @type {(string | number)[]} */ all, /** @type {string} */ last) =>
  all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all[all.length - 1]}`;

/** What the board holds: sticks or stones. */
export const unit = (/** @type {Table} */ table) => (table.game === "heaps" ? "stick" : "stone");

/** Who wins, and what may be taken: the line under the title. */
export function rulesInWords(/** @type {Table} */ table) {
  const last = `The player who takes the last ${unit(table)} ${table.rules.play === "misere" ? "loses" : "wins"}.`;
  return `${last} ${mayTake(table)}`;
}

/** What a move may take. */
export function mayTake(/** @type {Table} */ table) {
  return table.game === "heaps" ? mayTakeOfHeaps(table.rules) : mayTakeOfPile(table.rules);
}

/** @param {any} rules */
function mayTakeOfHeaps(rules) {
  const { take, passes } = rules;
  const several = rules["heaps-per-move"] ?? 1;
  const amount =
    take === "any"
      ? "any number of sticks"
      : typeof take === "number"
        ? `1 to ${count(take, "stick")}`
        : `${listed(take, "or")} sticks`;
  const rows =
    several === 1
      ? "from one row"
      : rules["equal-take"]
        ? `from one row, or the same number from ${several === 2 ? "two" : `up to ${several}`} rows`
        : `from each of up to ${several} rows`;
  const pass = !passes
    ? ""
    : passes === 1
      ? " There is one pass, which either player may use while sticks are left."
      : ` There are ${passes} passes, which both players share and may use while sticks are left.`;
  return `A move takes ${amount} ${rows}.${pass}`;
}

/** @param {any} rules */
function mayTakeOfPile(rules) {
  const [first, second] = rules.resets;
  const reset = ` With a move, a player may impose a reset: then the opponent may take at most ${rules["reset-limit"]}.`;
  const resets =
    first + second === 0
      ? ""
      : first === second
        ? ` Each player has ${count(first, "reset")}.${reset}`
        : ` The first player has ${count(first, "reset")}, the second ${second}.${reset}`;
  const limit =
    rules.growth === 0 ? "the most taken at once so far" : `${rules.growth} more than the most taken at once so far`;
  return `A move takes stones up to a limit: ${limit}, but at least ${rules["base-limit"]}.${resets}`;
}

/**
 * A sentence about a move that was made.
 * @param {string} who "You" or another name
 * @param {Move} move
 */
export const deed = (who, move) => {
  const you = who === "You";
  if (move.takes.length === 0) return `${who} ${you ? "pass" : "passes"}.`;
  return `${who} ${you ? move.words : move.words_of_another}.`;
};

/** The chosen sticks in words, whether that is a legal move or not: rows, and how many are taken from each. */
export function takeWords(
  /** @type {[number, number][]} */ chosen,
  /** @type {boolean} */ pile,
  /** @type {boolean} */ reset,
) {
  const parts = chosen.map(([row, taken]) => (pile ? String(taken) : `${taken} from row ${row}`));
  return `take ${listed(parts, "and")}${reset ? " and impose a reset" : ""}`;
}

/**
 * @param {string} outcome
 * @param {number | undefined} depth of the position; absent if the table holds no depths
 */
export function verdict(outcome, depth) {
  const wins = outcome === "win" ? "wins" : "loses";
  return depth === undefined ? wins : `${wins} in ${plies(depth)}`;
}
