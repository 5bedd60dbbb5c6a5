// *Print*: a worksheet with its solutions on a second page, and the lost positions of a game as a table.

import * as api from "./api.js";
import { byId, html, svg } from "./dom.js";
import { nameOf } from "./gallery.js";
import { t } from "./language.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").State} State */
/** @typedef {import("./api.js").Table} Table */

/** Maximum number of positions on a worksheet. */
const MAX_TASKS = 4;
/** Maximum height of the positions on the first page, in pixels. */
const MAX_TASKS_HEIGHT = 880;
/** Heights in pixels: a row of sticks, the questions beside the rows, and the space above and between tasks. */
const HEIGHTS = { row: 34, questions: 160, rest: 50 };
/** Maximum number of sticks in a row that is drawn; otherwise the numbers are printed. */
const MAX_DRAWN_STICKS = 24;

/** Prints the nodes that `make` returns. @param {() => Promise<Node[]>} make */
async function printNodes(make) {
  const sheet = byId("sheet");
  sheet.replaceChildren(...(await make()));
  sheet.hidden = false;
  document.body.dataset.sheet = "true";
  const done = () => {
    delete document.body.dataset.sheet;
    sheet.hidden = true;
    sheet.replaceChildren();
  };
  window.addEventListener("afterprint", done, { once: true });
  window.print();
}

/** Prints a worksheet: the position on the board and some that may follow it, with space for answers. @param {Game} game */
export const printWorksheet = (game) =>
  printNodes(async () => {
    const { table } = game;
    if (!table) return [];
    const states = await positions(table, game.state);
    const task = (/** @type {State} */ state, /** @type {number} */ n) =>
      html(
        "section",
        { class: "task" },
        html("h2", {}, `${n + 1}.  ${state.position}`),
        html("div", {}, drawing(state), html("p", {}, otherFacts(state))),
        html("div", { class: "answers" }, ...[t.sheet.whoWins, t.sheet.whichMove].map(answerLine)),
      );
    const solution = (/** @type {State} */ state, /** @type {number} */ n) =>
      html("li", {}, html("b", {}, `${n + 1}.  ${state.position}: `), t.sheet.solution(state));
    return [
      html(
        "article",
        {},
        html("h1", {}, nameOf(table)),
        html("p", {}, t.rules.all(table)),
        html("div", { class: "names" }, ...t.sheet.named.map(answerLine)),
        ...states.map(task),
      ),
      html(
        "article",
        {},
        html("h1", {}, t.sheet.solutions(nameOf(table))),
        html("ol", { class: "solutions" }, ...states.map(solution)),
      ),
    ];
  });

/** Returns a question, and a line for its answer. */
const answerLine = (/** @type {string} */ question) =>
  html("p", { class: "answer" }, html("span", {}, question), html("span", { class: "blank" }));

/** Returns the position, and positions after random moves from it, as many as fit on the page. @param {Table} table @param {State} state */
async function positions(table, state) {
  const rows = HEIGHTS.row * (state.heaps ?? [0]).filter((heap) => heap > 0).length;
  const many = Math.min(MAX_TASKS, Math.floor(MAX_TASKS_HEIGHT / (Math.max(rows, HEIGHTS.questions) + HEIGHTS.rest)));
  const states = [state];
  let last = state;
  for (let tries = 0; states.length < many && tries < 4 * MAX_TASKS; tries++) {
    const { moves } = last.over || last.moves.length < 2 ? state : last;
    const move = moves[Math.floor(Math.random() * moves.length)];
    if (!move) break;
    last = await api.state(table.name, move.to);
    if (!last.over && states.every(({ position }) => position !== last.position)) states.push(last);
  }
  return states;
}

/** Rows of sticks to cross out, or the numbers of a large position. @param {State} state */
function drawing(state) {
  /** Rows keep their numbers, which the solutions name. */
  const rows = (state.heaps ?? [state.pile?.stones ?? 0])
    .map((heap, n) => ({ heap, name: String(n + 1) }))
    .filter(({ heap }) => heap > 0);
  const most = Math.max(...rows.map(({ heap }) => heap), 0);
  if (most > MAX_DRAWN_STICKS)
    return html(
      "p",
      { class: "big" },
      rows.map(({ heap, name }) => (state.pile ? heap : `${name}: ${heap}`)).join("   "),
    );
  const wide = most * 14 + 30;
  return svg(
    "svg",
    {
      class: "sticks-to-cross",
      viewBox: `0 0 ${wide} ${rows.length * HEIGHTS.row}`,
      width: wide,
      height: rows.length * HEIGHTS.row,
      role: "img",
      "aria-label": state.position,
    },
    ...rows.flatMap(({ heap, name }, row) => [
      state.pile ? null : svg("text", { x: 2, y: row * HEIGHTS.row + 22 }, name),
      ...Array.from({ length: heap }, (_, n) =>
        svg("rect", { x: 24 + n * 14, y: row * HEIGHTS.row + 4, width: 5, height: 26, rx: 2.5 }),
      ),
    ]),
  );
}

/** Returns the facts that the drawing does not show: the limit and resets of a pile, and passes. @param {State} state */
function otherFacts({ pile, passes }) {
  if (passes) return t.play.passesLeft(passes);
  if (!pile) return null;
  const resets = pile.resets.map((left, n) => `${t.board.resets(n === 0 ? "first" : "second")} (${left})`);
  const facts = [
    `${t.board.left}: ${pile.stones}`,
    `${t.board.limit}: ${pile.limit}`,
    `${t.board.most}: ${pile.currentmax}`,
  ];
  return [...facts, ...resets, ...(pile.imposed ? [t.board.bound] : [])].join("; ");
}

/** Prints the lost positions: of a small game all, of others those on the map around the position. @param {Game} game */
export const printLost = (game) =>
  printNodes(async () => {
    const { table, state } = game;
    if (!table) return [];
    const { about, lost } = await lostPositions(table, state.position);
    const columns = html(
      "ul",
      { class: "lost" },
      ...lost.map((/** @type {string} */ position) => html("li", {}, position)),
    );
    return [
      html(
        "article",
        {},
        html("h1", {}, t.sheet.lost(nameOf(table))),
        html("p", {}, t.rules.all(table)),
        html("p", {}, about),
        columns,
      ),
    ];
  });

/** Returns the lost positions, and a sentence about them. @param {Table} table @param {string} position */
async function lostPositions(table, position) {
  const { x, y, outcomes, game_map } = await api.map(table.name, position);
  if (game_map) {
    const map = await api.gameMap(table.name, position);
    const lost = map.nodes.filter((/** @type {any} */ node) => node.outcome === "loss");
    return {
      about: t.sheet.lostFrom(map.position, lost.length),
      lost: lost.map((/** @type {any} */ node) => node.label.join(" ")),
    };
  }
  const lost = outcomes.flatMap((/** @type {string} */ row, /** @type {number} */ up) =>
    [...row].flatMap((outcome, n) =>
      outcome === "L" ? [y ? `${x.from + n} | ${y.from + up}` : String(x.from + n)] : [],
    ),
  );
  const axes = [x, ...(y ? [y] : [])].map(({ name }) => t.map.axis(name)).join(" | ");
  return { about: t.sheet.lostPlane(position, axes, lost.length), lost };
}
