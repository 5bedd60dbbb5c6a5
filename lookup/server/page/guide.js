// *Help*: the rules of the game on the board, how a move is made, and what the buttons do.

import { byId, html } from "./dom.js";
import { nameOf } from "./gallery.js";
import { inPage, t } from "./language.js";

/** @typedef {import("./api.js").Table} Table */

/** Writes what it says, of a game or, in the gallery, of the page. */
export function showGuide(/** @type {Table | null} */ table) {
  byId("guide-title").textContent = table ? nameOf(table) : inPage("guide");
  byId("guide-rules").textContent = table ? t.rules.all(table) : inPage("rules");
  byId("guide-moves").textContent = table
    ? `${t.play.how(table.game === "expanding", (table.rules["heaps-per-move"] ?? 1) > 1)} ${t.guide.take}`
    : t.guide.choose;
  const does = Object.entries(t.guide.buttons);
  byId("guide-buttons").replaceChildren(
    ...does.flatMap(([name, what]) => [html("dt", {}, inPage(name)), html("dd", {}, what)]),
  );
}

/** Connects the button. @param {() => Table | null} table whose game is on the board */
export function connectGuide(table) {
  const [dialog, nav] = [byId("guide-dialog"), byId("games").parentElement];
  // On a phone there is no room for these beside a game.
  const spare = [byId("present"), byId("language")];
  byId("guide").addEventListener("click", () => {
    showGuide(table());
    byId("guide-spare").append(...spare.filter((element) => !element.checkVisibility()));
    dialog.showModal();
  });
  dialog.addEventListener("close", () => nav?.append(...spare));
  byId("present").addEventListener("click", () => dialog.close());
}
