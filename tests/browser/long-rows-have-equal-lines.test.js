// A row too long for one line is broken into lines of equal length.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Returns the numbers of sticks and traces in the lines of each row. @param {Player} player @returns {Promise<number[][]>} */
const lines = (player) =>
  player.page.locator(".row .sticks").evaluateAll((rows) =>
    rows.map((row) => {
      /** @type {Map<number, number>} */ const lengths = new Map();
      /** @type {NodeListOf<HTMLElement>} */ const sticks = row.querySelectorAll(".stick, .trace");
      for (const { offsetTop } of sticks) lengths.set(offsetTop, (lengths.get(offsetTop) ?? 0) + 1);
      return [...lengths.values()];
    }),
  );

/** Waits until the browser has painted the page. */
const painted = (/** @type {Player} */ player) =>
  player.page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));

/** Checks that the lines of each row are equally long. Returns the number of lines of the longest row. */
async function checkLines(/** @type {Player} */ player, /** @type {string} */ when) {
  await painted(player);
  const rows = await lines(player);
  for (const row of rows) assert.ok(Math.max(...row) - Math.min(...row) <= 1, `${when}: ${row.join("+")}`);
  return Math.max(...rows.map((row) => row.length));
}

for (const [width, height, most] of [
  [390, 664, 5],
  [740, 360, 4],
  [1280, 800, 2],
  [1920, 1080, 2],
]) {
  claim(
    `the lines of a row are equally long in a window of ${width} by ${height}`,
    { width, height },
    async (player) => {
      for (const [table, position, move] of [
        ["nim-misere", "31,30,29,17,5", "1:7"],
        ["subtraction", "60,59,47", "2:4"],
        ["expanding-growth-2", "400/45/1/4,4/-", "3"],
      ]) {
        await player.open(table, position);
        const found = await checkLines(player, table);
        assert.ok(found <= most, `${table} has ${found} lines`);
        await player.move(move);
        await checkLines(player, `${table}, after a move`);
      }
    },
  );
}

claim(
  "the lines stay equally long when the window gets narrower, and one line again when it gets wider",
  {},
  async (player) => {
    await player.open("nim-misere", "31,31,31,31,31");
    assert.deepEqual(await lines(player), Array(5).fill([31]));
    await player.page.setViewportSize({ width: 390, height: 664 });
    await painted(player);
    assert.deepEqual(await lines(player), Array(5).fill([11, 10, 10]));
    await player.page.setViewportSize({ width: 1280, height: 900 });
    await painted(player);
    assert.deepEqual(await lines(player), Array(5).fill([31]));
  },
);
