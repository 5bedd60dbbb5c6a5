// Wythoff's game is a queen on a chessboard: squares are chosen with mouse, finger and keys, and marked as the server says.

import assert from "node:assert/strict";
import axe from "axe-core";
import { byName } from "./games.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const take = (/** @type {Player} */ player) => player.text("#take");

/** Returns the square that a move leads to, as the server writes positions. */
const targetOf = async (/** @type {Player} */ player, /** @type {string} */ move) =>
  (await player.state()).moves.find((/** @type {any} */ possible) => possible.move === move).to;

/** Returns the column and the row of an element on the board, computed from its pixels after all animations. @param {Player} player @param {string} selector */
const squareOf = (player, selector) =>
  player.page.evaluate(async (selector) => {
    await Promise.all(document.getAnimations().map(({ finished }) => finished));
    const box = (/** @type {string} */ one) =>
      /** @type {Element} */ (document.querySelector(one)).getBoundingClientRect();
    const [wood, at] = [box(".chessboard .wood"), box(selector)];
    const columns = Number(
      getComputedStyle(/** @type {Element} */ (document.querySelector(".chessboard"))).getPropertyValue("--columns"),
    );
    const side = wood.width / columns;
    const [x, y] = [at.x + at.width / 2 - wood.x, wood.bottom - at.y - at.height / 2];
    return `${Math.floor(x / side)},${Math.floor(y / side)}`;
  }, selector);

for (const [position, size] of /** @type {const} */ ([
  ["7,9", [8, 10]],
  ["3,0", [4, 1]],
  ["40,30", [41, 31]],
])) {
  claim(`from ${position} the squares that the queen reaches are the server's moves`, {}, async (player) => {
    await player.open("wythoff", position);
    const { moves } = await player.state();
    const squares = await player.page
      .locator(".square")
      .evaluateAll((all) =>
        all.map((one) => ({ move: /** @type {HTMLElement} */ (one).dataset.takes ?? "", name: one.textContent })),
      );
    assert.deepEqual(
      byName(squares),
      byName(moves.map((/** @type {any} */ { move, to, words }) => ({ move, name: `to ${to}: ${words}` }))),
    );
    assert.equal(await squareOf(player, ".figure.queen"), position);
    assert.equal(await squareOf(player, ".goal"), "0,0");
    for (const { move, to } of moves.slice(0, 12)) assert.equal(await squareOf(player, `[data-takes="${move}"]`), to);
    const wood = await player.page.locator(".chessboard .wood").boundingBox();
    assert.ok(wood && Math.abs(wood.width / wood.height - size[0] / size[1]) < 0.02, "the squares are square");
  });
}

claim("a click chooses a move, another click none, and Take makes the move", {}, async (player) => {
  await player.open("wythoff", "7,9");
  const before = await take(player);
  await player.pick("1:3+2:3");
  assert.equal(await take(player), "Take 3 from row 1 and 3 from row 2");
  assert.equal(await squareOf(player, ".figure.ghost"), "4,6");
  assert.match((await player.page.locator(".lines .way").getAttribute("d")) ?? "", /^M7\.5 0\.5L4\.5 3\.5$/);
  await player.pick("2:9");
  assert.equal(await take(player), "Take 9 from row 2");
  assert.equal(await player.count('.square[aria-pressed="true"]'), 1);
  await player.pick("2:9");
  assert.equal(await take(player), before);
  assert.equal(await player.page.locator(".figure.ghost").isVisible(), false);
  await player.set("#opponent", "friend");
  await player.move("1:2");
  await player.move("2:4");
  assert.equal(await player.position(), "5,5");
  assert.equal(await squareOf(player, ".figure.queen"), "5,5");
  assert.equal(
    await player.page.locator("path.trace").getAttribute("d"),
    "M5.5 0.5L5.5 4.5",
    "the last move is traced",
  );
});

claim("the computer's answer is traced, and a finished game has the queen in the corner", {}, async (player) => {
  await player.open("wythoff", "7,9");
  await player.move("1:3+2:3");
  const to = (await player.position()).split(",").map(Number);
  const path = (await player.page.locator("path.trace").getAttribute("d")) ?? "";
  assert.ok(path.startsWith("M7.5 0.5L4.5 3.5L") && path.endsWith(`L${to[0] + 0.5} ${9.5 - to[1]}`), path);
  await player.open("wythoff", "3,3");
  await player.move("1:3+2:3");
  assert.match(await player.status(), /The game is over\. You win\.$/);
  assert.equal(await squareOf(player, ".figure.queen"), "0,0");
  assert.equal(await player.count(".square"), 0);
});

claim("arrow keys choose a square, and Enter makes the move", {}, async (player) => {
  await player.open("wythoff", "5,3");
  // With nothing in focus, up and down lead to the board.
  await player.press("ArrowDown");
  const choices = async (/** @type {[string, string][]} */ ...steps) => {
    for (const [key, expected] of steps) {
      await player.press(key);
      const pressed = player.page.locator('.square[aria-pressed="true"]');
      const chosen = (await pressed.count()) > 0 ? await pressed.getAttribute("data-takes") : "";
      assert.equal(chosen, expected, key);
    }
  };
  await choices(
    ["ArrowLeft", "1:1"],
    ["ArrowLeft", "1:2"],
    ["ArrowUp", "1:2"],
    ["ArrowDown", "1:2+2:2"],
    ["ArrowLeft", "1:3+2:3"],
    ["ArrowDown", "1:3+2:3"],
    ["ArrowRight", "1:2+2:2"],
    ["ArrowUp", "1:1+2:1"],
    ["ArrowUp", "1:1"],
    ["Home", "1:5"],
    ["ArrowDown", "1:3+2:3"],
    ["End", "1:1+2:1"],
    ["ArrowRight", "2:1"],
    ["ArrowDown", "2:2"],
    ["ArrowLeft", "1:2+2:2"],
    ["End", "1:1+2:1"],
    ["ArrowRight", "2:1"],
    ["ArrowUp", ""],
    ["ArrowDown", "2:1"],
    ["Home", "2:3"],
  );
  assert.deepEqual((await player.focus()).visible, true);
  assert.equal(
    await player.count("#board :is(button, input):visible:not([tabindex='-1'])"),
    1,
    "one stop of the Tab key",
  );
  await player.press("Enter");
  assert.match(await player.status(), /^You take 3 from row 2\./);
  assert.equal((await player.focus()).inside, "board");
});

claim("every move can be chosen with the keys alone", {}, async (player) => {
  await player.open("wythoff", "4,6");
  for (const { move } of (await player.state()).moves) {
    const [left = 0, down = 0] = [1, 2].map((row) => Number(new RegExp(`${row}:(\\d+)`).exec(move)?.[1] ?? 0));
    await player.begin("4,6");
    await player.page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    await player.press(
      "ArrowDown",
      ...Array(left || down).fill(left ? "ArrowLeft" : "ArrowDown"),
      ...(left && down ? ["ArrowDown"] : []),
    );
    const to = await targetOf(player, move);
    assert.equal(await squareOf(player, ".figure.ghost"), to, move);
  }
});

for (const position of ["7,9", "20,24"]) {
  claim(`from ${position} each square has the mark of its move, also where marks are small`, {}, async (player) => {
    await player.open("wythoff", position);
    await player.click("#show");
    const { moves } = await player.state();
    const marks = await player.page.locator(".square").evaluateAll((all) =>
      all.map((one) => {
        const mark = /** @type {HTMLElement | null} */ (one.querySelector("[data-move]"));
        const { takes, verdict } = /** @type {HTMLElement} */ (one).dataset;
        return { move: takes ?? "", same: mark?.dataset.move === takes, outcome: mark?.dataset.outcome, verdict };
      }),
    );
    assert.deepEqual(
      byName(marks),
      byName(moves.map((/** @type {any} */ { move, outcome }) => ({ move, same: true, outcome, verdict: outcome }))),
    );
    assert.equal(await player.count("#hints [data-move]"), 0, "none is in a list");
  });
}

claim("large boards colour the squares, and list the moves", {}, async (player) => {
  await player.open("wythoff", "40,30");
  await player.click("#show");
  const { moves } = await player.state();
  assert.equal(await player.count("#hints [data-move]"), moves.length);
  for (const { move, outcome } of moves.slice(0, 20))
    assert.equal(await player.page.locator(`[data-takes="${move}"]`).getAttribute("data-verdict"), outcome);
  await player.page.locator('#hints [data-move="1:7+2:7"]').click();
  assert.equal(await squareOf(player, ".figure.ghost"), "33,23");
});

claim(
  "beside small squares fields and clicks choose the move",
  { width: 390, height: 664, touch: true },
  async (player) => {
    await player.open("wythoff", "30,28");
    await player.page.locator('[aria-label="One more from row 2"]').tap();
    assert.equal(await take(player), "Take 1 from row 2");
    assert.equal(await squareOf(player, ".figure.ghost"), "30,27");
    await player.page.locator('[aria-label="How many from row 1"]').fill("4");
    assert.match(await player.text("#reason"), /not a legal move/);
    assert.equal(await player.page.locator(".figure.ghost").isVisible(), false);
    await player.page.locator('[aria-label="How many from row 2"]').fill("4");
    assert.equal(await squareOf(player, ".figure.ghost"), "26,24");
    await player.page.evaluate(() => scrollTo(0, 0));
    const square = await player.page.locator('[data-takes="1:9"]').boundingBox();
    await player.page.touchscreen.tap((square?.x ?? 0) + 2, (square?.y ?? 0) + 2.5 * (square?.height ?? 0));
    assert.equal(await take(player), "Take 9 from row 1");
  },
);

claim("heaps of more than 60 are rows of sticks, and the queen is back in the next game", {}, async (player) => {
  await player.open("wythoff", "61,9");
  assert.deepEqual([await player.count(".chessboard"), await player.count(".row .stick")], [0, 70]);
  await player.move("1:1+2:1");
  await player.begin("60,9");
  assert.deepEqual([await player.count(".chessboard"), await player.count(".stick")], [1, 0]);
});

for (const [width, height] of [
  [320, 568],
  [390, 664],
  [740, 360],
  [1280, 800],
  [1920, 1080],
]) {
  claim(`the board fits a window of ${width} by ${height}`, { width, height }, async (player) => {
    for (const position of ["2,1", "7,9", "12,8", "9,24", "24,9", "60,55"]) {
      await player.open("wythoff", position);
      const fits = await player.page.evaluate(() => {
        const board = /** @type {Element} */ (document.getElementById("board")).getBoundingClientRect();
        const inside = [...document.querySelectorAll("#board .chessboard *")].filter((one) => one.checkVisibility());
        const wood = /** @type {Element} */ (document.querySelector(".wood")).getBoundingClientRect();
        return {
          page: document.documentElement.scrollWidth - innerWidth,
          right: Math.max(...inside.map((one) => one.getBoundingClientRect().right)) <= board.right + 1,
          left: Math.min(...inside.map((one) => one.getBoundingClientRect().left)) >= board.left - 1,
          high: wood.height <= 0.72 * innerHeight,
          square: /** @type {Element} */ (document.querySelector(".square")).getBoundingClientRect().width <= 56.5,
        };
      });
      assert.deepEqual(fits, { page: 0, right: true, left: true, high: true, square: true }, position);
    }
  });
}

for (const dark of [false, true]) {
  claim(`axe finds nothing on the board in ${dark ? "dark" : "light"} colours`, { dark }, async (player) => {
    for (const [position, width] of /** @type {const} */ ([
      ["7,9", 1280],
      ["8,12", 320],
      ["40,30", 1280],
      ["24,20", 390],
    ])) {
      await player.page.setViewportSize({ width, height: 800 });
      await player.open("wythoff", position);
      await player.page.evaluate(axe.source);
      await player.click("#show");
      await player.pick("1:2+2:2");
      await player.page.mouse.move(0, 0);
      const found = await player.page.evaluate(async () => {
        // @ts-ignore
        const { violations } = await window.axe.run("#play", { rules: { "target-size": { enabled: true } } });
        return violations.map((/** @type {any} */ { id, nodes }) => [id, nodes[0].html, nodes[0].any[0]?.message]);
      });
      assert.deepEqual(found, [], position);
    }
  });
}

claim("squares have names in the reader's language", {}, async (player) => {
  await player.open("wythoff", "3,5");
  for (const [language, name] of [
    ["de", /^nach 1,5: 2 aus Reihe 1 nehmen$/],
    ["fr", /^vers 1,5 : prendre 2 /],
    ["es", /^a 1,5: quitar 2 /],
  ]) {
    await player.page.locator("#language").selectOption(String(language));
    await player.settled();
    const square = player.page.locator('[data-takes="1:2"]');
    await square.filter({ hasText: name }).waitFor();
  }
  await player.page.locator("#language").selectOption("en");
});
