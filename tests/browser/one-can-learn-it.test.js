// Learning: the lessons of *Learn*, Hint, *Challenge*, the end of a game, and lines of play that are kept.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Wins the game by the table's best moves. */
async function win(/** @type {Player} */ player) {
  for (let ply = 0; (await player.turn()) === "person"; ply++) {
    assert.ok(ply < 30, "it ends");
    const state = await player.state();
    assert.equal(state.outcome, "win", "the position to play is won");
    await player.move(state.best);
  }
}

/** The chapters of *Learn*: for each step the table, and the position whose winner the reader guesses. */
const CHAPTERS = {
  "First tricks": [
    ["nim", "4,4"],
    ["nim", "1,2,3"],
    ["own:bounds=21;take=3", "8"],
    ["twenty-one", "9"],
  ],
  "Binary numbers": [
    ["nim", "3,5,6"],
    ["nim", "3,5,7"],
    ["nim", "1,2,4,6"],
  ],
  "Other games": [
    ["nim-misere", "1,1,1"],
    ["wythoff", "1,2"],
    ["expanding", "8"],
  ],
};
const PANEL = "#learn-panel";
const PLAY = `${PANEL} .text > p > button.primary`;
let first = 1;
for (const [chapter, steps] of Object.entries(CHAPTERS)) {
  const from = first;
  first += steps.length;
  claim(`the steps of the chapter ${chapter} can be guessed, played and finished`, { alone: true }, async (player) => {
    await player.visit();
    await player.click("#learn");
    const buttons = player.page.locator(`${PANEL} .path > li`, { hasText: chapter }).locator(".step-of");
    assert.deepEqual(
      await buttons.allInnerTexts(),
      steps.map((_, n) => String(from + n)),
    );
    await buttons.first().click();
    for (const [n, [table, position]] of steps.entries()) {
      assert.match(await player.text(`${PANEL} h3`), new RegExp(`^Step ${from + n}: `));
      assert.equal(await player.count(`${PANEL} .note`), 0, "the answer is hidden until the reader guesses");
      const guessed = (/** @type {string} */ what) => player.click(`${PANEL} [data-guess=${what}]`);
      // The lesson's verdict on its position agrees with the table.
      const { outcome } = await player.state(position, table);
      await guessed(outcome === "win" ? "loss" : "win");
      assert.match(await player.text(`${PANEL} .note`), /^Not quite\./);
      await guessed(outcome);
      assert.match(await player.text(`${PANEL} .note`), /^Right\./);
      const begun = player.page.waitForURL((url) => decodeURIComponent(url.hash).startsWith(`#table=${table}&`));
      await player.page.locator(PLAY).first().click();
      await begun;
      await player.settled();
      await win(player);
      assert.match(await player.status(), /You win\. Done/);
      assert.equal(await player.count(`${PANEL} .step-of.done`), n + 1);
      if (n + 1 < steps.length) await player.page.locator(PLAY).last().click();
      await player.settled();
    }
  });
}

claim(
  "finished steps are remembered, and Learn continues with the first unfinished one",
  { alone: true },
  async (player) => {
    await player.visit();
    const done = "three,fours,last,binary,odd,sum,misere,queen,table";
    await player.page.evaluate((done) => localStorage.setItem("bouton-learnt", done), done);
    await player.page.reload();
    await player.answered();
    await player.click("#learn");
    assert.match(await player.text(`${PANEL} h3`), /^Step 1: /);
    assert.equal(await player.count(`${PANEL} .step-of.done`), 9);
    await player.click(`${PANEL} [data-guess=loss]`);
    await player.click(PLAY);
    await win(player);
    assert.match(await player.text(PANEL), /the whole path/);
    await player.page.reload();
    await player.settled();
    await player.click("#learn");
    assert.equal(await player.count(`${PANEL} .step-of.done`), 10);
  },
);

claim("a hint names rows of winning moves, but no move", {}, async (player) => {
  for (const [table, position] of [
    ["nim", "3,5,9"],
    ["sticks", "3,5,7"],
    ["moore", "5,3,2,1"],
    ["expanding", "30"],
  ]) {
    await player.open(table, position);
    await player.click("#hint");
    const said = (await player.status()).replace("Your turn. ", "");
    const { winning, moves } = await player.state();
    const rows = new Set(
      moves
        .filter(
          (/** @type {any} */ { move, takes }) => winning.includes(move) && (table === "moore" || takes.length === 1),
        )
        .flatMap((/** @type {any} */ { takes }) => takes.map((/** @type {any} */ { row }) => row)),
    );
    const named = [...said.matchAll(/\d+/g)].map(([row]) => Number(row));
    if (table !== "expanding")
      assert.ok(named.length > 0 && named.every((row) => rows.has(row)), `${said}: ${[...rows]}`);
    else assert.match(said, /reset|stones|within reach/);
  }
  await player.open("sticks", "2,5,7");
  await player.click("#hint");
  assert.match(await player.status(), /Your turn\. No move wins here/);
});

claim(
  "a challenge is a won position: a winning move is right, a losing one is corrected",
  { alone: true },
  async (player) => {
    for (const table of ["sticks", "nim", "wythoff", "expanding", "moore"]) {
      await player.open(table);
      if (!(await player.page.locator("#challenge-panel").isVisible())) await player.click("#challenge");
      const next = () => player.page.locator("#challenge-panel button.primary").click();
      const said = () => player.text("#challenge-panel .big");
      for (let n = 1; n <= 2; n++) {
        await next();
        await player.page.waitForFunction(() =>
          /is won/.test(document.querySelector("#challenge-panel .big")?.textContent ?? ""),
        );
        await player.settled();
        const { outcome, best } = await player.state();
        assert.equal(outcome, "win");
        await player.move(best);
        assert.match(await said(), /^Right!/);
      }
      await next();
      await player.page.waitForFunction(() =>
        /is won/.test(document.querySelector("#challenge-panel .big")?.textContent ?? ""),
      );
      await player.settled();
      const { moves } = await player.state();
      const wrong = moves.find((/** @type {any} */ { outcome }) => outcome === "loss");
      if (!wrong) continue;
      await player.move(wrong.move);
      assert.match(await said(), /^That gives the win away\. A winning move was to /);
    }
  },
);

claim("the end shows who threw the win away and where, and offers another game", {}, async (player) => {
  await player.open("sticks", "0,1,2");
  await player.set("#opponent", "friend");
  // Taking both from row 3 wins; instead the first player leaves one stick in each row.
  await player.move("3:1");
  await player.move("2:1");
  await player.move("3:1");
  assert.equal(await player.turn(), "over");
  assert.match(await player.text("#ending"), /The first player threw the win away at move 1\./);
  await player.click("#look");
  assert.equal(await player.position(), "0,1,2");
  await player.click("#undo");
  assert.equal(await player.turn(), "over");
  await player.click("#again");
  assert.equal(await player.position(), "0,1,2");
  assert.equal(await player.turn(), "person");
});

claim("a change of opponent, side, ply or game can be undone", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.move("1:1");
  const at = await player.position();
  await player.set("#opponent", "friend");
  await player.settled();
  await player.click("#undo");
  assert.equal(await player.page.locator("#opponent").inputValue(), "perfect");
  assert.equal(await player.position(), at);
  await player.set("#side", "2");
  await player.settled();
  // The computer plays the other side now, and has moved.
  assert.notEqual(await player.position(), at);
  await player.click("#undo");
  assert.equal(await player.page.locator("#side").inputValue(), "1");
  assert.equal(await player.position(), at);
  await player.click("#history");
  await player.click('[data-ply="0"]');
  assert.equal(await player.position(), "3,5,7");
  await player.click("#undo");
  assert.equal(await player.position(), at);
  await player.choose("nim-pass");
  assert.equal(await player.table(), "nim-pass");
  await player.click("#undo");
  assert.deepEqual([await player.table(), await player.position()], ["sticks", at]);
});

claim("an abandoned line of play is kept, and can be resumed", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  for (const move of ["1:1", "2:2"]) await player.move(move);
  const left = await player.position();
  await player.click("#undo");
  await player.click("#undo");
  await player.move("3:7");
  await player.click("#history");
  const kept = await player.text("#history-panel .lines");
  assert.equal(kept.replaceAll("\u00a0", " "), "from move 1: 1 from row 1; 2 from row 2");
  await player.click("#history-panel .lines button");
  assert.equal(await player.position(), left);
  assert.match(await player.text("#history-panel .lines"), /^from move 1: 7\sfrom\srow\s3$/);
  await player.click("#undo");
  assert.equal(await player.position(), "3,5,0");
});
