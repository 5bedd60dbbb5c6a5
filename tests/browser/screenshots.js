// Makes pictures of the page, to look at: each game in light and dark, wide and narrow, at first, with a move chosen, and with all
// panels open.
//   tests/browser/run --screenshots FOLDER

import { join } from "node:path";
import { launch } from "./browser.js";
import { EACH } from "./games.js";
import { Player } from "./player.js";
import { serve } from "./server.js";

const folder = process.argv[2];
const [server, browser] = [await serve(), await launch()];
try {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    for (const width of [1280, 360]) {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        isMobile: width < 600,
        hasTouch: width < 600,
      });
      for (const [table, position] of Object.entries(EACH)) {
        const player = new Player(await context.newPage(), server.address);
        await player.page.emulateMedia({ colorScheme });
        const picture = (/** @type {string} */ what, fullPage = true) =>
          player.page.screenshot({ path: join(folder, `${table}-${colorScheme}-${width}-${what}.png`), fullPage });
        await player.open(table, position);
        await picture("1-first", false);
        const { moves } = await player.state();
        await player.pick(moves.find((/** @type {any} */ { move }) => move !== "pass").move);
        await player.page.locator("#show").click();
        await picture("2-chosen");
        await player.click("#take");
        for (const id of ["why", "history", "map", "variants"]) await player.click(`#${id}`);
        await player.page.mouse.move(0, 0);
        await picture("3-panels");
        await player.page.close();
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
