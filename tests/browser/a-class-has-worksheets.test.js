// *Print*: worksheets of three kinds that fill one page and have their solutions on another, and lists of lost positions.

import assert from "node:assert/strict";
import { isFirefox } from "./browser.js";
import { EACH } from "./games.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Presses *Print* and a button of its dialog, and keeps the sheet, as a browser does while it prints. */
async function print(/** @type {Player} */ player, /** @type {string} */ button) {
  await player.page.evaluate(() => {
    document.body.removeAttribute("data-printed");
    window.print = () => document.body.setAttribute("data-printed", "true");
  });
  await player.page.locator("#print").click();
  await player.page.locator(button).click();
  await player.page.locator("body[data-printed]").waitFor();
}

/** Prints, and returns the texts of the pages. */
async function printedPages(/** @type {Player} */ player, /** @type {string} */ button) {
  await print(player, button);
  const pages = await player.page
    .locator("#sheet article")
    .evaluateAll((all) => all.map((one) => /** @type {HTMLElement} */ (one).innerText));
  await player.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await player.page.locator("#sheet").isVisible(), false);
  return pages;
}

const GAMES = [
  ...Object.entries(EACH),
  ["nim", "21,22,23,24,20"],
  ["own:bounds=2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2"],
  ["own:bounds=3,3,3,3,3,3", "3,3,3,3,3,3"],
];
for (const [table, position] of GAMES) {
  // German texts are the longest.
  for (const language of table === "sticks" ? ["en", "de", "fr", "es"] : ["de"]) {
    const options = { alone: true, skip: isFirefox && "its driver makes no PDF" };
    claim(`each worksheet of ${table} at ${position} is two pages in ${language}`, options, async (player) => {
      await player.page.goto(
        `${player.address}/?lang=${language}#table=${encodeURIComponent(table)}&position=${position}`,
      );
      await player.settled();
      for (const kind of ["moves", "outcomes", "table"]) {
        for (const format of ["A4", "Letter"]) {
          await print(player, `#print-${kind}`);
          // After printing, the page removes the sheet.
          const pdf = await player.page.pdf({ format, preferCSSPageSize: true });
          assert.equal(pdf.toString("latin1").match(/\/Type *\/Page\b/g)?.length, 2, `${kind}, ${format}`);
        }
      }
    });
  }
}

claim("a worksheet fills its page", { width: 680, height: 1009, alone: true }, async (player) => {
  for (const [table, position] of [
    ["sticks", "3,5,7"],
    ["expanding", "30"],
    ["wythoff", "8,12"],
  ]) {
    await player.open(table, position);
    for (const kind of ["moves", "outcomes", "table"]) {
      await print(player, `#print-${kind}`);
      await player.page.emulateMedia({ media: "print" });
      const { bottom, over } = await player.page
        .locator("#sheet article")
        .first()
        .evaluate((page) => ({
          bottom: (page.lastElementChild?.getBoundingClientRect().bottom ?? 0) - page.getBoundingClientRect().top,
          over: [...page.querySelectorAll(".task")].filter((task) => task.scrollHeight > task.clientHeight + 2).length,
        }));
      assert.ok(bottom > 0.95 * 1009 && bottom <= 1009.5, `${table}, ${kind}: down to ${bottom}`);
      assert.equal(over, 0, `${table}, ${kind}: each task fits its place`);
      await player.page.emulateMedia({ media: null });
      await player.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    }
  }
});

/** Returns the positions of a worksheet of sticks. */
const positionsIn = (/** @type {string} */ page) =>
  [...page.matchAll(/^\d+\. +(\d, \d, \d)$/gm)].map(([, position]) => position);

claim(
  "a worksheet asks for winning moves of won positions, and its second page has them",
  { alone: true },
  async (player) => {
    await player.open("sticks", "3,5,7");
    const [tasks, solutions, ...more] = await printedPages(player, "#print-moves");
    assert.deepEqual(more, []);
    const positions = positionsIn(tasks);
    assert.equal(new Set(positions).size, 8);
    assert.ok(positions.includes("3, 5, 7"), "the position on the board is among them");
    assert.doesNotMatch(tasks, /take \d from row/);
    for (const position of positions) {
      const { outcome, winning } = await player.state(position.replaceAll(" ", ""));
      assert.equal(outcome, "win", position);
      const said = solutions.split("\n").find((line) => line.includes(`${position}:`)) ?? "";
      const moves = [...said.matchAll(/take (\d) from row (\d)/g)].map(([, stones, row]) => `${row}:${stones}`);
      assert.deepEqual(moves.sort(), winning.slice(0, 5).sort(), said);
    }
  },
);

claim(
  "a worksheet asks who wins, about as often the first player as the second, and its second page answers",
  { alone: true },
  async (player) => {
    await player.open("sticks", "3,5,7");
    const [tasks, solutions] = await printedPages(player, "#print-outcomes");
    const positions = positionsIn(tasks);
    assert.equal(positions.length, 12);
    let won = 0;
    for (const position of positions) {
      const { outcome } = await player.state(position.replaceAll(" ", ""));
      won += Number(outcome === "win");
      const said = solutions.split("\n").find((line) => line.includes(`${position}:`)) ?? "";
      assert.match(said, outcome === "win" ? /The first player wins: take/ : /The second player wins/);
    }
    assert.ok(won >= 4 && won <= 8, `${won} of 12 are won`);
  },
);

claim("a worksheet has an empty table, and its second page shades the lost fields", { alone: true }, async (player) => {
  await player.open("wythoff", "7,9");
  await print(player, "#print-table");
  const shaded = (/** @type {number} */ page) => player.count(`#sheet article:nth-child(${page}) rect.lost`);
  assert.equal(await player.count("#sheet article:first-child rect"), 100);
  // The lost squares below 10: 0,0; 1,2; 3,5; 4,7; and the same the other way round.
  assert.deepEqual([await shaded(1), await shaded(2)], [0, 7]);
  await player.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await player.open("sticks", "3,5,7");
  const [page] = await printedPages(player, "#print-table");
  assert.match(page, /All else is as in 3, 5, 7\./);
});

claim(
  "a worksheet numbers its rows as its solutions do, and states the limit of a pile",
  { alone: true },
  async (player) => {
    await player.open("sticks", "0,2,1");
    await print(player, "#print-moves");
    const rows = await player.page
      .locator("#sheet .task svg")
      .evaluateAll((all) =>
        all
          .filter((one) => one.getAttribute("aria-label") === "0, 2, 1")
          .flatMap((one) => [...one.querySelectorAll("text")].map((text) => text.textContent)),
      );
    assert.deepEqual(rows, ["2", "3"]);
    await player.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await player.page.goto("about:blank");
    await player.open("expanding", "15/3/1/4,3/r");
    const [pile] = await printedPages(player, "#print-moves");
    assert.match(pile, /15 stones\sleft, limit\s3\s+most taken at once: 3; .*after a reset/);
  },
);

claim("the positions printed as lost are lost", { alone: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  const [page] = await printedPages(player, "#print-lost");
  const listed = [...page.matchAll(/\d,\d,\d/g)].map(([position]) => position).slice(1);
  assert.ok(listed.length > 8);
  for (const position of listed) assert.equal((await player.state(position)).outcome, "loss", position);
});
