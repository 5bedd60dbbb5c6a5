// *Variants*: the verdicts on the position under these rules and under others, side by side.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

/**
 * Returns the functions that draw the comparison, and fill the list of tables to compare with. This module is loaded when the
 * panel is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeVariants({
  api,
  dom: { html, mark, scrollingTable },
  gallery: { nameOf },
  notation: { instruction, moveWords },
  relatives,
  sharedPosition,
  t,
}) {
  /** Maximum number of moves in the comparison; moves with different outcomes come first. */
  const MAX_LISTED_MOVES = 200;

  /**
   * Fills the list of other tables of the same family. Keeps the reader's choice, if possible.
   * @param {HTMLSelectElement} select
   * @param {Table[]} tables
   * @param {Table} table
   */
  function offerTables(select, tables, table) {
    const others = relatives(tables, table);
    const kept = select.value;
    select.replaceChildren(...others.map((other) => html("option", { value: other.name }, nameOf(other))));
    select.disabled = others.length === 0;
    if (others.some((other) => other.name === kept)) select.value = kept;
    else if (others.length > 0) select.value = closestTable(others, table).name;
  }

  /** Returns the most useful table to compare with: preferably one that differs in a single rule, and not in size. */
  function closestTable(/** @type {Table[]} */ others, /** @type {Table} */ table) {
    const distance = (/** @type {Table} */ other) => {
      const keys = [...new Set([...Object.keys(other.rules), ...Object.keys(table.rules)])];
      const differing = keys.filter((key) => JSON.stringify(other.rules[key]) !== JSON.stringify(table.rules[key]));
      return differing.length + (differing.some((key) => SIZE_KEYS.has(key)) ? keys.length : 0);
    };
    return others.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  }

  /** The keys that only set the size of a game. */
  const SIZE_KEYS = new Set(["bounds", "stones"]);

  /**
   * Returns the comparison.
   * @param {Game} game
   * @param {Table | undefined} other
   * @param {(position: string) => void} play begins a game under the other rules
   */
  async function drawVariants(game, other, play) {
    const { table } = game;
    if (!table || !other) return html("p", { class: "aside" }, t.variants.none);
    const position = sharedPosition(game, other);
    const diff = await api.diff(table.name, other.name, position);
    if (!diff.a || !diff.b) return html("p", { class: "note" }, t.variants.notCovered);
    const differs = diff.differ.includes("outcome");
    return html(
      "div",
      {},
      html(
        "p",
        { class: differs ? "note" : "" },
        differs ? t.variants.differs : diff.differ.length === 0 ? t.variants.same : t.variants.sameOutcome(diff.differ),
      ),
      html("div", { class: "pair" }, side(table, diff.a), side(other, diff.b)),
      moves(diff, table, other),
      html("p", {}, html("button", { type: "button", onclick: () => play(position) }, t.variants.go)),
    );
  }

  /** Returns the verdict of one table. @param {Table} table @param {any} verdict */
  function side(table, verdict) {
    const { outcome, depth, best, winning } = verdict;
    const bestWords = outcome === "win" ? t.variants.best : t.variants.bestTry;
    return html(
      "div",
      { class: "side" },
      html("h3", {}, nameOf(table)),
      html("p", { class: `big ${outcome}` }, mark(outcome), t.verdict.toMove(outcome, depth)),
      html("p", { title: best }, best === null ? t.show.over : bestWords(instruction(best))),
      winning.length > 1 ? html("p", { class: "aside" }, t.variants.win(winning.length)) : null,
    );
  }

  /** Returns the outcomes of each move under both rules. @param {any} diff @param {Table} table @param {Table} other */
  function moves(diff, table, other) {
    const [a, b] = [diff.a, diff.b].map(
      (side) => new Map((side.moves ?? []).map((/** @type {any} */ move) => [move.move, move])),
    );
    const names = [...new Set([...a.keys(), ...b.keys()])];
    if (names.length === 0) return null;
    const isSingle = (/** @type {string} */ name) => !a.has(name) || !b.has(name);
    const isDifferent = (/** @type {string} */ name) => !isSingle(name) && a.get(name).outcome !== b.get(name).outcome;
    const [differing, single] = [names.filter(isDifferent), names.filter(isSingle)];
    const sorted = [...differing, ...single, ...names.filter((name) => !isDifferent(name) && !isSingle(name))];
    const cell = (/** @type {any} */ move) =>
      html(
        "td",
        {},
        ...(move
          ? [mark(move.outcome), ` ${t.verdict.short(move.outcome, move.depth_after)}`]
          : [t.variants.notAllowed]),
      );
    const row = (/** @type {string} */ name) =>
      html(
        "tr",
        { class: isDifferent(name) ? "differs" : "", "data-differs": isDifferent(name) ? name : null },
        html("th", { scope: "row" }, moveWords(name)),
        cell(a.get(name)),
        cell(b.get(name)),
        html(
          "td",
          {},
          isDifferent(name)
            ? html("span", { role: "img", "aria-label": t.variants.differ, title: t.variants.differ }, "≠")
            : null,
        ),
      );
    return html(
      "div",
      {},
      html("p", {}, t.variants.moves(differing.length, single.length)),
      scrollingTable(
        t.variants.both,
        [t.variants.move, nameOf(table), nameOf(other), ""],
        sorted.slice(0, MAX_LISTED_MOVES).map(row),
      ),
      sorted.length > MAX_LISTED_MOVES
        ? html("p", { class: "aside" }, t.variants.more(sorted.length - MAX_LISTED_MOVES))
        : null,
    );
  }

  return { drawVariants, offerTables };
}
