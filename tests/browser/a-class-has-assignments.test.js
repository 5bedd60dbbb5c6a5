// Assignments: a teacher sets a goal in an address, and a pupil reaches it and hands in the result.

import assert from "node:assert/strict";
import axe from "axe-core";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const banner = (/** @type {Player} */ player) => player.text("#assignment");
const clipboard = (/** @type {Player} */ player) => player.page.evaluate(() => navigator.clipboard.readText());

/** Opens the page at an address, as a pupil does. */
async function follow(/** @type {Player} */ player, /** @type {string} */ address) {
  await player.page.goto("about:blank");
  await player.page.goto(address);
  await player.settled();
}

/** Makes the assignment of the position on the board, and returns its address. @param {Player} player @param {string} goal @param {string} level @param {boolean} hints */
async function assign(player, goal, level, hints) {
  await player.click("#share");
  const [goals, levels] = [player.page.locator("#assign select").first(), player.page.locator("#assign select").last()];
  await goals.selectOption(goal);
  await levels.selectOption(level);
  await player.page.locator("#assign input").setChecked(hints);
  await player.click("#assign button");
  await player.page.waitForFunction(() => /copied/.test(document.getElementById("status")?.textContent ?? ""));
  return clipboard(player);
}

/** Wins the game by the table's best moves. */
async function win(/** @type {Player} */ player) {
  while ((await player.turn()) === "person") await player.move((await player.state()).best);
}

claim(
  "Share makes an assignment, and the pupil's page shows its goal, its progress and its result",
  {},
  async (player) => {
    await player.open("sticks", "1,2,4");
    const link = await assign(player, "win-3", "easy", true);
    assert.match(link, /#table=sticks&position=1,2,4&opponent=easy&side=1&goal=win-3$/);
    await follow(player, link);
    assert.match(await banner(player), /Win 3 games\s+easy computer\s+0 of 3/);
    assert.equal(await player.page.locator("#hint").isVisible(), true);
    for (let won = 1; won <= 3; won++) {
      await win(player);
      if (won < 3) {
        assert.match(await banner(player), new RegExp(`${won} of 3`));
        await player.click("#again");
        assert.equal(await player.position(), "1,2,4");
      }
    }
    assert.match(await player.status(), /Goal reached/);
    await player.page.locator("#assignment input").fill("Ada");
    await player.page.locator("#assignment button").first().click();
    await player.page.waitForFunction(() => /Result copied/.test(document.getElementById("status")?.textContent ?? ""));
    const date = await player.page.evaluate(() => new Date().toLocaleDateString("en", { dateStyle: "long" }));
    assert.equal(
      await clipboard(player),
      `Ada · Win 3 games: Goal reached. · Last stick loses · 1, 2, 4 · easy computer · 3 of 3 games won · ${date}`,
    );
    await player.click("#again");
    await win(player);
    assert.match(await banner(player), /3 of 3 games won/, "the result stays");
    await player.page.locator("#assignment").getByRole("button", { name: "Restart" }).click();
    await player.settled();
    assert.match(await banner(player), /0 of 3/, "the next pupil begins anew");
  },
);

claim("a pupil plays the side that can win", {}, async (player) => {
  await player.open("sticks", "1,2,3");
  await follow(player, await assign(player, "win-1", "perfect", false));
  assert.match(await player.status(), /^The computer takes/);
  await win(player);
  assert.match(await player.status(), /You win\. Goal reached/);
});

claim("without help, nothing on the page reveals an answer, and the keys do not either", {}, async (player) => {
  await follow(
    player,
    `${player.address}/#table=sticks&position=3,5,7&opponent=medium&side=1&goal=win-1&hints=off&open=why,map,history`,
  );
  for (const id of ["hint", "show", "why", "history", "map", "variants", "challenge", "print", "settings"])
    assert.equal(await player.page.locator(`#${id}`).isVisible(), false, id);
  await player.press("s", "w", "h", "m", "v", "t", "c");
  assert.equal(await player.page.locator("#panels > section:visible").count(), 0);
  assert.equal(await player.page.locator("#hints").isVisible(), false);
  await player.page.locator("#games").click();
  await player.click('[data-game="sticks"]');
  assert.equal(await player.page.locator("#assignment").isVisible(), false, "another game has no goal");
  assert.equal(await player.page.locator("#show").isVisible(), true);
});

claim(
  "a reload, Undo and Redo do not change the progress, and the address stays that of the assignment",
  {},
  async (player) => {
    const hash = "#table=sticks&position=0,1,3&opponent=perfect&side=1&goal=win-3&hints=off";
    await follow(player, player.address + "/" + hash);
    await win(player);
    const progress = () => banner(player);
    assert.match(await progress(), /1 of 3/);
    await player.click("#undo");
    await player.click("#redo");
    assert.match(await progress(), /1 of 3/);
    assert.equal(await player.hash(), hash);
    await player.page.reload();
    await player.settled();
    assert.match(await progress(), /1 of 3/);
    assert.equal(await player.turn(), "over");
    await player.click("#again");
    await player.move("3:1");
    await player.page.reload();
    await player.settled();
    assert.notEqual(await player.position(), "0,1,3", "the game continues where it was");
    assert.match(await progress(), /1 of 3/);
  },
);

claim("the goal to find the winning move is reached by this move, on any try", {}, async (player) => {
  await player.open("sticks", "2,5,7");
  await player.click("#share");
  const goals = await player.page
    .locator("#assign option")
    .evaluateAll((all) => all.map((one) => one.getAttribute("value")));
  assert.ok(!goals.includes("find"), "a lost position has no winning move to find");
  await player.open("nim", "3,5,9");
  await follow(player, await assign(player, "find", "perfect", false));
  await player.move("1:1");
  assert.match(await banner(player), /Find the winning move\s+That gives the win away/);
  await player.page.locator("#assignment button").click();
  await player.settled();
  await player.move("3:3");
  assert.match(await banner(player), /Find the winning move: Goal reached\. · Nim · .*without help · found at try 2/);
});

claim("an unknown goal in an address is reported", {}, async (player) => {
  await follow(player, `${player.address}/#table=sticks&position=3,5,7&goal=win-99`);
  assert.match(await player.text("#alert"), /goal=win-99/);
  assert.equal(await player.page.locator("#assignment").isVisible(), false);
});

for (const width of [1280, 320]) {
  claim(`axe finds nothing in an assignment and in its form, ${width} pixels wide`, { width }, async (player) => {
    const check = async (/** @type {string} */ where) => {
      await player.page.evaluate(axe.source);
      // @ts-ignore
      const { violations } = await player.page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
      assert.deepEqual(
        violations.map((/** @type {any} */ { id, nodes }) => `${where}: ${id}: ${nodes[0].html}`),
        [],
      );
      const wide = await player.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${where}: ${wide} pixels`);
    };
    await player.open("sticks", "3,5,7");
    await player.click("#share");
    await check("the form");
    await follow(player, `${player.address}/#table=sticks&position=0,0,2&opponent=perfect&side=1&goal=win-1`);
    await check("the goal");
    await win(player);
    await check("the result");
  });
}
