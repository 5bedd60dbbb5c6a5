// The streak of *Challenge* counts positions solved in a row without help.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const SIZES = [
  { width: 390, height: 664, touch: true },
  { width: 1280, height: 900 },
];

const PANEL = "#challenge-panel";

/** Goes to the next position of the challenge. */
async function next(/** @type {Player} */ player) {
  const before = await player.hash();
  await player.page.locator(`${PANEL} button.primary`).click();
  await player.page.waitForFunction((before) => location.hash !== before, before);
  await player.settled();
}

/** Makes a winning move. Returns the verdict of the challenge. @returns {Promise<string>} */
async function solve(/** @type {Player} */ player) {
  await player.move((await player.state()).best);
  return player.text(`${PANEL} .big`);
}

for (const size of SIZES) {
  for (const help of ["hint", "show", "why", "map", "variants", "table"]) {
    claim(
      `${help} ends the streak of a challenge at ${size.width} pixels`,
      { ...size, alone: true },
      async (player) => {
        await player.open("nim", "3,5,7,0,0");
        await player.click("#challenge");
        assert.match(
          await player.text(PANEL),
          /Your streak ends if you get help \(Hint, Show me, Why, Map, Variants, Table, Print\)/,
        );
        await next(player);
        assert.equal((await solve(player)).trim(), "Right! One found.");
        await next(player);
        await player.click(`#${help}`);
        assert.match(await player.text(`${PANEL} .note`), /You have had help/);
        assert.equal((await solve(player)).trim(), "Right, but with help.");
        await next(player);
        for (const answer of ["#hints", "#verdict", "#why-panel", "#map-panel", "#variants-panel", "#table-panel"])
          assert.equal(
            await player.page.locator(answer).isVisible(),
            false,
            `${answer} is closed for the next position`,
          );
        assert.equal((await solve(player)).trim(), "Right! One found.", "the streak begins again");
        assert.match(await player.text(PANEL), /Your longest streak: 1\./);
      },
    );
  }
}

claim("skipping a position ends the streak", { alone: true }, async (player) => {
  await player.open("nim", "3,5,7,0,0");
  await player.click("#challenge");
  await next(player);
  await solve(player);
  await next(player);
  assert.equal((await solve(player)).trim(), "Right! 2 found in a row.");
  await next(player);
  await next(player);
  assert.equal((await solve(player)).trim(), "Right! One found.");
});

claim("a second answer to the same position counts for nothing", { alone: true }, async (player) => {
  await player.open("nim", "3,5,7,0,0");
  await player.click("#challenge");
  await next(player);
  await solve(player);
  await player.click("#undo");
  await player.click("#hint");
  assert.equal((await solve(player)).trim(), "Right! One found.", "help comes too late to matter");
  await next(player);
  assert.equal((await solve(player)).trim(), "Right! 2 found in a row.");
});
