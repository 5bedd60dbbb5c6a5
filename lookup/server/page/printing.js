// *Print*: the dialog, whose buttons print worksheets and a list.

import { fail } from "./alert.js";
import { byId } from "./dom.js";
import { loadSheet } from "./on-demand.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {Awaited<ReturnType<typeof loadSheet>>} Sheet */

/** Connects the buttons. @param {Game} game @param {() => void} noteHelp called when the reader prints, since all sheets have answers */
export function connectPrinting(game, noteHelp) {
  byId("print").addEventListener("click", () => byId("printing").showModal());
  /** @param {(sheet: Sheet) => Promise<void>} what */
  const print = async (what) => {
    noteHelp();
    if (game.plies.length === 0) return;
    try {
      await what(await loadSheet());
    } catch (error) {
      fail(error, () => print(what));
    }
  };
  for (const kind of /** @type {const} */ (["moves", "outcomes", "table"]))
    byId(`print-${kind}`).addEventListener("click", () => print((sheet) => sheet.printWorksheet(game, kind)));
  byId("print-lost").addEventListener("click", () => print((sheet) => sheet.printLost(game)));
}
