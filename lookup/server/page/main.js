// Connects the parts of the page: the gallery, the board, the panels, and the actions of buttons and keys.

import { howTo, keepFocus, showActions, showChoice, showEnd } from "./actions.js";
import * as address from "./address.js";
import { clear, fail, note } from "./alert.js";
import * as api from "./api.js";
import { HeapBoard } from "./board-heaps.js";
import { PileBoard } from "./board-pile.js";
import { ARROWS } from "./board.js";
import { drawChallenge, judged, notesHelp } from "./challenge.js";
import { hideAddress, showAddress } from "./class.js";
import { byId, html, short } from "./dom.js";
import { nameOf, showGallery } from "./gallery.js";
import { drawGameMap } from "./game-map.js";
import { Game, alone } from "./game.js";
import { connectGuide, showGuide } from "./guide.js";
import { hintOf, showHints } from "./hints.js";
import { drawHistory } from "./history.js";
import { keep, kept } from "./storage.js";
import { listen, switchedBy } from "./keys.js";
import { chooseLanguage, inPage, t } from "./language.js";
import { drawLearn, learnt } from "./learn.js";
import { drawPlane } from "./map.js";
import { isOwn, ownForm } from "./own-rules.js";
import { Panel } from "./panel.js";
import { connectPresentation } from "./present.js";
import { offerGames, seat, showSeats, showSetup } from "./setup.js";
import { isBoardInView, revealBoard } from "./reveal.js";
import { printLost, printWorksheet } from "./sheet.js";
import { fitStatus, say } from "./status.js";
import { opened, save } from "./transcript.js";
import { drawVariants, offer } from "./variants.js";
import { drawWhy, updateColumns } from "./why.js";

/** @typedef {import("./api.js").Table} Table */

/** @type {Table[]} */
let tables = [];
/** The limits of own rules; null if the service solves no own rules. @type {api.OwnLimits | null} */
let limits = null;
let byDepth = false;

const game = new Game(changed, fail);
const root = byId("board");
const boards = {
  heaps: new HeapBoard(html("div", { class: "heaps", role: "group" }), chose, take),
  expanding: new PileBoard(html("div", { class: "stones", role: "group" }), chose, take, byId("reset")),
};
const board = () => boards[game.table?.game ?? "heaps"];

const panels = {
  learn: new Panel(byId("learn"), () => drawLearn(lesson, redrawLearn), fail),
  challenge: new Panel(byId("challenge"), (game) => drawChallenge(game, coverAnswers), fail),
  why: new Panel(byId("why"), (game) => drawWhy(game, () => board().move), fail),
  history: new Panel(byId("history"), (game, width) => drawHistory(game, width), fail),
  map: new Panel(byId("map"), drawMap, fail),
  variants: new Panel(byId("variants"), drawOther, fail),
};

async function drawMap(/** @type {Game} */ game, /** @type {number} */ width) {
  const { table, state } = game;
  if (!table) return html("p");
  byId("by-depth").hidden = !table.holds.includes("depth");
  const map = await api.map(table.name, state.position);
  return html("div", {}, drawPlane(map, width, byDepth), await drawGameMap(game, map.game_map));
}

/** The panels that reveal answers. */
const ANSWERS = /** @type {const} */ (["why", "map", "variants"]);

/** Hides the answers that are on the page, for a challenge. */
function coverAnswers() {
  for (const name of ANSWERS) if (panels[name].open) panels[name].toggle(game);
  if (byId("show").getAttribute("aria-pressed") === "true") flip(byId("show"));
}

/** Announces that the challenge no longer counts. */
function noteHelp() {
  if (game.plies.length > 0 && notesHelp(game)) panels.challenge.update(game);
}

function drawOther(/** @type {Game} */ game) {
  if (game.table) offer(byId("other"), tables, game.table);
  const other = known(byId("other").value);
  return drawVariants(game, other, (position) => other && game.begin(other, position, { first: game.mover() }));
}

/** Begins a game from the position that is suggested: a reader who has chosen no side gets the one that can win. */
const beginSuggested = (/** @type {Table} */ table) => game.begin(table, table.suggested, { fair: true });

/** Begins the game of a lesson: the reader first, against the perfect computer. */
function lesson(/** @type {string} */ name, /** @type {string} */ position) {
  const table = known(name);
  const find = async () => (table ? { table, saved: alone(name, position, [], "perfect") } : null);
  return game.resume(find, { once: true, panel: "learn" });
}

function redrawLearn(/** @type {string} */ said) {
  panels.learn.update(game);
  say(game.status, said);
}

const known = (/** @type {string | null} */ name) => tables.find((table) => table.name === name);

/** Returns a table by its name; requests the table of own rules and adds it to the list. */
async function tableOf(/** @type {string} */ name) {
  const there = known(name);
  if (there || !isOwn(name)) return there;
  const table = await api.table(name);
  if (!known(table.name)) {
    tables = [...tables, table];
    offerGames(tables);
  }
  return table;
}

/** Shows the gallery, or the game. */
function view(/** @type {"gallery" | "game"} */ which) {
  const lost = byId("stage").contains(document.activeElement);
  byId("gallery").hidden = which !== "gallery";
  byId("stage").hidden = which !== "game";
  document.body.dataset.view = which;
  if (which === "game") return;
  game.rest();
  clearTimeout(wondering);
  // A new visitor starts at the top of the page.
  const back = document.body.dataset.ready && document.activeElement === document.body;
  if (lost || back) byId("gallery-title").focus();
  document.title = "Bouton";
  showGallery(tables, beginSuggested, unfinished());
  byId("name").textContent = "";
  byId("rules").textContent = inPage("rules");
  say("");
  document.body.dataset.ready = "true";
  document.body.dataset.turn = "none";
}

/** Returns the game that the reader can resume: the one on the board, or that of an earlier visit. */
function unfinished() {
  const { table, plies } = game;
  if (table && plies.length > 0)
    return { name: nameOf(table), go: () => changed(game, { begins: true, by: "person" }) };
  const hash = embedded ? "" : (kept("game") ?? "");
  const name = address.parse(hash, null).table;
  const before = known(name);
  if (!before && !(limits && isOwn(name ?? ""))) return null;
  // If it is the address already, setting it does nothing.
  const go = () => (location.hash === hash ? beginAsAsked() : (location.hash = hash));
  return { name: before ? nameOf(before) : t.own.title, go };
}

/** Stores the game for a later visit, until it is over. A game without a move of the reader, or of a panel, does not replace the stored one. */
function keepGame() {
  const { saved, state, plies } = game;
  if (embedded || game.passing || !game.begun) return;
  if (!plies[plies.length - 1].state.over) return keep("game", address.formatWhole(saved, state.position, []));
  const before = address.parse(kept("game") ?? "", null).saved;
  if (before?.table === saved.table && before.start === saved.start) keep("game", null);
}

/**
 * Shows the current position.
 * @param {Game} game
 * @param {{begins: boolean, again?: boolean, by: "person" | "table"}} how
 */
function changed(game, { begins, again = false, by }) {
  const { table, state, plies } = game;
  if (!table) return;
  const before = document.activeElement;
  const isElsewhere = document.body.dataset.view !== "game";
  if (isElsewhere) view("game");
  const puts = by === "person" && ((begins && !again) || root.dataset.position !== state.position);
  // An error message stays if the table moves meanwhile.
  if (by === "person") clear();
  if (begins) {
    byId("recorded").hidden = true;
    showSetup(game);
    root.replaceChildren(board().root);
    board().root.setAttribute("aria-label", board().pile ? t.board.pile : t.board.heaps);
  }
  showSeats(game);
  root.dataset.position = state.position;
  document.body.dataset.turn = state.over ? "over" : game.mine || game.waiting ? "person" : "table";
  board().show(state, plies[0].state, game.mine, game.last, (player) => game.who(player));
  const [verdict = "", more = ""] = judged(game);
  const heard = `${more} ${learnt(game)}`.trim();
  showActions(game, board());
  showEnd(game);
  chose();
  showing();
  tellStatus(verdict, heard);
  if (!game.waiting) {
    address.write(game.saved, state.position, begins && !again);
    keepGame();
  }
  // Hide the shared address: it is out of date.
  byId("address").hidden = true;
  hideAddress();
  keepFocus(board(), before);
  if (puts) {
    // Move the keyboard focus to the new game.
    const isAway = byId("panels").contains(document.activeElement) && document.activeElement?.matches(":focus-visible");
    if (begins && isAway && game.mine && !isBoardInView()) board().focus();
    revealBoard(!isElsewhere);
  }
  document.body.dataset.ready = "true";
  if (!game.waiting) for (const panel of Object.values(panels)) panel.update(game);
}

/** Time without an answer, in ms, after which the page shows that it waits. */
const WONDER = 300;

let wondering = 0;
/** @param {string} verdict on the answer to a challenge @param {string} heard what else is to be heard */
function tellStatus(verdict, heard) {
  clearTimeout(wondering);
  if (!game.waiting) say(`${game.status} ${verdict}`.trim(), heard);
  else wondering = window.setTimeout(() => say(t.status.waiting), WONDER);
}

/** Shows what is chosen now. */
function chose() {
  if (game.plies.length === 0) return;
  showChoice(game, board());
  updateColumns(game, board().move);
}

function showing() {
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
  const table = known(byId("game").value);
  if (document.body.dataset.view === "gallery") return;
  const shared = address.inText(byId("start").value);
  // Open a pasted address as if the reader had followed it.
  if (shared) location.hash = shared;
  else if (table) {
    const start = byId("start").value.trim() || table.start;
    if (game.table === table && game.plies[0]?.state.position === start) game.again();
    else game.begin(table, start);
  } else load();
}

/** Begins the game that the address asks for, or shows the gallery. */
async function beginAsAsked() {
  const asked = address.parse(location.hash, history.state, Object.keys(panels));
  if (asked.table === null) {
    address.leave();
    view("gallery");
    if (asked.nonsense !== null) fail(new api.ApiError(404, t.error.nonsense(short(asked.nonsense))), null);
    return;
  }
  for (const [name, panel] of Object.entries(panels)) if (asked.open.includes(name) && !panel.open) panel.toggle(game);
  address.follow(true);
  await beginOf(asked.table, asked);
  address.follow(false);
  if (game.plies.length === 0) view("gallery");
  // The board did not change, so restore its address.
  else address.write(game.saved, game.state.position, false);
  if (asked.unknown.length > 0) note(t.error.unknown(short(asked.unknown.join(", "))));
}

/** Begins a game that is asked for by the name of its table. @param {string} name @param {address.Asked} asked */
async function beginOf(name, asked) {
  const table = await tableOf(name).catch((error) => fail(error, beginAsAsked));
  if (!table) {
    if (!isOwn(name)) fail(new api.ApiError(404, t.problem["no-such-table"]({ table: short(name) })), null);
    return;
  }
  const { saved } = asked;
  const start = saved?.start || table.suggested;
  if (saved) await game.resume(async () => ({ table, saved: { ...saved, start } }), { again: true });
  else if (asked.position) {
    // Show the requested position, so that the reader can correct it.
    byId("start").value = asked.position;
    await game.begin(table, asked.position);
  } else await beginSuggested(table);
  if (game.plies.length > 0) return;
  // An invalid position is reported, but there is still something to play.
  const said = [...byId("alert").childNodes];
  await beginSuggested(table);
  byId("alert").replaceChildren(...said);
}

async function load() {
  try {
    const all = await api.tables();
    tables = all.tables;
    offerGames(tables);
    limits = all.own;
    offerOwn();
    clear();
    await beginAsAsked();
  } catch (error) {
    say(t.status.nothing);
    document.body.dataset.view = "none";
    fail(error, load);
  }
}

/** Offers own rules, where they are solved on the spot. */
function offerOwn() {
  byId("own").hidden = !limits;
  if (limits) byId("own-form").replaceChildren(ownForm(limits, playOwn, (error) => fail(error, null)));
}

/** Begins a game of own rules, with those who play now. */
async function playOwn(/** @type {string} */ name) {
  await game.resume(
    async () => {
      const table = await tableOf(name);
      const { opponent, side } = game.seats;
      return table ? { table, saved: alone(table.name, table.start, [], opponent, side) } : null;
    },
    { fair: true },
  );
}

/** The table of the game on the board; null in the gallery. */
const shown = () =>
  game.table && document.body.dataset.view === "game" ? { table: game.table, how: howTo(board()) } : null;

const openPanels = () => Object.entries(panels).flatMap(([name, panel]) => (panel.open ? [name] : []));

async function share() {
  if (game.plies.length === 0) return;
  const hash = address.formatWhole(game.saved, game.state.position, openPanels());
  const copied = await address.share(byId("address"), address.page() + hash);
  say(copied ? t.status.copied : t.status.copy);
  if (location.protocol === "file:") note(t.status.copiedFile);
  showAddress(hash);
}

byId("setup").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  restart();
});
byId("game").addEventListener("change", () => {
  const table = known(byId("game").value);
  if (table) beginSuggested(table);
});
byId("games").addEventListener("click", () => {
  address.leave();
  view("gallery");
});
byId("take").addEventListener("click", take);
byId("again").addEventListener("click", () => game.again());
byId("pass").addEventListener("click", () => game.play("pass"));
byId("undo").addEventListener("click", () => game.undo());
byId("redo").addEventListener("click", () => game.redo());
byId("pause").addEventListener("click", () => game.pause(!game.paused));
byId("share").addEventListener("click", share);
byId("hint").addEventListener("click", () => {
  if (game.plies.length === 0 || game.waiting) return;
  noteHelp();
  say(`${game.status} ${hintOf(game.state)}`);
});
byId("show").addEventListener("click", () => {
  flip(byId("show"));
  if (byId("show").getAttribute("aria-pressed") === "true") noteHelp();
  showing();
});
for (const [name, panel] of Object.entries(panels)) {
  panel.button.addEventListener("click", async () => {
    const before = document.body.dataset.view;
    // The path begins with a board to play on.
    if (game.plies.length === 0) await lesson("nim", "4,4");
    else if (before !== "game") changed(game, { begins: true, by: "person" });
    if (before === "game" || !panel.open) panel.toggle(game);
    if (panel.open && ANSWERS.some((one) => one === name)) noteHelp();
    if (!panel.open) game.comeBack(name);
  });
}
byId("by-depth").addEventListener("click", () => {
  byDepth = !byDepth;
  flip(byId("by-depth"));
  panels.map.update(game);
});
byId("other").addEventListener("change", () => panels.variants.update(game));
byId("keys").addEventListener("click", () => byId("help").showModal());
byId("print").addEventListener("click", () => byId("printing").showModal());
const printing = (/** @type {(game: Game) => Promise<void>} */ print) => () => {
  noteHelp();
  if (game.plies.length > 0) print(game).catch((error) => fail(error, printing(print)));
};
byId("print-sheet").addEventListener("click", printing(printWorksheet));
byId("print-lost").addEventListener("click", printing(printLost));
byId("save").addEventListener("click", () => {
  save(game);
  say(t.status.exported);
});
opened(
  () => tables,
  async (name, saved) => {
    const find = async () => {
      const table = await tableOf(name);
      return table ? { table, saved: { ...saved, table: table.name } } : null;
    };
    const taken = await game.resume(find, { once: true });
    // Do not scroll to the panel: the reader wants to see the board.
    if (taken && !panels.history.open) panels.history.toggle(game, false);
    return taken;
  },
  (error) => fail(error, null),
);

const press = (/** @type {string} */ id) => () => {
  if (byId(id).checkVisibility() && !byId(id).disabled) byId(id).click();
};
listen(
  {
    u: press("undo"),
    y: press("redo"),
    r: restart,
    p: press("pause"),
    t: press("hint"),
    s: press("show"),
    w: press("why"),
    h: press("history"),
    m: press("map"),
    v: press("variants"),
    c: press("challenge"),
    l: press("learn"),
    g: press("games"),
    e: press("guide"),
    f: () => byId("present").click(),
    i: press("reset"),
    "?": press("keys"),
  },
  () => document.querySelector("dialog[open]") !== null || !byId("shortcuts").checked || embedded,
);
switchedBy(byId("shortcuts"));

// If nothing has the focus, the keys go to the board.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || document.activeElement !== document.body) return;
  if (game.plies.length === 0 || document.body.dataset.view !== "game") return;
  if (event.key === "Enter") take();
  else if (ARROWS.has(event.key) && game.mine) {
    event.preventDefault();
    board().arrow(event.key);
  }
});
window.addEventListener("popstate", () => {
  const here = game.plies.length > 0 ? address.format(game.table?.name ?? "", game.state.position) : "";
  if (location.hash !== here || document.body.dataset.view !== "game") beginAsAsked();
});

// Drawings that depend on the width, or on light and dark, are redrawn when these change.
let resizing = 0;
let width = window.innerWidth;
window.addEventListener("resize", () => {
  pin();
  fitStatus();
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

// Pin a board that fits the window beside long panels. The end of a taller one would be out of reach.
function pin() {
  byId("play").classList.toggle("pinned", byId("play").offsetHeight < window.innerHeight - 24);
}
new ResizeObserver(pin).observe(byId("play"));

/** In another page's frame there is room for the board only, and keys are that page's. */
const embedded = new URLSearchParams(location.search).has("embed");
document.body.classList.toggle("embed", embedded);
byId("whole-link").addEventListener("click", () => {
  const query = new URLSearchParams(location.search);
  query.delete("embed");
  const hash = game.plies.length > 0 ? address.formatWhole(game.saved, game.state.position, openPanels()) : "";
  byId("whole-link").href = `${address.page()}${query.size > 0 ? `?${query}` : ""}${hash}`;
});

connectPresentation(byId("present"), () => {
  for (const panel of [panels.history, panels.map]) panel.update(game);
});
connectGuide(shown);
seat(game);
chooseLanguage(() => {
  showGuide(shown());
  if (tables.length === 0) return;
  offerGames(tables);
  offerOwn();
  if (document.body.dataset.view === "game") changed(game, { begins: true, again: true, by: "person" });
  else view("gallery");
}).then(load);
