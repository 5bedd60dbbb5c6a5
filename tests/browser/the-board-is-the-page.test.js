// The board is the page: it has at least half of the window, and its sticks are large enough for a finger.

import assert from "node:assert/strict";
import axe from "axe-core";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const SIZES = [
  { width: 390, height: 664, touch: true },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/** A start of a game of each kind, a move that can be chosen there, and moves that lead to an end. @type {[string, string, string, string[]][]} */
const GAMES = [
  ["sticks", "3,5,7", "3:2", ["3:7", "2:5", "1:3"]],
  ["nim", "15,14,12,9,7", "2:3", ["1:15", "2:14", "3:12", "4:9", "5:7"]],
  ["wythoff", "8,12", "2:3", ["2:3", "1:8", "2:9"]],
  ["expanding", "30/4/1/4,3/-", "3", ["5", "5", "5", "5", "5", "5"]],
];

/** Returns the share of the window that shows the board, in percent. The buttons may lie on its lower edge. */
const share = (/** @type {Player} */ player) =>
  player.page.evaluate(() => {
    const [board, actions] = ["#board", ".actions"].map((selector) => {
      const element = /** @type {Element} */ (document.querySelector(selector));
      return element.getBoundingClientRect();
    });
    const visible = Math.min(board.bottom, actions.top, innerHeight) - Math.max(board.top, 0);
    return (100 * Math.max(0, visible) * board.width) / (innerWidth * innerHeight);
  });

for (const size of SIZES) {
  for (const language of ["en", "de"]) {
    const at = `in a window of ${size.width} by ${size.height}, in ${language}`;
    claim(`the board has half of the window from the start of a game to its end ${at}`, size, async (player) => {
      /** @type {string[]} */ const small = [];
      const check = async (/** @type {string} */ when) => {
        const found = await share(player);
        if (found < 50) small.push(`${when}: ${found.toFixed(1)} %`);
      };
      for (const [table, start, move, moves] of GAMES) {
        const page = `${player.address}/?lang=${language}`;
        await player.page.goto(`${page}#table=${table}&position=${start}&opponent=friend`);
        await player.settled();
        await check(`${table}, at the start`);
        await player.pick(move);
        await check(`${table}, with a move chosen`);
        await player.page.goto("about:blank");
        await player.page.goto(`${page}#table=${table}&start=${start}&moves=${moves.join()}&opponent=friend`);
        await player.settled();
        assert.equal(await player.turn(), "over");
        await check(`${table}, at the end`);
      }
      assert.deepEqual(small, []);
    });
  }
}

for (const language of ["en", "de", "fr", "es"]) {
  claim(
    `each game fits a window of 1280 by 800 at its start, in ${language}`,
    { width: 1280, height: 800 },
    async (player) => {
      /** @type {string[]} */ const wrong = [];
      for (const { name } of await player.tables()) {
        await player.page.goto("about:blank");
        await player.page.goto(`${player.address}/?lang=${language}#table=${name}&opponent=friend`);
        await player.settled();
        if ((await player.count("#tools.few")) > 0) await player.click("#more-tools");
        const outside = await player.page.evaluate(() =>
          ["#name", "#rules", "#status", "#board", "#how", ".actions", "#tools .play", "#tools .understand"].filter(
            (selector) => {
              const part = /** @type {HTMLElement} */ (document.querySelector(selector));
              const { top, bottom } = part.getBoundingClientRect();
              return !part.checkVisibility({ visibilityProperty: true }) || top < 0 || bottom > innerHeight;
            },
          ),
        );
        if (outside.length > 0) wrong.push(`${name}: ${outside.join(", ")}`);
        const found = await share(player);
        if (found < 50) wrong.push(`${name}: the board has ${found.toFixed(1)} %`);
      }
      assert.deepEqual(wrong, []);
    },
  );
}

for (const [width, height] of [
  [740, 360],
  [390, 664],
  [1280, 800],
]) {
  claim(`a finger meets each stick in a window of ${width} by ${height}`, { width, height }, async (player) => {
    for (const [table, position] of [
      ["marienbad", "1,3,5,7"],
      ["nim", "31,31,29,31,31"],
      ["subtraction", "60,60,60"],
      ["expanding-growth-2", "400/45/1/4,4/-"],
    ]) {
      await player.open(table, position);
      const least = await player.page.locator(".stick").evaluateAll((sticks) =>
        Math.min(
          ...sticks.map((stick) => {
            const { width, height } = stick.getBoundingClientRect();
            return Math.min(width, height);
          }),
        ),
      );
      // Browsers compute sizes with small errors.
      assert.ok(least > 23.9, `${table}: ${least} px`);
      await player.page.evaluate(axe.source);
      const found = await player.page.evaluate(async () => {
        // @ts-ignore
        const { violations } = await window.axe.run(".sticks", { runOnly: { type: "rule", values: ["target-size"] } });
        return violations.flatMap((/** @type {any} */ { nodes }) =>
          nodes.map((/** @type {any} */ node) => `${node.target}: ${node.any[0]?.message}`),
        );
      });
      assert.deepEqual(found, [], table);
    }
  });
}

claim("one button of a screen is filled", {}, async (player) => {
  const filled = () =>
    player.page.evaluate(() => {
      const probe = document.createElement("i");
      probe.style.background = "var(--accent)";
      document.body.append(probe);
      const accent = getComputedStyle(probe).backgroundColor;
      probe.remove();
      return [...document.querySelectorAll("button:not(.step-of)")]
        .filter((button) => button.checkVisibility() && getComputedStyle(button).backgroundColor === accent)
        .map((button) => button.textContent);
    });
  await player.visit();
  assert.deepEqual(await filled(), []);
  await player.open("sticks", "3,5,7");
  assert.deepEqual(await filled(), []);
  await player.click("#challenge");
  assert.deepEqual(await filled(), ["Begin"]);
  await player.pick("3:2");
  assert.deepEqual(await filled(), ["Take 2 from row 3"]);
  await player.click("#challenge");
  await player.page.goto("about:blank");
  await player.page.goto(
    `${player.address}/#table=sticks&start=3,5,7&moves=3:7,2:5,1:3&opponent=friend&open=challenge`,
  );
  await player.settled();
  assert.deepEqual(await filled(), ["Begin"]);
  await player.click("#challenge");
  assert.deepEqual(await filled(), ["Play again"]);
});
