// Sticks and stones that are taken travel to the edge of the board, where each player's are counted.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Makes a friend the opponent, and closes the settings, so that the page does not scroll. */
async function playAFriend(/** @type {Player} */ player) {
  await player.set("#opponent", "friend");
  await player.page.locator("#settings summary").click();
}

/** Returns the words at the edge of the board, from left to right, each with the numbers of sticks drawn and of those that the last move took. */
const takings = (/** @type {Player} */ player) =>
  player.page.locator(".takings p").evaluateAll((all) =>
    all.map((one) => {
      const words = one.querySelector(".taker")?.textContent;
      return `${words}: ${one.querySelectorAll(".taken").length}, ${one.querySelectorAll(".last").length}`;
    }),
  );

/** Records the centre at which each animation begins, in pixels of the window. @param {Player} player */
const watchStarts = (player) =>
  player.page.evaluate(() => {
    const animate = Element.prototype.animate;
    // @ts-ignore
    window.starts = [];
    Element.prototype.animate = function (/** @type {any} */ frames, /** @type {any} */ options) {
      const [, x, y] = /translate\((-?[\d.]+)px, (-?[\d.]+)px\)/.exec(frames[0].transform) ?? [];
      const { left, top, width, height } = this.getBoundingClientRect();
      // @ts-ignore
      window.starts.push([left + width / 2 + Number(x), top + height / 2 + Number(y)]);
      return animate.call(this, frames, options);
    };
  });

const starts = (/** @type {Player} */ player) => player.page.evaluate(() => /** @type {any} */ (window).starts);

for (const size of [
  { width: 390, height: 664, touch: true },
  { width: 740, height: 360, touch: true },
  { width: 1280, height: 800 },
]) {
  claim(
    `each player's sticks are at the edge of the board, at ${size.width} by ${size.height}`,
    size,
    async (player) => {
      await player.open("sticks", "3,5,7");
      assert.deepEqual(await takings(player), []);
      /** Returns where the rows are on the board. */
      const rows = () =>
        player.page.locator("#board, .row").evaluateAll((all) => {
          const [top, ...rows] = all.map((one) => one.getBoundingClientRect().y);
          return rows.map((y) => Math.round(y - top));
        });
      await playAFriend(player);
      const before = await rows();
      await player.move("3:4");
      await player.move("2:1");
      assert.deepEqual(await takings(player), ["First player4: 4, 0", "Second player1: 1, 1"]);
      const inside = await player.page.evaluate(() => {
        const [board, edge] = ["#board", ".takings"].map((one) => document.querySelector(one)?.getBoundingClientRect());
        return board && edge && edge.height > 0 && edge.bottom <= board.bottom + 0.5 && edge.right <= board.right + 0.5;
      });
      assert.equal(inside, true);
      await player.click("#undo");
      assert.deepEqual(await takings(player), ["First player4: 4, 4", "Second player0: 0, 0"]);
      await player.click("#undo");
      assert.deepEqual(await takings(player), []);
      assert.deepEqual(await rows(), before, "the edge of the board has its room from the start");
    },
  );
}

claim("the reader's takings are at the left, and the winner is marked", {}, async (player) => {
  await player.page.goto(
    `${player.address}/#table=sticks&start=1,1,1&position=0,0,0&moves=1:1,2:1,3:1&opponent=perfect&side=2`,
  );
  await player.settled();
  assert.deepEqual(await takings(player), ["You1: 1, 0", "Computer2: 2, 1"]);
  assert.equal(await player.count(".takings p:first-child .mark.win"), 1);
  assert.equal(await player.count(".takings .mark"), 1);
});

for (const [table, position, move, sticks] of [
  ["sticks", "3,5,7", "2:3", '[data-row="2"] .shaft'],
  ["expanding", "30/4/1/4,4/-", "3", '[data-row="1"] .shaft'],
]) {
  claim(`what is taken in ${table} travels from its place on the board`, {}, async (player) => {
    await player.open(table, position);
    await playAFriend(player);
    await watchStarts(player);
    await player.pick(move);
    const places = await player.page.locator(sticks).evaluateAll((all) =>
      all.slice(-3).map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      }),
    );
    await player.click("#take");
    const began = await starts(player);
    assert.equal(began.length, 3);
    // A chosen stick is a few pixels higher than its place.
    for (const [n, [x, y]] of places.entries())
      assert.ok(Math.abs(began[n][0] - x) < 2 && Math.abs(began[n][1] - y) < 12, `${began[n]} instead of ${[x, y]}`);
    await player.click("#undo");
    assert.equal((await starts(player)).length, 3, "what is undone does not travel");
  });
}

for (const size of [
  { width: 390, height: 664, touch: true },
  { width: 740, height: 360, touch: true },
  { width: 1280, height: 800 },
]) {
  const at = `at ${size.width} by ${size.height}`;
  claim(`at the end both players' piles are on the board, move by move, ${at}`, size, async (player) => {
    const game = "table=sticks&start=3,5,7&moves=3:4,2:1,3:2,2:4,3:1,1:3&opponent=friend";
    await player.page.goto(`${player.address}/#${game}`);
    await player.settled();
    const piles = () =>
      player.page.locator(".takings p").evaluateAll((all) =>
        all.map((pile) => ({
          taker: pile.querySelector(".taker")?.textContent,
          moves: [...pile.querySelectorAll(".one-move")].map((move) => move.childElementCount),
          last: pile.querySelectorAll(".last").length,
          note: pile.querySelector(".aside")?.textContent?.trim(),
        })),
      );
    assert.deepEqual(await piles(), [
      { taker: "First player7", moves: [4, 2, 1], last: 0, note: undefined },
      { taker: "Second player8", moves: [1, 4, 3], last: 3, note: "with the last stick" },
    ]);
    const outside = await player.page.evaluate(() => {
      const board = /** @type {Element} */ (document.getElementById("board")).getBoundingClientRect();
      return [...document.querySelectorAll(".taker, .taken, .takings .aside")].filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < board.left || right > board.right || top < board.top || bottom > board.bottom + 0.5;
      }).length;
    });
    assert.equal(outside, 0, "all of it is on the board");
    const { height } = (await player.page.locator(".taken").first().boundingBox()) ?? { height: 0 };
    assert.ok(height > 40, `sticks of ${height} px`);
    assert.equal(await player.page.locator(".row").first().isVisible(), false);
    await player.click("#undo");
    assert.equal(await player.page.locator(".row").first().isVisible(), true);
    assert.deepEqual(await takings(player), ["First player7: 7, 1", "Second player5: 5, 0"]);
  });
}

claim("piles of many stones are drawn in part at the end, and counted", {}, async (player) => {
  await player.page.goto(
    `${player.address}/#table=expanding-growth-2&start=400/45/1/4,4/-&moves=${Array(8).fill(47)},24&opponent=friend`,
  );
  await player.settled();
  assert.equal(await player.turn(), "over");
  assert.deepEqual(await takings(player), ["First player212: 120, 24", "Second player188: 120, 0"]);
  assert.equal(await player.text(".takings p:first-child .aside"), "with the last stone");
});

claim("a chessboard stays at the end", {}, async (player) => {
  await player.page.goto(`${player.address}/#table=wythoff&start=2,1&moves=1:1,1:1%2B2:1&opponent=friend`);
  await player.settled();
  assert.equal(await player.turn(), "over");
  assert.equal(await player.page.locator(".chessboard").isVisible(), true);
  assert.equal(await player.page.locator(".takings").isVisible(), false);
});

claim("the queen travels to her new square", {}, async (player) => {
  await player.open("wythoff", "7,9");
  await playAFriend(player);
  await watchStarts(player);
  await player.move("1:3");
  assert.equal((await starts(player)).length, 1);
  assert.equal(await player.page.locator(".takings").isVisible(), false);
});

claim("nothing travels with reduced motion", { still: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  await playAFriend(player);
  await watchStarts(player);
  await player.move("2:3");
  assert.deepEqual(await starts(player), []);
  assert.deepEqual(await takings(player), ["First player3: 3, 3", "Second player0: 0, 0"]);
});
