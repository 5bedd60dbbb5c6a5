// The status is one line on the screen; screen readers get all of its sentences.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Returns the number of lines of the status, its visible text, and its text for screen readers. */
const status = (/** @type {Player} */ player) =>
  player.page.locator("#status").evaluate((element) => ({
    lines: Math.round(element.scrollHeight / Number.parseFloat(getComputedStyle(element).lineHeight)),
    seen: [...element.querySelectorAll("span:not(.earlier, .heard)")].map((span) => span.textContent).join(" "),
    heard: element.textContent ?? "",
  }));

for (const width of [390, 1280]) {
  for (const language of ["en", "de", "fr", "es"]) {
    claim(
      `the status fits into one line in a window ${width} pixels wide in ${language}`,
      { width, height: 664, alone: true },
      async (player) => {
        const checkLine = async (/** @type {string} */ when) => {
          const { lines, seen } = await status(player);
          assert.equal(lines, 1, `${when}: ${seen}`);
          assert.ok(seen.length > 3, when);
        };
        for (const [table, position, move] of [
          ["sticks", "3,5,7", "1:1"],
          ["sticks", "2,5,7", "2:1"],
          ["expanding", "30", "2"],
        ]) {
          await player.page.goto(`${player.address}/?lang=${language}#table=${table}&position=${position}`);
          await player.settled();
          await checkLine("a start");
          await player.click("#hint");
          await checkLine("a hint");
          await player.move(move);
          await checkLine("a move");
          await player.click("#undo");
          await checkLine("a move taken back");
          await player.page.locator("#share").click();
          await player.answered();
          await checkLine("a share");
        }
        await player.page.goto(`${player.address}/?lang=${language}#table=sticks&position=0,0,1&opponent=friend`);
        await player.settled();
        await checkLine("two players");
        await player.move("3:1");
        await checkLine("the end");
      },
    );
  }
}

claim(
  "screen readers get the sentences that are not shown in the line",
  { width: 390, height: 664 },
  async (player) => {
    await player.open("sticks", "3,5,7");
    await player.move("1:1");
    const { seen, heard } = await status(player);
    assert.match(heard, /^You take 1 from row 1\. The computer takes .* Your turn\.$/);
    assert.match(seen, /Your turn\.$/);
    assert.doesNotMatch(seen, /You take/);
  },
);
