// Connects the parts of the page: the gallery, the board, the panels, and the actions of buttons and keys.

import { connectPlayTools, howTo, keepFocus, showActions, showChoice, showEnd } from "./actions.js";
import * as address from "./address.js";
import { clear, fail, note } from "./alert.js";
import * as api from "./api.js";
import { Boards } from "./boards.js";
import { hideAddress, showAddress } from "./class.js";
import { byId, shorten } from "./dom.js";
import { nameOf, showGallery } from "./gallery.js";
import { Game } from "./game.js";
import { connectGuide, showGuide } from "./guide.js";
import { hintOf, showHints } from "./hints.js";
import { storeChoice, loadChoice } from "./storage.js";
import { storeGame, storedGame } from "./stored-game.js";
import { Takings } from "./takings.js";
import { connectKeys, connectShortcutBox, connectWalk } from "./keys.js";
import { chooseLanguage, t } from "./language.js";
import { recordMastery } from "./lessons.js";
import { isOwn } from "./own-rules.js";
import { drawMaps } from "./map-panel.js";
import {
  loadAssignment,
  loadChallenge,
  loadHistory,
  loadLearn,
  loadOwnForm,
  loadTableFacts,
  loadVariants,
  loadWhy,
} from "./on-demand.js";
import { Panel } from "./panel.js";
import { connectPresentation } from "./present.js";
import { connectPrinting } from "./printing.js";
import { connectFiles, connectSave } from "./recorded.js";
import { Starts } from "./starts.js";
import { connectRules, connectSeats, offerGames, showSeats, showSetup, typedStart } from "./setup.js";
import { isBoardInView, revealBoard } from "./reveal.js";
import { fitStatus, say } from "./status.js";
import { Tables } from "./tables.js";

/** @typedef {import("./api.js").Table} Table */

const tables = new Tables(offerGames);
/** @type {Game} */ const game = new Game(showPosition, fail, (table, assignment) =>
  Promise.all([boards.load(table), assignment && loadAssignment()]),
);
const starts = new Starts(game, tables);
const root = byId("board");
/** @type {Boards} */ const boards = new Boards(game, showChosen, take);
const board = () => boards.shown;
const takings = new Takings(root);

const panels = {
  learn: new Panel(
    byId("learn"),
    async () => (await loadLearn())((name, position) => starts.lesson(name, position), redrawLearn),
    fail,
  ),
  challenge: new Panel(
    byId("challenge"),
    async (game) => (await loadChallenge()).drawChallenge(game, () => coverAnswers()),
    fail,
  ),
  why: new Panel(byId("why"), async (game) => (await loadWhy()).drawWhy(game, () => board().move), fail),
  history: new Panel(byId("history"), async (game, width) => (await loadHistory())(game, width), fail),
  map: new Panel(byId("map"), (game, width) => drawMaps(game, width, tables.all), fail),
  variants: new Panel(byId("variants"), drawComparison, fail),
  table: new Panel(byId("table"), async (game) => (await loadTableFacts())(game), fail),
};

/** The panels that reveal answers. */
const isAnswer = (/** @type {string} */ name) => ["why", "map", "variants", "table"].includes(name);

/** Hides the answers that are on the page. @param {boolean} all whether the history too, which shows who would win */
function coverAnswers(all = false) {
  for (const [name, panel] of Object.entries(panels))
    if (panel.open && (isAnswer(name) || (all && name === "history"))) panel.toggle(game);
  if (byId("show").getAttribute("aria-pressed") === "true") togglePressed(byId("show"));
}

/** Records that the reader looks at an answer, and updates the challenge if it therefore no longer counts. */
function noteHelp() {
  if (game.plies.length > 0 && loadChallenge.part?.recordHelp(game)) panels.challenge.update(game);
}

/** Returns the comparison with the chosen table. */
async function drawComparison(/** @type {Game} */ game) {
  const { drawVariants, offerTables } = await loadVariants();
  if (game.table) offerTables(byId("other"), tables.all, game.table);
  const other = tables.find(byId("other").value);
  return drawVariants(game, other, (position) => other && game.begin(other, position, { first: game.mover() }));
}

function redrawLearn(/** @type {string} */ said) {
  panels.learn.update(game);
  say(game.status, said);
}

/** Shows the gallery or the game. */
function showView(/** @type {"gallery" | "game"} */ which) {
  const lost = byId("stage").contains(document.activeElement);
  byId("gallery").hidden = which !== "gallery";
  byId("stage").hidden = which !== "game";
  document.body.dataset.view = which;
  if (which === "game") return;
  game.stop();
  clearTimeout(noticeTimer);
  // A new visitor starts at the top of the page.
  const back = document.body.dataset.ready && document.activeElement === document.body;
  if (lost || back) byId("gallery-title").focus();
  document.title = "Bouton";
  showGallery(
    tables.all,
    (table) => starts.chosen(table),
    (table) => starts.match(table),
    () => byId("learn").click(),
    resumableGame(),
  );
  say("");
  document.body.dataset.ready = "true";
  document.body.dataset.turn = "none";
}

/** Returns the game that the reader can resume: the one on the board, or that of an earlier visit. */
function resumableGame() {
  const { table, plies } = game;
  if (table && plies.length > 0)
    return { name: nameOf(table), go: () => showPosition(game, { begins: true, by: "person" }) };
  const hash = embedded ? "" : storedGame();
  const name = address.parse(hash, null).table;
  const before = tables.find(name);
  if (!before && !(tables.ownLimits && isOwn(name ?? ""))) return null;
  // If the page has this address already, setting the address has no effect.
  const go = () => (location.hash === hash ? beginAsAsked() : (location.hash = hash));
  return { name: before ? nameOf(before) : t.own.title, go };
}

/**
 * Shows the current position.
 * @param {Game} game
 * @param {{begins: boolean, again?: boolean, by: "person" | "table"}} how
 */
function showPosition(game, { begins, again = false, by }) {
  const { table, state, plies } = game;
  if (!table) return;
  const before = document.activeElement;
  const visibly = before?.matches(":focus-visible") ?? false;
  const isElsewhere = document.body.dataset.view !== "game";
  if (isElsewhere) showView("game");
  const puts = by === "person" && ((begins && !again) || root.dataset.position !== state.position);
  // An error message stays while the table moves.
  if (by === "person") clear();
  if (begins) {
    byId("recorded").hidden = true;
    showSetup(game);
    if (game.assignment && !game.assignment.hints) coverAnswers(true);
  }
  takings.remember(game);
  if (root.firstChild !== board().root) root.replaceChildren(board().root, takings.root);
  document.body.classList.toggle("match", boards.isMatch);
  showSeats(game);
  root.dataset.position = state.position;
  document.body.dataset.turn = state.over ? "over" : game.isPersonsMove || game.isWaiting ? "person" : "table";
  board().show(state, plies[0].state, game.isPersonsMove, game.lastMoves, (player) => game.who(player));
  takings.show(game);
  const [verdict = "", more = ""] = loadChallenge.part?.judgeAnswer(game) ?? [];
  const progress = loadAssignment.part?.recordProgress(game, begins) ?? "";
  const heard = `${more} ${recordMastery(game)}`.trim();
  loadAssignment.part?.showAssignment(game, copyResult);
  showActions(game, board());
  showEnd(game);
  showChosen();
  updateHints();
  showStatus(`${verdict} ${progress}`, heard);
  if (!game.isWaiting) {
    address.write(game.saved, state.position, begins && !again);
    if (!embedded) storeGame(game);
  }
  // Hide the shared address: it is out of date.
  byId("address").hidden = true;
  byId("assign").hidden = true;
  hideAddress();
  keepFocus(board(), before, visibly);
  if (puts) {
    // Move the keyboard focus to the new game.
    const isAway = byId("panels").contains(document.activeElement) && document.activeElement?.matches(":focus-visible");
    if (begins && isAway && game.isPersonsMove && !isBoardInView()) board().focus();
    revealBoard(!isElsewhere);
  }
  document.body.dataset.ready = "true";
  if (!game.isWaiting) for (const panel of Object.values(panels)) panel.update(game);
}

/** Time without a response after which the page says that it waits, in ms. */
const NOTICE_DELAY = 300;

/** The timer of that message. */
let noticeTimer = 0;
/** Writes the status line. @param {string} verdict on the reader's move in a challenge @param {string} heard a text for screen readers only */
function showStatus(verdict, heard) {
  clearTimeout(noticeTimer);
  if (!game.isWaiting) say(`${game.status} ${verdict}`.trim(), heard);
  else noticeTimer = window.setTimeout(() => say(t.status.waiting), NOTICE_DELAY);
}

/** Shows the choice on the board. */
function showChosen() {
  if (game.plies.length === 0) return;
  showChoice(game, board());
  loadWhy.part?.updateColumns(game, board().move);
}

/** Shows or removes the hints, as the button *Show me* says. */
function updateHints() {
  const on = byId("show").getAttribute("aria-pressed") === "true";
  showHints(byId("hints"), byId("pass"), game, board(), on && game.plies.length > 0);
}

/** Makes the chosen move. */
function take() {
  if (byId("take").disabled) return;
  game.play(board().move);
}

/** Types a digit of the number that the opponent elsewhere takes. */
function typeDigit(/** @type {number} */ digit) {
  if (boards.isMatch) boards.match.type(digit);
}

/** Toggles a button that stays pressed. */
function togglePressed(/** @type {HTMLElement} */ button) {
  button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
}

/** Begins the game of the settings, or the same game again. */
function restart() {
  const table = tables.find(byId("game").value);
  if (document.body.dataset.view === "gallery") return;
  const shared = address.gameHash(byId("start").value);
  // Follow a pasted address like a link.
  if (shared) location.hash = shared;
  else if (table) {
    const start = byId("start").value.trim() || table.start;
    const isSame = game.plies.length > 0 && [typedStart(game), game.plies[0].state.position].includes(start);
    if (game.table === table && isSame) game.again();
    else game.begin(table, start);
  } else load();
}

/** Begins the game of the address, or shows the gallery. */
async function beginAsAsked() {
  const asked = address.parse(location.hash, history.state, Object.keys(panels));
  if (asked.table === null) {
    address.leaveGame();
    showView("gallery");
    if (asked.nonsense !== null) fail(new api.ApiError(404, t.error.nonsense(shorten(asked.nonsense))), null);
    return;
  }
  for (const [name, panel] of Object.entries(panels)) if (asked.open.includes(name) && !panel.open) panel.toggle(game);
  // Whoever shares a game may point to any of the tools.
  byId("tools").classList.remove("few");
  address.setLoading(true);
  await beginOf(asked.table, asked);
  address.setLoading(false);
  if (game.plies.length === 0) showView("gallery");
  // If the game could not begin, this restores the address of the game on the board.
  else address.write(game.saved, game.state.position, false);
  if (asked.unknown.length > 0) note(t.error.unknown(shorten(asked.unknown.join(", "))));
}

/** Begins the game of an address. @param {string} name @param {address.AddressParts} asked */
async function beginOf(name, asked) {
  const table = await tables.load(name).catch((error) => fail(error, beginAsAsked));
  if (!table) {
    const says = /^[0-9a-f]{64}$/.test(name) ? t.error.noDigest : t.problem["no-such-table"];
    if (!isOwn(name)) fail(new api.ApiError(404, says({ table: shorten(name) })), null);
    return;
  }
  const { saved } = asked;
  const start = saved?.start || table.suggested;
  if (saved) await game.resume(async () => ({ table, saved: { ...saved, start } }), { again: true });
  else if (asked.position) {
    // Show the requested position in the settings, where the reader can correct it.
    byId("start").value = asked.position;
    await game.begin(table, asked.position);
  } else await starts.suggested(table);
  if (game.plies.length > 0) return;
  // After the error about an invalid position, begin another game.
  const said = [...byId("alert").childNodes];
  await starts.suggested(table);
  byId("alert").replaceChildren(...said);
}

/** Opens the file of a table, and shows it in the gallery. */
async function openTable(/** @type {File} */ file) {
  try {
    const table = await tables.open(file);
    clear();
    byId("games").click();
    /** @type {HTMLElement | null} */ const card = document.querySelector(`[data-game="${table.name}"]`);
    card?.focus();
    say("", t.gallery.opened(nameOf(table)));
  } catch (error) {
    fail(error, null);
  }
}

/** Requests the list of tables, and begins. */
async function load() {
  try {
    await tables.request();
    offerOwn();
    clear();
    await beginAsAsked();
  } catch (error) {
    say(t.status.nothing);
    document.body.dataset.view = "none";
    fail(error, load);
  }
}

/** Offers *Your own rules*, if the service or the browser solves them. */
function offerOwn() {
  byId("own").hidden = !tables.ownLimits;
  byId("own-form").replaceChildren();
  showOwnForm();
}

/** Makes the form of *Your own rules* when it is opened first. */
async function showOwnForm() {
  const { ownLimits } = tables;
  if (!byId("own").open || !ownLimits) return;
  try {
    const ownForm = await loadOwnForm();
    if (byId("own-form").firstChild) return;
    byId("own-form").append(
      ownForm(
        ownLimits,
        (name) => starts.own(name),
        (error) => fail(error, null),
      ),
    );
  } catch (error) {
    fail(error, showOwnForm);
  }
}
byId("own").addEventListener("toggle", showOwnForm);

/** Returns the table of the game on the board, and how to move; null in the gallery. */
const shownGame = () =>
  game.table && document.body.dataset.view === "game" ? { table: game.table, how: howTo(board()) } : null;

const openPanels = () => Object.entries(panels).flatMap(([name, panel]) => (panel.open ? [name] : []));

/** Copies and shows an address, by default that of the game. */
async function share(hash = address.formatWhole(game.saved, game.state.position, openPanels())) {
  const copied = await address.copy(byId("address"), address.pageAddress() + hash);
  say(copied ? t.status.copied : t.status.copy);
  if (location.protocol === "file:") note(t.status.copiedFile);
  showAddress(hash);
}

/** Shows the form for an assignment, unless the position has changed when it is loaded. */
async function offerAssignment() {
  const { state } = game;
  try {
    const assignment = await loadAssignment();
    if (state === game.state) assignment.offerAssignment(game, share);
  } catch (error) {
    fail(error, offerAssignment);
  }
}

/** Copies the result of an assignment. @param {string} text */
async function copyResult(text) {
  say((await address.copy(byId("address"), text)) ? t.assignment.copied : t.status.copy);
}

byId("setup").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  restart();
});
byId("game").addEventListener("change", () => {
  const table = tables.find(byId("game").value);
  if (table) starts.suggested(table);
});
byId("games").addEventListener("click", () => {
  address.leaveGame();
  showView("gallery");
});
byId("take").addEventListener("click", take);
byId("again").addEventListener("click", () => game.again());
byId("another").addEventListener("click", () => byId("games").click());
byId("pass").addEventListener("click", () => game.play("pass"));
byId("undo").addEventListener("click", () => game.undo());
byId("redo").addEventListener("click", () => game.redo());
byId("pause").addEventListener("click", () => game.pause(!game.isPaused));
byId("share").addEventListener("click", () => {
  if (game.plies.length === 0) return;
  share();
  offerAssignment();
});
byId("hint").addEventListener("click", () => {
  if (game.plies.length === 0 || game.isWaiting) return;
  noteHelp();
  say(`${game.status} ${hintOf(game.state)}`);
});
byId("show").addEventListener("click", () => {
  togglePressed(byId("show"));
  if (byId("show").getAttribute("aria-pressed") === "true") noteHelp();
  updateHints();
});
for (const [name, panel] of Object.entries(panels)) {
  panel.button.addEventListener("click", async () => {
    const before = document.body.dataset.view;
    // Panels show a game: without one, begin that of the first lesson.
    if (game.plies.length === 0) await starts.lesson("nim", "4,4");
    else if (before !== "game") showPosition(game, { begins: true, by: "person" });
    if (before === "game" || !panel.open) panel.toggle(game);
    if (panel.open && isAnswer(name)) noteHelp();
    if (!panel.open) game.restoreAside(name);
  });
}
byId("colours").addEventListener("change", () => panels.map.update(game));
byId("other").addEventListener("change", () => panels.variants.update(game));
byId("keys").addEventListener("click", () => byId("help").showModal());
connectPrinting(game, noteHelp);
connectSave(game, () => say(t.status.exported), fail);
connectFiles(
  () => tables.all,
  async (name, saved) => {
    const find = async () => {
      const table = await tables.load(name);
      return table ? { table, saved: { ...saved, table: table.name } } : null;
    };
    const taken = await game.resume(find, { once: true });
    // Do not scroll to the panel, away from the board.
    if (taken && !panels.history.open) panels.history.toggle(game, false);
    return taken;
  },
  openTable,
  fail,
);

connectKeys(
  {
    r: restart,
    f: () => byId("present").click(),
    ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [digit, () => typeDigit(digit)])),
  },
  () => document.querySelector("dialog[open]") !== null || !byId("shortcuts").checked || embedded,
);
connectShortcutBox(byId("shortcuts"));

connectWalk(
  (key) => game.walk(key),
  () => document.querySelector("dialog[open]") !== null || document.body.dataset.view !== "game",
);

// If nothing has the focus, Enter, up and down go to the board.
document.addEventListener("keydown", (event) => {
  const nothing = [document.body, board().root].some((one) => one === document.activeElement);
  if (event.defaultPrevented || !nothing || document.body.dataset.view !== "game") return;
  if (event.key === "Enter") take();
  else if (["ArrowUp", "ArrowDown"].includes(event.key) && game.isPersonsMove) {
    event.preventDefault();
    board().focus();
  }
});
window.addEventListener("popstate", () => {
  const here = game.plies.length > 0 ? address.formatShown(game.saved, game.state.position) : "";
  if (location.hash !== here || document.body.dataset.view !== "game") beginAsAsked();
});

// Drawings depend on the width of the window, and on light or dark mode: redraw them when these change.
let resizing = 0;
let width = window.innerWidth;
window.addEventListener("resize", () => {
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

// Pin a board that fits the window beside long panels. (The end of a taller board could not be scrolled into view.)
function pin() {
  byId("play").classList.toggle("pinned", byId("play").offsetHeight < window.innerHeight - 24);
}
new ResizeObserver(() => {
  pin();
  fitStatus();
}).observe(byId("play"));

/** Whether the page is in another page's frame: then it shows the board only, and leaves keys to that page. */
const embedded = new URLSearchParams(location.search).has("embed");
document.body.classList.toggle("embed", embedded);
byId("whole-link").addEventListener("click", () => {
  const query = new URLSearchParams(location.search);
  query.delete("embed");
  const hash = game.plies.length > 0 ? address.formatWhole(game.saved, game.state.position, openPanels()) : "";
  byId("whole-link").href = `${address.pageAddress()}${query.size > 0 ? `?${query}` : ""}${hash}`;
});

connectPresentation(byId("present"), () => {
  for (const panel of [panels.history, panels.map]) panel.update(game);
});
connectGuide(shownGame);
connectPlayTools();
connectSeats(game);
connectRules();
// On a first visit, show only the tools that a first game needs.
byId("tools").classList.toggle("few", loadChoice("tools") === null);
byId("more-tools").addEventListener("click", () => {
  byId("tools").classList.remove("few");
  storeChoice("tools", "all");
  byId("why").focus();
});
chooseLanguage(() => {
  showGuide(shownGame());
  if (tables.all.length === 0) return;
  offerGames(tables.all);
  offerOwn();
  if (document.body.dataset.view === "game") showPosition(game, { begins: true, again: true, by: "person" });
  else showView("gallery");
}).then(load);
