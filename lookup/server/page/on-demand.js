// Parts of the page that are loaded when they are needed first, so that a first visit is small. Their modules may not import
// others (lookup/page/src/lib.rs): they get the tools that they use.

import * as address from "./address.js";
import { fail } from "./alert.js";
import * as api from "./api.js";
import * as binary from "./binary.js";
import { HeapBoard } from "./board-heaps.js";
import * as dom from "./dom.js";
import * as download from "./download.js";
import * as gallery from "./gallery.js";
import { pageText, t } from "./language.js";
import * as lessons from "./lessons.js";
import * as notation from "./notation.js";
import { ownName, spellRules } from "./own-rules.js";
import { isQueenGame } from "./queen-game.js";
import { relatives, sharedPosition } from "./relatives.js";
import { GOALS, newSavedGame } from "./saved-game.js";
import { say } from "./status.js";
import { showOutcomes } from "./sticks.js";
import * as storage from "./storage.js";
import { explainTerms } from "./terms.js";

const tools = {
  address,
  api,
  binary,
  dom,
  download,
  explainTerms,
  fail,
  gallery,
  GOALS,
  HeapBoard,
  isQueenGame,
  lessons,
  newSavedGame,
  notation,
  ownName,
  pageText,
  relatives,
  say,
  sharedPosition,
  showOutcomes,
  spellRules,
  storage,
  t,
};

/** @typedef {typeof tools} Tools */

/**
 * Returns a function that loads a module and makes a part of the page with it, once. After an error it tries again. The
 * property `part` of the function is the part; undefined before it is loaded.
 * @template M, P
 * @param {() => Promise<M>} load @param {(module: M) => P} make
 */
function onDemand(load, make) {
  const loadPart = async () => {
    const module = loadPart.part ? null : await api.loaded(load());
    return (loadPart.part ??= make(/** @type {M} */ (module)));
  };
  /** @type {P | undefined} */ loadPart.part = undefined;
  return loadPart;
}

/** Loads the plane of *Map*, with its cells, its axes and its picture. */
export const loadPlane = onDemand(
  () =>
    Promise.all([import("./map.js"), import("./map-cells.js"), import("./map-axes.js"), import("./map-picture.js")]),
  ([{ makePlane }, { makeCells }, { makeAxes }, { makePicture }]) => {
    const axes = makeAxes(tools);
    return makePlane({ ...tools, ...makeCells(tools), ...axes, ...makePicture({ ...tools, ...axes }) });
  },
);
/** Loads the map of a whole game. */
export const loadGameMap = onDemand(
  () => import("./game-map.js"),
  ({ makeGameMap }) => makeGameMap(tools),
);
/** Loads *Table*. */
export const loadTableFacts = onDemand(
  () => import("./table-facts.js"),
  ({ makeTableFacts }) => makeTableFacts(tools),
);
/** Loads *Assignment*. */
export const loadAssignment = onDemand(
  () => import("./assignment.js"),
  ({ makeAssignment }) => makeAssignment(tools),
);
/** Loads *Challenge*. */
export const loadChallenge = onDemand(
  () => import("./challenge.js"),
  ({ makeChallenge }) => makeChallenge(tools),
);
/** Loads the board of Wythoff's game. */
export const loadQueenBoard = onDemand(
  () => import("./board-queen.js"),
  ({ makeQueenBoard }) => makeQueenBoard(tools),
);
/** Loads what is printed; *Challenge* chooses the positions, and the board of Wythoff's game draws the queen. */
export const loadSheet = onDemand(
  () => Promise.all([import("./sheet.js"), loadChallenge(), loadQueenBoard()]),
  ([{ makeSheet }, { randomPosition }, { drawQueen }]) => makeSheet({ ...tools, drawQueen, randomPosition }),
);
/** Loads the form of *Your own rules*. */
export const loadOwnForm = onDemand(
  () => import("./own-form.js"),
  ({ makeOwnForm }) => makeOwnForm(tools),
);
/** Loads *Why*. */
export const loadWhy = onDemand(
  () => import("./why.js"),
  ({ makeWhy }) => makeWhy(tools),
);
/** Loads *Variants*. */
export const loadVariants = onDemand(
  () => import("./variants.js"),
  ({ makeVariants }) => makeVariants(tools),
);
/** Loads *History*. */
export const loadHistory = onDemand(
  () => import("./history.js"),
  ({ makeHistory }) => makeHistory(tools),
);
/** Loads *Learn*. */
export const loadLearn = onDemand(
  () => import("./learn.js"),
  ({ makeLearn }) => makeLearn(tools),
);
/** Loads what saves and reads games in files. */
export const loadTranscripts = onDemand(
  () => import("./transcript.js"),
  ({ makeTranscripts }) => makeTranscripts(tools),
);
