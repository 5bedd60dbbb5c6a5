// *Why*: for Nim, the heaps in binary and the effect of a move on their nim-sum; for every game, the argument in words,
// and the refutation of each move of the lost position.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").State} State */
/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./api.js").Move} Move */
/** @typedef {import("./texts/en.js").Who} Who */

/** @typedef {import("./api.js").Why} Why */
/** @typedef {import("./api.js").Block} Block */
/** @typedef {import("./api.js").Columns} Columns */

/**
 * Returns the functions that draw the panel, and its columns for another choice. This module is loaded when the panel is first
 * opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeWhy({
  api,
  binary: { bit, nimSum, digitPlaces },
  dom: { html, scrollingTable, prefersNoMotion, hiddenText },
  explainTerms,
  notation: { moveWords, parseMove, parsePosition, positionWords },
  t,
}) {
  /** The position drawn last, and whether its columns follow the choice on the board. */
  let drawn = { position: "", follows: false };

  /** Returns whether the theorem is about the digits of the heaps: then the page itself can compute the effect of any move. */
  const usesHeapDigits = (/** @type {Block} */ block) =>
    block.kind === "theorem" && (block.key === "nim" || block.key === "misere-nim");

  /**
   * Returns the panel's content.
   * @param {Game} game
   * @param {() => string} chosen returns the move that is chosen on the board, or ""
   */
  async function drawWhy(game, chosen) {
    const { table, state } = game;
    if (!table) return html("p");
    const who = game.who(game.mover());
    const why = await api.why(table.name, state.position);
    const nim = why.blocks.some(usesHeapDigits);
    drawn = { position: state.position, follows: nim };
    const argues = why.blocks.some((block) => block.kind === "replies");
    return html(
      "div",
      {},
      nim ? html("div", { id: "columns" }, columns(table, state, who, chosen())) : null,
      argument(table, state, who, why, nim),
      refutation(table, who, why, argues),
    );
  }

  /**
   * Returns the argument, part by part.
   * @param {Table} table
   * @param {State} state
   * @param {Who} who is to move
   * @param {Why} why
   * @param {boolean} nim whether the columns of Nim are drawn above
   */
  function argument(table, state, who, why, nim) {
    const parsed = {
      ...why,
      who,
      best: why.best === null ? null : parseMove(why.best),
      of: { ...parsePosition(table, why.of), text: why.of },
    };
    const part = (/** @type {Block} */ block) => {
      if (block.kind === "theorem")
        return html("p", {}, html("b", {}, t.why.theorem(block)), ...explainTerms(t.why.block(block, parsed)));
      if (block.kind === "columns") return nim ? null : columnsTable(block, captionOf(block.position, state, who));
      const moves =
        block.kind === "sentence"
          ? { move: block.move && parseMove(block.move), answer: block.answer && parseMove(block.answer) }
          : {};
      return html("p", {}, ...explainTerms(t.why.block({ ...block, ...moves }, parsed)));
    };
    return html(
      "div",
      { class: "text", tabindex: 0, role: "group", "aria-label": t.why.argument },
      ...why.blocks.map(part),
    );
  }

  /** Returns the caption of columns, which show the position on the board or the one after the best move. @param {string} position @param {State} state @param {Who} who is to move */
  function captionOf(position, state, who) {
    const best = state.moves.find(({ move, to }) => move === state.best && to === position);
    return best ? captionAfter(best, state.outcome === "win" ? "best" : "try", who) : html("caption", {}, t.why.now);
  }

  /** Returns the caption of the position after a move. @param {Move} move @param {"chosen" | "best" | "try"} which @param {Who} who is to move */
  const captionAfter = ({ move, takes, reset }, which, who) =>
    html("caption", { title: move }, t.why.move(who, takes, reset, which));

  /** Returns heaps in binary, with the sums of the columns. @param {Columns} block @param {Node} caption */
  function columnsTable(block, caption) {
    const values = block.rows.some((row) => row.heap !== row.value);
    const cell = (/** @type {number | string} */ text, kind = "") =>
      html("td", kind ? { class: kind } : {}, String(text));
    const head = (/** @type {string} */ text, kind = "") => html("th", { scope: "col", class: kind }, text);
    const places = block.sums.map((_, n) => 2 ** (block.sums.length - 1 - n));
    const digit = (/** @type {number} */ n) => cell(n, "digit");
    const sum = (/** @type {number} */ n) => cell(n, n === 0 ? "digit" : "digit odd");
    const total = block.number ?? "";
    return html(
      "table",
      { class: "binary" },
      caption,
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          head(t.why.row),
          head(t.why.heap),
          values ? head(t.why.value) : null,
          ...places.map((n) => head(String(n), "digit")),
        ),
      ),
      html(
        "tbody",
        {},
        ...block.rows.map(({ heap, value, digits }, n) =>
          html(
            "tr",
            {},
            html("th", { scope: "row" }, String(n + 1)),
            cell(heap),
            values ? cell(value) : null,
            ...digits.map(digit),
          ),
        ),
      ),
      html(
        "tfoot",
        {},
        html(
          "tr",
          {},
          html("th", { scope: "row" }, block.number === null ? t.why.ones(block.modulus) : t.why.sum),
          cell(values ? "" : total),
          values ? cell(total) : null,
          ...block.sums.map(sum),
        ),
      ),
    );
  }

  /** Shows the effect of the chosen move, without a request to the server. */
  function updateColumns(/** @type {Game} */ game, /** @type {string} */ chosen) {
    const place = document.getElementById("columns");
    const { table, state } = game;
    if (place && table && drawn.follows && drawn.position === state.position)
      place.replaceChildren(columns(table, state, game.who(game.mover()), chosen));
  }

  /** Returns the heaps in binary, now and after the chosen move, or else after the best one. @param {Table} table @param {State} state @param {Who} who is to move @param {string} chosen */
  function columns(table, state, who, chosen) {
    const heaps = state.heaps ?? [];
    const move =
      state.moves.find((move) => move.move === chosen) ?? state.moves.find((move) => move.move === state.best);
    const after = (move && parsePosition(table, move.to).heaps) ?? heaps;
    const most = Math.max(...heaps);
    const which = move?.move === chosen ? "chosen" : state.outcome === "win" ? "best" : "try";
    const sum = nimSum(after);
    return html(
      "div",
      { class: "columns" },
      binary(html("caption", {}, t.why.now), heaps, heaps, most),
      move ? binary(captionAfter(move, which, who), after, heaps, most) : null,
      html("p", { class: "aside" }, ...explainTerms(sum === 0 ? t.why.even : t.why.oddOnes(sum))),
    );
  }

  /**
   * Returns heaps in binary, with their nim-sum.
   * @param {Node} caption
   * @param {number[]} heaps
   * @param {number[]} before the heaps before the move; digits that differ are marked
   * @param {number} most the largest heap before the move, which determines the number of digits
   */
  function binary(caption, heaps, before, most) {
    const columns = digitPlaces(most);
    const [sum, old] = [nimSum(heaps), nimSum(before)];
    const digit = (/** @type {number} */ now, /** @type {number} */ was, /** @type {number} */ place, odd = false) => {
      const changed = bit(now, place) !== bit(was, place);
      const classes = ["digit", changed ? (prefersNoMotion() ? "changed" : "changed flip") : "", odd ? "odd" : ""]
        .join(" ")
        .trim();
      return html(
        "td",
        { class: classes },
        html("span", {}, String(bit(now, place))),
        odd ? hiddenText(` ${t.why.odd}`) : null,
      );
    };
    return html(
      "table",
      { class: "binary" },
      caption,
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          html("th", { scope: "col" }, t.why.row),
          html("th", { scope: "col" }, t.why.heap),
          ...columns.map((place) => html("th", { scope: "col", class: "digit" }, String(2 ** place))),
        ),
      ),
      html(
        "tbody",
        {},
        ...heaps.map((heap, n) =>
          html(
            "tr",
            { class: heap === before[n] ? "" : "moved" },
            html("th", { scope: "row" }, String(n + 1)),
            html("td", {}, String(heap)),
            ...columns.map((place) => digit(heap, before[n], place)),
          ),
        ),
      ),
      html(
        "tfoot",
        {},
        html(
          "tr",
          {},
          html("th", { scope: "row" }, t.why.sum),
          html("td", {}, String(sum)),
          ...columns.map((place) => digit(sum, old, place, bit(sum, place) === 1)),
        ),
      ),
    );
  }

  /** Whether the replies are unfolded: where they are the argument, and where a theorem is. The reader changes it. */
  const unfolded = { replies: true, theorem: false };

  /** Returns the replies and their answers. @param {Table} table @param {Who} who is to move @param {Why} why @param {boolean} argues whether they are the argument */
  function refutation(table, who, why, argues) {
    if (why.replies.length === 0) return null;
    const kind = argues ? "replies" : "theorem";
    const best = why.best === null ? null : parseMove(why.best);
    const title = best === null ? t.why.each : t.why.after(who, best.takes, best.reset);
    const row = (/** @type {Why["replies"][number]} */ { move, to, answer, then }) =>
      html(
        "tr",
        {},
        html("th", { scope: "row" }, moveWords(move)),
        html("td", {}, positionWords(table, to)),
        html("td", { class: "answer" }, answer === null ? t.why.none : moveWords(answer)),
        html("td", {}, then === null ? "" : positionWords(table, then)),
      );
    const more = why.more > 0 ? html("p", { class: "aside" }, t.why.more(why.more)) : null;
    return html(
      "details",
      {
        open: unfolded[kind],
        ontoggle: (/** @type {Event} */ event) =>
          (unfolded[kind] = /** @type {HTMLDetailsElement} */ (event.target).open),
      },
      html("summary", { title: best ? `${best.text} → ${why.of}` : why.of }, title),
      scrollingTable(t.why.replies, t.why.heads, why.replies.map(row)),
      more,
    );
  }

  return { drawWhy, updateColumns };
}
