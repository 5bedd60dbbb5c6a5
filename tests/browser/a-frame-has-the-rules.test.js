// The page in a frame of another page (`?embed`) has the rules of the game, in every language and width.

import assert from "node:assert/strict";
import { claim } from "./harness.js";
import { textsIn } from "./texts.js";

for (const size of [
  { width: 320, height: 640 },
  { width: 390, height: 664 },
  { width: 800, height: 640 },
]) {
  for (const language of ["en", "de", "fr", "es"]) {
    claim(
      `a frame ${size.width} pixels wide shows the rules in ${language}, at most one click away`,
      size,
      async (player) => {
        const texts = await textsIn(language);
        for (const [table, position] of [
          ["sticks", "3,5,7"],
          ["expanding", "30"],
        ]) {
          await player.page.goto("about:blank");
          await player.page.goto(`${player.address}/?embed&lang=${language}#table=${table}&position=${position}`);
          await player.settled();
          const about = player.page.locator("#about");
          assert.equal(await about.isVisible(), true);
          const more = player.page.locator("#more-rules");
          if (await more.isVisible()) await more.click();
          const rules = await about.innerText();
          assert.ok(rules.includes(texts.rules.all(await player.ask(`/api/tables/${table}`))), rules);
          const { width, scrollWidth, height } = await player.page.evaluate(() => ({
            width: innerWidth,
            scrollWidth: document.documentElement.scrollWidth,
            height: document.querySelector("header")?.getBoundingClientRect().height ?? 0,
          }));
          assert.ok(scrollWidth <= width, `${scrollWidth}`);
          assert.ok(height < 0.4 * size.height, `the rules of ${table} take ${height} pixels`);
          for (const id of ["games", "learn", "language"])
            assert.equal(await player.page.locator(`#${id}`).isVisible(), false, id);
        }
      },
    );
  }
}
