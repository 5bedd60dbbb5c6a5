// *Learn* and *Challenge* put their own positions on the board; when they are closed, the previous game is back.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const SIZES = [
  { width: 390, height: 664, touch: true },
  { width: 1280, height: 900 },
];

/** Returns what the reader sees of the game: position, status, settings, address, and whether Undo and Redo are possible. */
const visibleGame = async (/** @type {Player} */ player) => ({
  table: await player.table(),
  position: await player.position(),
  status: await player.status(),
  opponent: await player.page.locator("#opponent").inputValue(),
  side: await player.page.locator("#side").inputValue(),
  hash: await player.hash(),
  undo: await player.page.locator("#undo").isEnabled(),
  redo: await player.page.locator("#redo").isEnabled(),
});

/** Begins a game with moves to undo and to redo, and another line of play. Returns what the reader sees of it. */
async function beginGame(/** @type {Player} */ player) {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "easy");
  await player.settled();
  await player.move("3:1");
  await player.click("#undo");
  await player.move("3:2");
  await player.click("#undo");
  return visibleGame(player);
}

for (const size of SIZES) {
  claim(`after Learn the game is as before, ${size.width} pixels wide`, { ...size, alone: true }, async (player) => {
    const before = await beginGame(player);
    await player.click("#learn");
    const positions = [];
    for (let step = 1; step <= 5; step++) {
      const board = player.page.locator("#learn-panel .position");
      const shown = (await board.getAttribute("aria-label")) ?? "";
      positions.push(shown);
      const sticks = (shown.match(/\d+/g) ?? []).reduce((sum, heap) => sum + Number(heap), 0);
      assert.equal(await board.locator(".wood").count(), sticks, "the step shows its own position");
      assert.equal(await player.position(), before.position, "and the position of the game stays");
      if (step < 5) await player.click(`#learn-panel .step-of >> nth=${step}`);
    }
    assert.deepEqual(positions, ["4, 4", "1, 2, 3", "8 sticks", "9 sticks", "3, 5, 6"]);
    // Two lessons of Learn in turn.
    for (const step of [1, 2]) {
      await player.click(`#learn-panel .step-of >> nth=${step - 1}`);
      await player.click("#learn-panel [data-guess=loss]");
      await player.click("#learn-panel .text > p > button.primary");
      assert.equal(await player.table(), "nim");
    }
    await player.click("#learn");
    assert.deepEqual(await visibleGame(player), before);
    await player.click("#redo");
    assert.notEqual(await player.position(), before.position, "what was undone can be redone");
  });

  claim(
    `after a challenge the game is as before, ${size.width} pixels wide`,
    { ...size, alone: true },
    async (player) => {
      const before = await beginGame(player);
      await player.click("#challenge");
      await player.page.locator("#challenge-panel button.primary").click();
      await player.page.waitForFunction((hash) => location.hash !== hash, before.hash);
      await player.settled();
      await player.click("#challenge");
      assert.deepEqual(await visibleGame(player), before);
    },
  );
}

claim("a game that was begun during Learn stays when Learn is closed", { alone: true }, async (player) => {
  await beginGame(player);
  await player.click("#learn");
  await player.click("#learn-panel [data-guess=loss]");
  await player.click("#learn-panel .text > p > button.primary");
  await player.choose("marienbad");
  await player.click("#learn");
  assert.equal(await player.table(), "marienbad");
});
