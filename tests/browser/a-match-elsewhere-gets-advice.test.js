// The reader plays a match elsewhere: the computer gives advice, and the reader enters the opponent's moves. In
// Expanding Nim the page has number keys for these moves.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const PHONE = { width: 390, height: 664, touch: true };

/** Opens a match at its start. @param {Player} player @param {string} table @param {string} start @param {1 | 2} side the reader's */
async function openMatch(player, table, start, side) {
  const parts = `position=${start}&start=${start}&moves=&opponent=elsewhere&side=${side}`;
  await player.page.goto(`${player.address}/#table=${table}&${parts}`);
  await player.settled();
}

/** Returns the words of the best move in a position. */
async function bestWords(/** @type {Player} */ player, /** @type {string} */ position) {
  const { best, moves } = await player.state(position);
  const { words } = moves.find((/** @type {any} */ { move }) => move === best);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const advice = (/** @type {Player} */ player) => player.text(".advice p:first-child");

/** Checks that the advice, all keys and *Take* are in the window, and large enough for a thumb. */
async function checkReach(/** @type {Player} */ player) {
  const boxes = await player.page.locator(".advice, .key, #take, #undo, #reset-label").evaluateAll((all) =>
    all.map((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      return { name: one.id || one.textContent, top, bottom, left, right, isKey: one.matches(".key") };
    }),
  );
  const [wide, high] = await player.page.evaluate(() => [innerWidth, innerHeight]);
  for (const { name, top, bottom, left, right, isKey } of boxes) {
    assert.ok(top >= 0 && bottom <= high && left >= 0 && right <= wide, `${name} from ${top} to ${bottom} of ${high}`);
    assert.ok(!isKey || (bottom - top >= 44 && right - left >= 44), `${name} is ${right - left} by ${bottom - top}`);
  }
}

for (const size of [PHONE, { ...PHONE, width: 740, height: 360 }]) {
  claim(`a match is played with one thumb, at ${size.width} by ${size.height}`, size, async (player) => {
    await openMatch(player, "expanding", "217/9/1/4,3/-", 1);
    assert.equal(await advice(player), await bestWords(player, "217/9/1/4,3/-"));
    await checkReach(player);
    const before = await player.position();
    const { outcome } = await player.state();
    assert.equal(
      await player.count(`.advice .${outcome === "loss" ? "win" : "loss"}.big`),
      1,
      "the opponent is to move",
    );
    await player.page.getByRole("button", { name: "7", exact: true }).tap();
    await player.page.locator("#reset").tap();
    assert.equal(await player.text("#take"), "The opponent takes 7 and imposes a reset");
    const { moves } = await player.state();
    const { to } = moves.find((/** @type {any} */ { move }) => move === "7r");
    await player.page.locator("#take").tap();
    await player.settled();
    assert.equal(await advice(player), await bestWords(player, to));
    assert.match(await player.page.locator("#status").innerText(), /The opponent's turn\.$/);
    // The opponent's move and the answer are taken back together.
    await player.page.locator("#undo").tap();
    await player.settled();
    assert.equal(await player.position(), before);
  });
}

claim("a large limit has digits, which a keyboard types too, in the window of a phone", PHONE, async (player) => {
  await openMatch(player, "expanding-growth-2", "400/45/1/4,4/-", 2);
  assert.equal(await player.count(".advice p"), 1, "who moves second has no advice yet");
  await checkReach(player);
  await player.page.getByRole("button", { name: "4", exact: true }).tap();
  await player.page.getByRole("button", { name: "1", exact: true }).tap();
  assert.equal(await player.text("#take"), "The opponent takes 41");
  await player.page.getByRole("button", { name: "Erase the last digit" }).tap();
  assert.equal(await player.text("#take"), "The opponent takes 4");
  await player.press("7");
  assert.equal(await player.text("#take"), "The opponent takes 47");
  await player.press("9");
  assert.equal(await player.text("#take"), "The opponent takes 9", "479 is more than the limit");
  const { moves } = await player.state();
  const { to } = moves.find((/** @type {any} */ { move }) => move === "9");
  await player.click("#take");
  assert.equal(await advice(player), await bestWords(player, to));
});

claim("a reader who took something else says what, and the match continues from there", {}, async (player) => {
  await openMatch(player, "expanding", "56", 1);
  const start = "56/0/1/4,4/-";
  const { moves, best } = await player.state(start);
  await player.page.getByRole("button", { name: "You took something else?" }).click();
  await player.page.waitForFunction(() => document.body.dataset.turn === "person");
  assert.equal(await player.position(), start);
  const other = moves.find((/** @type {any} */ { move, reset }) => move !== best && !reset);
  await player.press(other.move);
  assert.equal(await player.text("#take"), `You take ${other.move}`);
  await player.press("Enter");
  assert.equal(await player.position(), other.to);
  assert.equal(await advice(player), `Take ${other.move}`, "the advice shows what was taken");
  await player.press("1", "Enter");
  assert.match(await player.status(), /The opponent takes 1\. You take .* The opponent's turn\.$/);
  // A reload keeps the match.
  const [position, said] = [await player.position(), await advice(player)];
  await player.page.reload();
  await player.settled();
  assert.deepEqual([await player.position(), await advice(player)], [position, said]);
});

claim("in a match of another game the opponent's moves are made on its board", {}, async (player) => {
  await openMatch(player, "sticks", "3,5,7", 1);
  assert.match(await player.status(), /^You take .* The opponent's turn\.$/);
  const { best, moves: first } = await player.state("3,5,7");
  assert.equal(await player.position(), first.find((/** @type {any} */ { move }) => move === best).to);
  const before = await player.position();
  const { moves } = await player.state();
  await player.pick(moves[0].move);
  assert.match(await player.text("#take"), /^The opponent takes/);
  await player.click("#take");
  assert.match(await player.status(), /^The opponent takes .* You take .* The opponent's turn\.$/);
  await player.click("#undo");
  assert.equal(await player.position(), before);
});

claim("a card of the gallery begins a match, and asks for its start", PHONE, async (player) => {
  await player.visit();
  await player.page.locator(".elsewhere").tap();
  await player.settled();
  assert.equal(await player.count("body.match"), 1);
  assert.equal(await player.page.locator("#opponent").inputValue(), "elsewhere");
  assert.equal(await player.page.locator("#start").inputValue(), "1000");
  await player.page.locator("#start").fill("500");
  await player.page.locator("#side").selectOption("2");
  await player.page.locator("#restart").tap();
  await player.settled();
  assert.equal(await player.position(), "500/0/1/4,4/-");
  assert.equal(await player.text(".ask"), "What does the opponent take?");
  // The next game of the gallery is not played elsewhere.
  await player.visit();
  await player.page.locator('[data-game="sticks"]').tap();
  await player.settled();
  assert.equal(await player.page.locator("#opponent").inputValue(), "medium");
});
