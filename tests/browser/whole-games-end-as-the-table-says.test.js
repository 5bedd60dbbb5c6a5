// Whole games are played on the page, and end as the table says.

import assert from "node:assert/strict";
import { numbers } from "./games.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

for (const seed of [1, 2]) {
  claim(`the computer wins from a lost start against random moves of seed ${seed}`, {}, async (player) => {
    await player.open("sticks", "3,5,6");
    assert.equal((await player.state()).outcome, "loss");
    await playRandomly(player, seed);
    assert.match(await player.status(), /The game is over\. The computer wins\.$/);
  });
}

claim("3-5-7 is lost for the second player, whose side a first visitor can choose", {}, async (player) => {
  await player.open();
  assert.deepEqual([await player.table(), await player.position()], ["sticks", "3,5,7"]);
  await player.set("#side", "second");
  await player.settled();
  assert.match(await player.status(), /^The computer takes 1 from row \d\. Your turn\.$/);
  await playRandomly(player, 4);
  assert.match(await player.status(), /The game is over\. The computer wins\.$/);
});

/** Makes random moves to the end, and checks that the position is lost at each turn. */
async function playRandomly(/** @type {Player} */ player, /** @type {number} */ seed) {
  const random = numbers(seed);
  let moves = 0;
  while ((await player.turn()) === "person") {
    const { moves: possible, outcome } = await player.state();
    assert.equal(outcome, "loss");
    assert.match(await player.status(), /Your turn\.$/);
    const { move, words } = possible[random(possible.length)];
    await player.move(move);
    assert.ok((await player.status()).startsWith(`You ${words}.`));
    moves++;
  }
  assert.equal(await player.turn(), "over");
  assert.ok(moves > 0);
  const { over, moves: left } = await player.state();
  assert.deepEqual([over, left.length], [true, 0]);
}

const WON = [
  ["sticks", "3,5,7", "first"],
  ["sticks-normal", "3,5,7", "first"],
  ["sticks", "3,5,6", "second"],
  ["nim-misere", "2,3,4,4,2", "first"],
  ["nim-pass", "2,3,2/1", "first"],
  ["moore", "5,3,2,1", "first"],
  ["subtraction", "5,4,9", "first"],
  ["wythoff", "4,9", "first"],
  ["expanding", "30", "first"],
  ["expanding", "23", "second"],
  ["expanding-misere", "31", "first"],
];

for (const [table, position, side] of WON) {
  claim(`moves marked by Show me win ${table} from ${position}, moving ${side}`, {}, async (player) => {
    await player.open(table, position);
    await player.page.locator("#show").click();
    await player.set("#side", side);
    await player.settled();
    let moves = 0;
    let imposed = 0;
    while ((await player.turn()) === "person") {
      const winning = (await player.hints()).filter((hint) => hint.outcome === "win");
      assert.ok(winning.length > 0, "a won position has a winning move");
      // Choose a winning reset if there is one, otherwise the fastest win.
      const resets = (/** @type {{move: string}} */ { move }) => Number(move.endsWith("r"));
      const [hint] = winning.sort((a, b) => resets(b) - resets(a) || a.depth - b.depth);
      const before = (await player.state()).pile;
      await makeMarkedMove(player, hint.move);
      if (hint.move.endsWith("r")) {
        await checkReset(player, before);
        imposed++;
      }
      moves++;
    }
    assert.match(await player.status(), /The game is over\. You win\.$/);
    assert.ok(moves > 1);
    assert.equal(imposed > 0, table.startsWith("expanding"));
  });
}

/** Chooses the stick, square or list entry with a mark, and takes it. */
async function makeMarkedMove(/** @type {Player} */ player, /** @type {string} */ move) {
  if (move === "pass") return player.click("#pass");
  const stick = player.page.locator(`:is(.stick, .square):has([data-move="${move}"])`);
  await ((await stick.count()) > 0 ? stick : player.page.locator(`button[data-move="${move}"]`)).click();
  if (move.endsWith("r")) await player.page.locator("#reset").check();
  const { words } = (await player.state()).moves.find((/** @type {any} */ possible) => possible.move === move);
  assert.equal((await player.text("#take")).toLowerCase(), words);
  await player.click("#take");
}

/** Checks the page after a reset: one token is used, and the computer took at most 3 stones. */
async function checkReset(/** @type {Player} */ player, /** @type {any} */ before) {
  const at = Number(await player.page.locator("#side").inputValue()) - 1;
  const mine = player.page.locator(".tokens").nth(at);
  assert.equal(await mine.getAttribute("aria-label"), `${before.resets[at] - 1} of 4 left`);
  assert.equal(await mine.locator(".token:not(.used)").count(), before.resets[at] - 1);
  assert.match(await player.status(), /^You take \d+ and impose a reset\./);
  const took = /The computer takes (\d+)/.exec(await player.status());
  assert.ok(!took || Number(took[1]) <= 3);
}
