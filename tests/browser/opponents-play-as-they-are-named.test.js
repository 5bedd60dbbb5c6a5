// The opponents: an easy, a medium and a perfect computer, a friend, and a game that one watches.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Plays to the end by taking one stone at a time. Returns the state before each move of the computer, with the move made. */
async function computerTurns(
  /** @type {Player} */ player,
  /** @type {string} */ position,
  /** @type {string} */ level,
) {
  await player.begin(position);
  await player.set("#opponent", level);
  await player.page.locator('#board [tabindex="0"]').focus();
  while ((await player.turn()) === "person") await player.press("End", "Enter");
  const made = await positions(player);
  const turns = [];
  for (let ply = 1; ply < made.length - 1; ply += 2) {
    const state = await player.state(made[ply]);
    turns.push({ ...state, made: state.moves.find((/** @type {any} */ { to }) => to === made[ply + 1]) });
  }
  return turns;
}

/** Returns the positions of the game, read from History. */
async function positions(/** @type {Player} */ player) {
  if (!(await player.page.locator("#history-panel").isVisible())) await player.click("#history");
  return player.page
    .locator("[data-ply]")
    .evaluateAll((all) => all.map((one) => /\[(.*)\]$/.exec(one.querySelector("title")?.textContent ?? "")?.[1] ?? ""));
}

/** Replaces the page's random numbers by a fixed sequence. @param {Player} player */
const fixRandomNumbers = (player) =>
  player.page.addInitScript(() => {
    let state = 7;
    Math.random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state / 2 ** 32;
    };
  });

claim(
  "the easy computer errs more often than the medium one, makes only legal moves, and throws wins away",
  { alone: true },
  async (player) => {
    await fixRandomNumbers(player);
    await player.open("expanding", "60");
    const played = async (/** @type {string} */ level) => {
      const turns = [];
      for (const start of ["60", "61", "62"]) turns.push(...(await computerTurns(player, start, level)));
      assert.ok(turns.length >= 15, `${turns.length} moves are enough to compare`);
      assert.ok(
        turns.every(({ made }) => made),
        "the computer makes legal moves only",
      );
      return { turns, errs: turns.filter(({ best, made }) => made.move !== best).length / turns.length };
    };
    const [medium, { turns, errs }] = [await played("medium"), await played("easy")];
    assert.ok(medium.errs > 0 && medium.errs < errs && errs < 0.7, `${medium.errs}, ${errs}`);
    const thrown = turns.filter(({ outcome, made }) => outcome === "win" && made.outcome === "loss").length;
    assert.ok(thrown > 0, "the easy computer threw a win away");
  },
);

claim("the perfect computer makes the best move at every turn", {}, async (player) => {
  await player.open("expanding", "40");
  for (const { made, best } of await computerTurns(player, "40", "perfect")) assert.equal(made?.move, best);
});

claim("the perfect computer makes the best moves also after another level was chosen", {}, async (player) => {
  await player.open("sticks", "3,5,6");
  await player.set("#opponent", "easy");
  await player.set("#opponent", "perfect");
  while ((await player.turn()) === "person") {
    const { moves } = await player.state();
    const { best, moves: answers } = await player.state(moves[0].to);
    await player.move(moves[0].move);
    const answer = answers.find((/** @type {any} */ { move }) => move === best);
    assert.equal(await player.position(), answer ? answer.to : moves[0].to);
  }
});

claim("with a friend both sides are played by hand", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  assert.equal(await player.page.locator("#sides").isVisible(), false);
  const made = ["1:1", "1:2", "2:1", "3:7", "2:3", "2:1"];
  for (const [n, move] of made.entries()) {
    const [who, other] = n % 2 === 0 ? ["first", "second"] : ["second", "first"];
    assert.ok((await player.status()).endsWith(`The ${who} player's turn.`));
    const { moves } = await player.state();
    const { to, words } = moves.find((/** @type {any} */ one) => one.move === move);
    await player.move(move);
    assert.equal(await player.position(), to, "nobody else moved");
    const end = n === made.length - 1 ? `The game is over. The ${other} player wins.` : `The ${other} player's turn.`;
    assert.equal(await player.status(), `The ${who} player ${words.replace("take", "takes")}. ${end}`);
  }
});

claim("in Expanding Nim a position in which player 2 is to move begins with the computer", {}, async (player) => {
  await player.open("expanding", "20/3/2/4,4/-");
  // The person is player 1, so the computer has moved by now.
  assert.match(await player.status(), /^The computer takes \d.* Your turn\.$/);
  assert.match(await player.position(), /^\d+\/\d+\/1\//);
});

for (const [table, position] of [
  ["sticks", "3,5,7"],
  ["expanding", "40"],
]) {
  claim(`a watched game of ${table} follows the main line of the table to its end`, {}, async (player) => {
    await player.open(table, position);
    await player.set("#opponent", "nobody");
    await player.page.waitForFunction(() => document.body.dataset.turn === "over");
    assert.match(await player.status(), /The game is over\. The (first|second) player wins\.$/);
    const { line, finished } = await player.of("line", position);
    assert.equal(finished, true);
    const start = (await player.state(position)).position;
    assert.deepEqual(await positions(player), [start, ...line.map((/** @type {any} */ ply) => ply.position)]);
  });
}

claim("a watched game can be paused, undone and continued", { unhurried: true }, async (player) => {
  const clock = await player.openWithPausedClock("sticks", "3,5,7");
  await player.set("#opponent", "nobody");
  const ply = async (/** @type {number} */ ms) => {
    await clock.runFor(ms);
    await player.answered();
    return player.position();
  };
  const { line } = await player.of("line", "3,5,7");
  assert.equal(await ply(600), "3,5,7", "the reader has time to look");
  assert.equal(await ply(200), line[0].position);
  await player.page.locator("#pause").click();
  assert.equal(await player.text("#pause"), "Continue");
  assert.equal(await ply(60_000), line[0].position, "nothing moves");
  assert.match(await player.status(), /Press Continue to let it move\.$/);
  await player.page.locator("#undo").click();
  assert.equal(await ply(60_000), "3,5,7", "nor after Undo");
  await player.page.keyboard.press("p");
  for (const { position } of line) assert.equal(await ply(800), position);
  assert.equal(await player.turn(), "over");
  assert.equal(await player.page.locator("#pause").isVisible(), false);
});

claim(
  "the computer waits before its move, and meanwhile no stick can be chosen",
  { unhurried: true },
  async (player) => {
    const clock = await player.openWithPausedClock("sticks", "3,5,7");
    await player.make("1:1");
    assert.equal(await player.turn(), "table");
    assert.equal(await player.status(), "You take 1 from row 1. The computer's turn.");
    await player.page.locator('[data-row="2"]').first().click({ force: true });
    assert.equal(await player.count('.stick[aria-pressed="true"]'), 0);
    assert.equal(await player.count('.stick:not([aria-disabled="true"])'), 0);
    await player.page.keyboard.press("Enter");
    await player.answered();
    assert.equal(await player.position(), "2,5,7");
    assert.equal(await player.page.locator("#take").isDisabled(), true);
    await clock.runFor(600);
    await player.settled();
    assert.match(await player.status(), /^You take 1 from row 1\. The computer takes .* Your turn\.$/);
  },
);

claim("an undo while the computer thinks is not overwritten", { unhurried: true }, async (player) => {
  const clock = await player.openWithPausedClock("sticks", "3,5,7");
  await player.make("1:1");
  await player.page.keyboard.press("u");
  await clock.runFor(60_000);
  await player.settled();
  assert.equal(await player.position(), "3,5,7");
  assert.equal(await player.turn(), "person");
});

claim("choosing the side for the next game does not change the winner of a finished one", {}, async (player) => {
  await player.open("sticks", "0,0,2");
  await player.move("3:1");
  assert.equal(await player.turn(), "over");
  const over = await player.status();
  assert.match(over, /The game is over\. You win\./);
  await player.set("#side", "2");
  await player.settled();
  assert.equal(await player.status(), over);
  await player.restart();
  // The computer moves first now, and takes one of the two.
  assert.equal(await player.position(), "0,0,1");
  assert.match(await player.status(), /The computer takes 1 from row 3\. Your turn\./);
});
