// The page scrolls to the board after each action elsewhere that changes it.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const SIZES = [
  { width: 390, height: 664, touch: true },
  { width: 844, height: 600 },
];

/** Waits until status line and board are wholly in the window, and stay there. */
async function waitUntilInView(/** @type {Player} */ player, /** @type {string} */ after) {
  const seen = () =>
    ["status", "board"].every((id) => {
      const box = document.getElementById(id)?.getBoundingClientRect();
      return box && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 0.5;
    });
  await player.page.waitForFunction(seen).catch(() => assert.fail(after));
  await player.page.waitForTimeout(300);
  assert.equal(await player.page.evaluate(seen), true, `${after}, and stays`);
}

/** Presses a button that is away from the board. */
async function press(/** @type {Player} */ player, /** @type {string} */ selector) {
  const button = player.page.locator(selector).first();
  await button.scrollIntoViewIfNeeded();
  await button.click();
  await player.settled();
}

for (const size of SIZES) {
  const at = `in a window of ${size.width} by ${size.height}`;

  claim(`the board is in view after each step of a challenge ${at}`, { ...size, alone: true }, async (player) => {
    await player.open("nim", "3,5,7");
    await press(player, "#challenge");
    for (const step of ["Begin", "Next one", "Next one"]) {
      const before = await player.hash();
      await press(player, "#challenge-panel button.primary");
      await player.page.waitForFunction((before) => location.hash !== before, before);
      await player.settled();
      await waitUntilInView(player, step);
    }
  });

  claim(`the board is in view when a game of Learn begins ${at}`, { ...size, alone: true }, async (player) => {
    await player.open("sticks", "3,5,7");
    await press(player, "#learn");
    await press(player, "#learn-panel [data-guess=loss]");
    await press(player, "#learn-panel .text > p > button.primary");
    assert.match(await player.position(), /^4,7/);
    await waitUntilInView(player, "Play from 4,7");
  });

  claim(`the board is in view after each step in History, and under other rules ${at}`, size, async (player) => {
    await player.open("sticks", "3,5,7");
    await player.set("#opponent", "friend");
    for (const move of ["3:2", "2:1", "1:1"]) await player.move(move);
    await press(player, "#history");
    await press(player, '#history-panel [data-ply="1"]');
    await waitUntilInView(player, "a point of the curve");
    await press(player, "#history-panel summary");
    await press(player, "#history-panel .list tr:last-child button");
    await waitUntilInView(player, "a move of the list");
    await press(player, "#history-panel .mistakes button");
    await waitUntilInView(player, "a mistake");
    await press(player, "#history");
    await press(player, "#variants");
    await press(player, "#variants-panel .body button");
    await waitUntilInView(player, "other rules");
  });

  claim(`the board is in view after a transcript was opened ${at}`, { ...size, alone: true }, async (player) => {
    await player.open("sticks", "3,5,7");
    const { rules } = await player.ask("/api/tables/sticks");
    const text = `${JSON.stringify({ game: "heaps", rules, start: "2,3,4", moves: ["1:1"] })}\n`;
    await press(player, "#history");
    await player.page
      .locator("#history-panel input.open")
      .setInputFiles({ name: "game.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) });
    await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position === "1,3,4");
    await waitUntilInView(player, "a transcript");
  });
}

claim(
  "the board is in view although the page was scrolling to a panel",
  { width: 844, height: 600, alone: true },
  async (player) => {
    await player.open("sticks", "3,5,7");
    await player.set("#opponent", "friend");
    await player.page.locator("#settings summary").click();
    await player.move("3:2");
    await player.page.evaluate(() => scrollTo(0, 0));
    await player.page.evaluate(async () => {
      const press = (/** @type {string} */ id) => document.getElementById(id)?.click();
      press("history");
      while (scrollY < 40) await new Promise((next) => addEventListener("scroll", next, { once: true }));
      await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
      // While the script is busy, the browser scrolls a frame further than the script knows.
      const begun = performance.now();
      while (performance.now() - begun < 50);
      press("undo");
    });
    await player.settled();
    await waitUntilInView(player, "Undo");
  },
);

claim("the page does not scroll if the board is in view already", { width: 390, height: 664 }, async (player) => {
  await player.open("sticks", "3,5,7");
  const before = await player.page.evaluate(() => scrollY);
  await player.move("1:1");
  await player.click("#undo");
  assert.equal(await player.page.evaluate(() => scrollY), before);
});

claim(
  "the page jumps to the board with reduced motion, and scrolls smoothly without",
  { width: 390, height: 664, alone: true },
  async (player) => {
    await player.page.addInitScript(() => {
      const scroll = window.scrollBy.bind(window);
      window.scrollBy = (/** @type {any} */ how) => {
        if (how.top !== 0) document.body.dataset.scrolled = how.behavior;
        scroll(how);
      };
    });
    for (const [reducedMotion, behavior] of /** @type {const} */ ([
      ["reduce", "auto"],
      ["no-preference", "smooth"],
    ])) {
      await player.page.emulateMedia({ reducedMotion });
      await player.page.goto("about:blank");
      await player.open("sticks", "3,5,7");
      await press(player, "#learn");
      await press(player, "#learn-panel [data-guess=loss]");
      await press(player, "#learn-panel .text > p > button.primary");
      await waitUntilInView(player, reducedMotion);
      assert.equal(await player.page.evaluate(() => document.body.dataset.scrolled), behavior);
    }
  },
);

claim(
  "after Enter on the button of a challenge the focus is on the board",
  { width: 390, height: 664, alone: true },
  async (player) => {
    await player.open("sticks", "3,5,7");
    await player.click("#challenge");
    await player.page.locator("#challenge-panel button.primary").focus();
    await player.page.keyboard.press("Tab");
    await player.page.keyboard.press("Shift+Tab");
    await player.press("Enter");
    await player.page.waitForFunction(() => document.getElementById("board")?.contains(document.activeElement));
    await waitUntilInView(player, "Enter");
  },
);
