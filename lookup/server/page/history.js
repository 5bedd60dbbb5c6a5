// *History*: a curve of the winner and the depth at each ply, the moves that threw a win away, the list of moves, and
// the other lines played. The curve is above the middle while the first player wins and below it while the second wins,
// at a distance of the depth; so it crosses the middle where a win is thrown away.

/** @typedef {import("./game.js").Game} Game */

/**
 * Returns the function that draws the panel. This module is loaded when the panel is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeHistory({
  dom: { drawingScale, html, scrollingTable, scroller, svg },
  notation: { briefMove, moveWords, parsePosition, positionWords },
  t,
}) {
  const HEIGHT = 260;
  const MARGIN = { left: 52, right: 16, top: 30, bottom: 40 };
  /** Minimum distance of two plies on the curve, in pixels. */
  const MIN_DISTANCE = 9;

  /** Returns the panel's content. @param {Game} game @param {number} width of the panel */
  function drawHistory(game, width) {
    const goTo = (/** @type {number} */ at) => game.goTo(at);
    const hasDepths = game.plies.every((ply) => ply.state.depth !== undefined);
    const values = game.plies.map(
      (ply, at) => (game.winner(at) === 1 ? 1 : -1) * (hasDepths ? (ply.state.depth ?? 0) : 1),
    );
    const most = Math.max(1, ...values.map(Math.abs));
    const last = Math.max(1, values.length - 1);
    const times = drawingScale();
    const wide = Math.max(width / times, last * MIN_DISTANCE + MARGIN.left + MARGIN.right);
    const x = (/** @type {number} */ at) => MARGIN.left + (at / last) * (wide - MARGIN.left - MARGIN.right);
    const y = (/** @type {number} */ value) =>
      MARGIN.top + ((most - value) / (2 * most)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
    const mistakes = new Set(game.mistakes);

    const path = values
      .map((value, at) => {
        if (at === 0) return `M${x(0)} ${y(value)}`;
        return hasDepths ? `L${x(at)} ${y(value)}` : `H${x(at)}V${y(value)}`;
      })
      .join("");
    const points = values.map((value, at) => point(game, at, x(at), y(value), mistakes.has(at), goTo));
    const drawing = svg(
      "svg",
      {
        class: "curve",
        viewBox: `0 0 ${wide} ${HEIGHT}`,
        width: wide * times,
        height: HEIGHT * times,
        role: "group",
        "aria-label": t.history.byPly,
      },
      svg("rect", {
        class: "half first",
        x: MARGIN.left,
        y: y(most),
        width: x(last) - MARGIN.left,
        height: y(0) - y(most),
      }),
      svg("rect", {
        class: "half second",
        x: MARGIN.left,
        y: y(0),
        width: x(last) - MARGIN.left,
        height: y(-most) - y(0),
      }),
      ...(hasDepths ? ticks(most).flatMap((n) => tick(n, y(n), x(last))) : []),
      svg("line", { class: "middle", x1: MARGIN.left, x2: x(last), y1: y(0), y2: y(0) }),
      svg("text", { class: "side", x: MARGIN.left, y: y(most) - 12 }, t.history.wins(game.who(1))),
      svg("text", { class: "side", x: MARGIN.left, y: y(-most) + 16 }, t.history.wins(game.who(2))),
      svg("text", { class: "axis", x: MARGIN.left, y: HEIGHT - 4 }, t.history.ply(0)),
      svg("text", { class: "axis end", x: x(last), y: HEIGHT - 4 }, t.history.ply(last)),
      svg(
        "text",
        { class: "axis middle-text", transform: `translate(14 ${y(0)}) rotate(-90)` },
        hasDepths ? t.history.depth : t.history.whoWins,
      ),
      svg("path", { class: "line", d: path }),
      ...points,
    );
    drawing.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => onKey(event, points, goTo));
    return html(
      "div",
      {},
      scroller(t.history.curve, drawing),
      html("p", { class: "aside" }, values.length === 1 ? t.history.noMove : t.history.choose),
      listMistakes(game, goTo),
      listMoves(game, mistakes, goTo),
      listVariations(game),
    );
  }

  /** Returns round numbers on both sides of the middle, up to `most`. */
  function ticks(/** @type {number} */ most) {
    const rough = most / 3;
    const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power;
    const up = Array.from({ length: Math.floor(most / step) }, (_, n) => (n + 1) * step);
    return [0, ...up, ...up.map((n) => -n)];
  }

  /** Draws a line at a depth. @param {number} n @param {number} y @param {number} right */
  function tick(n, y, right) {
    return [
      svg("line", { class: "tick", x1: MARGIN.left, x2: right, y1: y, y2: y }),
      svg("text", { class: "axis end", x: MARGIN.left - 6, y: y + 4 }, String(Math.abs(n))),
    ];
  }

  /** Draws the point of a ply. @param {Game} game @param {number} at @param {number} x @param {number} y @param {boolean} mistake @param {(at: number) => void} goTo */
  function point(game, at, x, y, mistake, goTo) {
    const { state } = game.plies[at];
    const wins = t.verdict.wins(game.who(game.winner(at)), state.over ? undefined : state.depth);
    const position = game.table ? t.position(parsePosition(game.table, state.position)) : "";
    const label = t.history.point(at, position, wins, mistake);
    const here = at === game.at;
    return svg(
      "g",
      {
        class: `point${here ? " here" : ""}${mistake ? " mistake" : ""}`,
        role: "button",
        tabindex: here ? 0 : -1,
        "aria-label": label,
        "aria-current": here ? "step" : null,
        "data-ply": at,
        "data-here": here,
        transform: `translate(${x} ${y})`,
        onclick: () => goTo(at),
      },
      svg("title", {}, `${label} [${state.position}]`),
      svg("circle", { class: "reach", r: 12 }),
      here ? svg("circle", { class: "ring", r: 9 }) : null,
      mistake
        ? svg("path", { class: "shape", d: "M0-8 8 6H-8Z" })
        : game.winner(at) === 1
          ? svg("circle", { class: "shape", r: 4.5 })
          : svg("rect", { class: "shape", x: -4.2, y: -4.2, width: 8.4, height: 8.4 }),
    );
  }

  /** Moves the focus along the curve with the arrow keys; Enter and blank go to the ply. @param {KeyboardEvent} event @param {SVGGElement[]} points @param {(at: number) => void} goTo */
  function onKey(event, points, goTo) {
    const at = points.findIndex((point) => point === document.activeElement);
    if (at < 0) return;
    if (event.key === "Enter" || event.key === " ") goTo(at);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: points.length - 1 }[event.key];
    if (to === undefined && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (to === undefined || !points[to]) return;
    points[at].setAttribute("tabindex", "-1");
    points[to].setAttribute("tabindex", "0");
    points[to].focus();
  }

  /** Returns the moves that threw a win away, in words, each a button that goes to its position. @param {Game} game @param {(at: number) => void} goTo */
  function listMistakes(game, goTo) {
    const { mistakes } = game;
    if (game.plies.length < 2) return null;
    if (mistakes.length === 0) return html("p", {}, t.history.noneThrown);
    const item = (/** @type {number} */ at) => {
      const { move, by } = game.plies[at];
      if (!move || !by) return null;
      const { best, moves } = game.plies[at - 1].state;
      const right = moves.find((possible) => possible.move === best);
      const button = html(
        "button",
        { type: "button", class: "quiet", "data-mistake": at, onclick: () => goTo(at - 1) },
        t.history.thrown(at, game.who(by), move.takes, move.reset),
      );
      return html("li", {}, button, " ", right ? t.history.better(t.take(right.takes, right.reset)) : null);
    };
    return html("ul", { class: "mistakes" }, ...mistakes.map(item));
  }

  /** Returns the list of all moves. @param {Game} game @param {Set<number>} mistakes @param {(at: number) => void} goTo */
  function listMoves(game, mistakes, goTo) {
    if (game.plies.length < 2) return null;
    const { table } = game;
    const row = (/** @type {import("./game-line.js").Ply} */ { state, move, by }, /** @type {number} */ n) => {
      const at = n + 1;
      return html(
        "tr",
        { "aria-current": at === game.at ? "step" : null },
        html(
          "th",
          { scope: "row" },
          html(
            "button",
            { type: "button", class: "quiet", "aria-label": t.history.ply(at), onclick: () => goTo(at) },
            String(at),
          ),
        ),
        html("td", {}, by ? t.history.by(game.who(by)) : ""),
        html("td", {}, move ? moveWords(move.move) : "", mistakes.has(at) ? ` (${t.history.mistake})` : ""),
        html("td", {}, table ? positionWords(table, state.position) : ""),
      );
    };
    return html(
      "details",
      {
        open: isListOpen,
        ontoggle: (/** @type {Event} */ event) => (isListOpen = /** @type {HTMLDetailsElement} */ (event.target).open),
      },
      html("summary", {}, t.history.moves),
      scrollingTable(t.history.moves, t.history.heads, game.plies.slice(1).map(row)),
    );
  }

  /** Whether the reader has unfolded the list of moves. */
  let isListOpen = false;

  /** Returns the list of other lines played, each a button that returns to its line. */
  function listVariations(/** @type {Game} */ game) {
    if (game.variations.length === 0) return null;
    const item = (/** @type {import("./game-line.js").Ply[]} */ line) => {
      const from = line.findIndex((ply, n) => ply.move?.move !== game.plies[n]?.move?.move);
      const moves = line.slice(Math.max(1, from)).flatMap((ply) => ply.move?.move ?? []);
      return html(
        "li",
        {},
        html(
          "button",
          { type: "button", class: "quiet", title: moves.join(", "), onclick: () => game.follow(line) },
          t.history.variation(Math.max(1, from), moves.map(briefMove).join("; ")),
        ),
      );
    };
    return html(
      "div",
      {},
      html("h3", {}, t.history.variations),
      html("ul", { class: "lines" }, ...game.variations.map(item)),
    );
  }

  return drawHistory;
}
