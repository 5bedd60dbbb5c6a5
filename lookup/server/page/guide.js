// *Help*: the rules of the game on the board, how to make a move, and the effects of the buttons.

import { byId, html } from "./dom.js";
import { nameOf } from "./gallery.js";
import { pageText, t } from "./language.js";

/** @typedef {import("./api.js").Table} Table */
/** A game on the board, and how to choose a move there. @typedef {{table: Table, how: string}} ShownGame */

/** Writes the help on the game or, in the gallery, on the page in general. */
export function showGuide(/** @type {ShownGame | null} */ shown) {
  byId("guide-title").textContent = shown ? nameOf(shown.table) : pageText("guide");
  byId("guide-rules").textContent = shown ? t.rules.all(shown.table) : pageText("rules");
  byId("guide-moves").textContent = shown ? `${shown.how} ${t.guide.take}`.trim() : t.guide.choose;
  const does = Object.entries(t.guide.buttons);
  byId("guide-buttons").replaceChildren(
    ...does.flatMap(([name, what]) => [html("dt", {}, pageText(name)), html("dd", {}, what)]),
  );
}

/** Connects the button. @param {() => ShownGame | null} shown returns the game on the board; null in the gallery */
export function connectGuide(shown) {
  const [dialog, nav] = [byId("guide-dialog"), byId("games").parentElement];
  // On a phone these elements do not fit beside a game: the help shows them instead.
  const spare = [byId("present"), byId("language")];
  const back = () => {
    // Moving an element costs its focus, so move only if necessary.
    if (spare.some((element) => element.parentElement !== nav)) nav?.append(...spare);
  };
  byId("guide").addEventListener("click", () => {
    showGuide(shown());
    byId("guide-spare").append(...spare.filter((element) => !element.checkVisibility()));
    dialog.showModal();
  });
  dialog.addEventListener("close", back);
  byId("present").addEventListener("click", () => {
    if (!dialog.open) return;
    dialog.close();
    back();
    byId("present").focus();
  });
}
