// Puts the parts of the page together: the board, the panels, and what each button and key does.

import { keepFocus, showActions, showChoice } from "./actions.js";
import * as address from "./address.js";
import { clear, fail } from "./alert.js";
import * as api from "./api.js";
import { HeapBoard } from "./board-heaps.js";
import { PileBoard } from "./board-pile.js";
import { ARROWS } from "./board.js";
import { byId, html } from "./dom.js";
import { drawGameMap } from "./game-map.js";
import { Game } from "./game.js";
import { showHints } from "./hints.js";
import { drawHistory } from "./history.js";
import { listen, switchedBy } from "./keys.js";
import { drawPlane } from "./map.js";
import { Panel } from "./panel.js";
import { offerGames, seat, showSetup } from "./setup.js";
import { drawVariants, offer } from "./variants.js";
import { drawWhy, updateColumns } from "./why.js";

/** The game that the page opens with. */
const FIRST = "sticks";

/** @type {import("./api.js").Table[]} */
let tables = [];
let byDepth = false;

const game = new Game(changed, fail);
const root = byId("board");
const boards = {
  heaps: new HeapBoard(html("div", { class: "heaps", role: "group", "aria-label": "Sticks" }), chose, take),
  expanding: new PileBoard(
    html("div", { class: "stones", role: "group", "aria-label": "Stones" }),
    chose,
    take,
    byId("reset"),
  ),
};
const board = () => boards[game.table?.game ?? "heaps"];

const panels = {
  why: new Panel(byId("why"), (game) => drawWhy(game, () => board().move), fail),
  history: new Panel(byId("history"), (game, width) => drawHistory(game, width, (at) => game.goTo(at)), fail),
  map: new Panel(byId("map"), drawMap, fail),
  variants: new Panel(byId("variants"), drawOther, fail),
};

async function drawMap(/** @type {Game} */ game, /** @type {number} */ width) {
  byId("by-depth").hidden = !game.table?.holds.includes("depth");
  const [whole, plane] = await Promise.all([drawGameMap(game), drawPlane(game, width, byDepth)]);
  return html("div", {}, plane, whole);
}

function drawOther(/** @type {Game} */ game) {
  if (game.table) offer(byId("other"), tables, game.table);
  const other = tables.find((table) => table.name === byId("other").value);
  return drawVariants(game, other, (position) => other && game.begin(other, position, game.mover()));
}

/**
 * Shows the current position.
 * @param {Game} game
 * @param {boolean} begins
 * @param {"person" | "table"} by
 */
function changed(game, begins, by) {
  const { table, state, plies } = game;
  if (!table) return;
  const before = document.activeElement;
  // An error message stays if the table moves meanwhile.
  if (by === "person") clear();
  if (begins) {
    showSetup(game);
    root.replaceChildren(board().root);
  }
  root.dataset.position = state.position;
  document.body.dataset.turn = state.over ? "over" : game.mine ? "person" : "table";
  board().show(state, plies[0].state, game.mine, (player) => game.name(player));
  showActions(game, board());
  chose();
  hint();
  byId("status").textContent = game.status;
  address.tell(table.name, state.position, begins);
  // The address in this field would be that of an earlier position.
  byId("address").hidden = true;
  keepFocus(board(), before);
  document.body.dataset.ready = "true";
  for (const panel of Object.values(panels)) panel.update(game);
}

/** Shows what is chosen now. */
function chose() {
  if (game.plies.length === 0) return;
  showChoice(game, board());
  updateColumns(game, board().move);
}

function hint() {
  const on = byId("show").getAttribute("aria-pressed") === "true";
  showHints(byId("hints"), byId("pass"), game, board(), on && game.plies.length > 0);
}

function take() {
  if (byId("take").disabled) return;
  game.play(board().move);
}

function flip(/** @type {HTMLElement} */ button) {
  button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
}

function restart() {
  const table = tables.find((table) => table.name === byId("game").value);
  if (table) game.begin(table, byId("start").value.trim() || table.start);
  else load();
}

/** Begins the game that the address asks for, or else the first one. */
function beginAsAsked() {
  const asked = address.parse(location.hash);
  address.follow();
  const first = tables.find((table) => table.name === FIRST) ?? tables[0];
  const table = tables.find((table) => table.name === asked.table);
  if (asked.table !== null && !table) {
    game
      .begin(first, first.suggested)
      .then(() =>
        fail(new api.ApiError(404, `There is no table '${asked.table}' here; choose one from the list.`, ""), null),
      );
  } else if (table && asked.position) {
    // An invalid position is reported, but there is still something to play.
    byId("start").value = asked.position;
    game.begin(table, asked.position).then(() => {
      const { table: there, plies, at } = game;
      if (there && plies.length > 0) return address.tell(there.name, plies[at].state.position, false);
      const said = [...byId("alert").childNodes];
      return game.begin(table, table.suggested).then(() => byId("alert").replaceChildren(...said));
    });
  } else {
    game.begin(table ?? first, (table ?? first).suggested);
  }
}

async function load() {
  try {
    tables = await api.tables();
    offerGames(tables);
    clear();
    beginAsAsked();
  } catch (error) {
    byId("status").textContent = "Nothing to play yet.";
    fail(error, load);
  }
}

byId("setup").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  restart();
});
byId("game").addEventListener("change", () => {
  const table = tables.find((table) => table.name === byId("game").value);
  if (table) game.begin(table, table.suggested);
});
byId("take").addEventListener("click", take);
byId("pass").addEventListener("click", () => game.play("pass"));
byId("undo").addEventListener("click", () => game.goTo(game.back));
byId("redo").addEventListener("click", () => game.goTo(game.forth));
byId("pause").addEventListener("click", () => game.pause(!game.paused));
byId("share").addEventListener("click", async () => {
  const copied = await address.share(byId("address"));
  if (game.plies.length > 0)
    byId("status").textContent = copied ? `Address copied. ${game.status}` : "Copy the address from the field below.";
});
byId("show").addEventListener("click", () => {
  flip(byId("show"));
  hint();
});
for (const panel of Object.values(panels)) panel.button.addEventListener("click", () => panel.toggle(game));
byId("by-depth").addEventListener("click", () => {
  byDepth = !byDepth;
  flip(byId("by-depth"));
  panels.map.update(game);
});
byId("other").addEventListener("change", () => panels.variants.update(game));
byId("keys").addEventListener("click", () => byId("help").showModal());

const press = (/** @type {string} */ id) => () => {
  if (!byId(id).hidden && !byId(id).disabled) byId(id).click();
};
listen(
  {
    u: press("undo"),
    y: press("redo"),
    r: restart,
    p: press("pause"),
    s: press("show"),
    w: press("why"),
    h: press("history"),
    m: press("map"),
    v: press("variants"),
    i: press("reset"),
    "?": press("keys"),
  },
  () => byId("help").open || !byId("shortcuts").checked,
);
switchedBy(byId("shortcuts"));

// If nothing has the focus, the keys go to the board.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || document.activeElement !== document.body || game.plies.length === 0) return;
  if (event.key === "Enter") take();
  else if (ARROWS.has(event.key) && game.mine) {
    event.preventDefault();
    board().arrow(event.key);
  }
});
window.addEventListener("popstate", () => {
  if (location.hash !== address.format(game.table?.name ?? "", game.plies[game.at]?.state.position ?? ""))
    beginAsAsked();
});

// Drawings that depend on the width, or on light and dark, are redrawn when these change.
let resizing = 0;
let width = window.innerWidth;
window.addEventListener("resize", () => {
  pin();
  // On a phone, scrolling changes the height of the window.
  if (window.innerWidth === width) return;
  width = window.innerWidth;
  clearTimeout(resizing);
  resizing = window.setTimeout(() => {
    panels.history.update(game);
    panels.map.update(game);
  }, 200);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => panels.map.update(game));

// A board that fits the window stays in view beside long panels. A taller one does not: its end would be out of reach.
function pin() {
  byId("play").classList.toggle("pinned", byId("play").offsetHeight < window.innerHeight - 24);
}
new ResizeObserver(pin).observe(byId("play"));

seat(game);
load();
