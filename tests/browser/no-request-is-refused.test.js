// No tool of the page sends a request that the server refuses.

import assert from "node:assert/strict";
import { EACH } from "./games.js";
import { claim } from "./harness.js";

const { sticks, expanding, wythoff } = EACH;
/** The games of each window. A large one requests larger parts of maps; what they are depends on the kind of the board only. */
const WINDOWS = [
  { size: { width: 390, height: 664 }, games: EACH },
  { size: { width: 1280, height: 900 }, games: { sticks, expanding, wythoff } },
];

for (const { size, games } of WINDOWS) {
  for (const [table, position] of Object.entries(games)) {
    claim(`no request is refused in ${table}, ${size.width} pixels wide`, { ...size, alone: true }, async (player) => {
      /** @type {string[]} */ const refused = [];
      player.page.on("response", (response) => {
        if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
      });
      for (const start of [position, ""]) {
        await player.open(table, start);
        for (const id of ["hint", "show", "why", "history", "map", "variants", "challenge", "learn", "share"]) {
          await player.page.locator(`#${id}`).click();
          await player.answered();
        }
        const others = await player.page
          .locator("#other option")
          .evaluateAll((all) => all.map((one) => /** @type {HTMLOptionElement} */ (one).value));
        for (const other of others) {
          await player.page.locator("#other").selectOption(other);
          await player.answered();
        }
        await player.page.evaluate(() => (window.print = () => {}));
        for (const sheet of ["#print-moves", "#print-lost"]) {
          await player.page.locator("#print").click();
          await player.page.locator(sheet).click();
          await player.answered();
          await player.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
        }
        await player.move((await player.state()).moves[0].move);
        await player.answered();
        await player.page.goto("about:blank");
      }
      assert.deepEqual(refused, []);
    });
  }
}
