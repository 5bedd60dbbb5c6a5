// The tools below the board are in groups, each with a name and a frame, and Take has its own row.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Returns the visible groups of tools, each with its name and its visible buttons. */
const groups = (/** @type {Player} */ player) =>
  player.page
    .locator("#tools .group")
    .evaluateAll((all) =>
      all
        .filter((group) => group.checkVisibility())
        .map((group) => [
          group.getAttribute("aria-label"),
          ...[...group.querySelectorAll("button")].filter((button) => button.checkVisibility()).map(({ id }) => id),
        ]),
    );

/** Returns the visible buttons in the row of Take. */
const rowOfTake = (/** @type {Player} */ player) =>
  player.page
    .locator(".actions button")
    .evaluateAll((all) => all.filter((button) => button.checkVisibility()).map(({ id }) => id));

const UNDERSTAND = ["Understand", "show", "why", "challenge"];
const EXPLORE = ["Explore", "history", "map", "variants", "table"];
const SHARE = ["Share", "share", "print", "keys"];

claim("the tools are in four groups, and Take has its own row", { width: 1280, height: 800 }, async (player) => {
  await player.open("sticks", "3,5,7");
  assert.deepEqual(await groups(player), [["Play", "undo", "redo", "hint"], UNDERSTAND, EXPLORE, SHARE]);
  assert.deepEqual(await rowOfTake(player), ["take"]);
  await player.set("#opponent", "nobody");
  assert.deepEqual((await groups(player))[0], ["Play", "undo", "redo", "pause", "hint"]);
});

for (const [width, height] of [
  [390, 664],
  [740, 360],
]) {
  claim(`Undo is beside Take in a window of ${width} by ${height}`, { width, height, touch: true }, async (player) => {
    await player.open("sticks", "3,5,7");
    assert.deepEqual(await groups(player), [["Play", "hint"], UNDERSTAND, EXPLORE, SHARE]);
    assert.deepEqual(await rowOfTake(player), ["take", "undo"]);
  });
}

claim("Undo moves when the window gets narrower or wider, and keeps the focus", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.move("1:1");
  await player.page.locator("#undo").focus();
  for (const [width, row] of /** @type {const} */ ([
    [390, ["take", "undo"]],
    [1280, ["take"]],
  ])) {
    await player.page.setViewportSize({ width, height: 800 });
    await player.page.waitForFunction(
      (length) => document.querySelectorAll(".actions #undo").length === length,
      row.length - 1,
    );
    assert.deepEqual(await rowOfTake(player), row);
    assert.equal((await player.focus()).name, "undo");
  }
});

claim("no frame is empty, and none cuts its name, in every language and in Present", {}, async (player) => {
  for (const language of ["en", "de", "fr", "es"]) {
    for (const game of ["table=sticks&position=3,5,7", "table=sticks&start=3,5,7&goal=find&hints=off"]) {
      await player.page.goto("about:blank");
      await player.page.goto(`${player.address}/?lang=${language}#${game}`);
      await player.settled();
      for (const present of [false, true]) {
        if (present) await player.page.evaluate(() => document.body.classList.add("present"));
        for (const [name, ...buttons] of await groups(player)) {
          assert.ok(buttons.length > 0, `${name} has buttons`);
          const width = await player.page.locator(`#tools [aria-label="${name}"]`).evaluate((group) => {
            const label = getComputedStyle(group, "::before");
            return { group: group.clientWidth, label: Number.parseFloat(label.left) + Number.parseFloat(label.width) };
          });
          assert.ok(width.label < width.group, `${name}: ${width.label} of ${width.group}`);
        }
      }
    }
  }
});
