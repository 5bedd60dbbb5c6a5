// Undo, Redo, History with its curve of depths and its mistakes, and the way back from the gallery.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Makes moves, and returns the positions before each. */
async function play(/** @type {Player} */ player, /** @type {string[]} */ moves) {
  const positions = [];
  for (const move of moves) {
    positions.push(await player.position());
    await player.move(move);
  }
  return positions;
}

const enabled = (/** @type {Player} */ player, /** @type {string} */ id) => player.page.locator(id).isEnabled();
const plyLabels = (/** @type {Player} */ player) =>
  player.page.locator("[data-ply]").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));

claim("Undo goes back to the player's own last turn, and Redo forward again", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  assert.deepEqual([await enabled(player, "#undo"), await enabled(player, "#redo")], [false, false]);
  const [first, second] = await play(player, ["1:1", "3:1"]);
  const third = await player.position();
  await player.click("#undo");
  assert.equal(await player.position(), second);
  await player.click("#undo");
  assert.equal(await player.position(), first);
  assert.deepEqual([await enabled(player, "#undo"), await enabled(player, "#redo")], [false, true]);
  await player.click("#redo");
  await player.click("#redo");
  assert.equal(await player.position(), third);
  assert.equal(await enabled(player, "#redo"), false);
  // After a different move the later moves are gone; after the same move they stay.
  await player.click("#undo");
  await player.click("#undo");
  await player.move("2:2");
  assert.equal(await enabled(player, "#redo"), false);
  const last = await player.position();
  await player.restart();
  assert.equal(await player.position(), "3,5,7");
  assert.deepEqual([await enabled(player, "#undo"), await enabled(player, "#redo")], [true, false]);
  // The earlier game is not lost.
  await player.click("#undo");
  assert.equal(await player.position(), last);
  assert.match(await player.status(), /^The earlier game is back\./);
  await player.click("#redo");
  assert.equal(await player.position(), "3,5,7");
});

claim("a finished game can be taken back and finished in another way", {}, async (player) => {
  await player.open("sticks", "1,1,0");
  await player.move("1:1");
  assert.match(await player.status(), /The game is over\. You win\.$/);
  await player.click("#undo");
  assert.equal(await player.position(), "1,1,0");
  assert.equal(await player.turn(), "person");
  await player.move("2:1");
  assert.match(await player.status(), /The game is over\. You win\.$/);
});

claim("with a friend each move is taken back singly", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  const positions = await play(player, ["1:1", "3:3", "2:5"]);
  for (const position of positions.toReversed()) {
    await player.click("#undo");
    assert.equal(await player.position(), position);
  }
});

claim("choosing a ply in History goes back to it, and pauses the computer if it is its turn", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  const [, second] = await play(player, ["1:1", "3:2"]);
  const third = await player.position();
  await player.click("#history");
  const labels = await plyLabels(player);
  assert.equal(labels.length, 5);
  assert.ok(labels[0].startsWith("Move 0 (3, 5, 7): You win in 14 moves"));
  assert.ok(labels[4].includes(third.replaceAll(",", ", ")));
  await player.click('[data-ply="2"]');
  assert.equal(await player.position(), second);
  assert.match(await player.status(), /^At move 2 of 4\. Your turn\.$/);
  assert.equal(await player.count('[data-ply="2"][aria-current="step"]'), 1);

  await player.page.locator('[data-ply="3"]').click();
  await player.answered();
  assert.equal(await player.turn(), "table");
  assert.match(await player.status(), /^At move 3 of 4\. The computer's turn\. Press Continue to let it move\.$/);
  assert.deepEqual(await plyLabels(player), labels, "what can be redone is kept");
  await player.click("#pause");
  assert.equal(await player.position(), third);
  assert.doesNotMatch(await player.status(), /At move/, "the game is at its last move again");
  assert.equal((await plyLabels(player)).length, 5);
});

claim("the curve shows the depths and the winner", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  const positions = [...(await play(player, ["1:1", "1:2", "2:5", "3:6", "3:1"])), await player.position()];
  await player.click("#history");
  const drawn = await player.page.locator("[data-ply]").evaluateAll((all) =>
    all.map((one) => {
      const [x, y] = (one.getAttribute("transform") ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
      return { x, y, label: one.getAttribute("aria-label") ?? "" };
    }),
  );
  const states = await Promise.all(positions.map((position) => player.state(position)));
  // Points lie above the middle if the first player wins, at a distance of the depth.
  const values = states.map(({ outcome, depth }, ply) => ((outcome === "win") === (ply % 2 === 0) ? depth : -depth));
  const last = drawn.length - 1;
  assert.equal(last, positions.length - 1);
  const zero = drawn[last].y;
  assert.equal(states[last].depth, 0);
  const scale = (zero - drawn[0].y) / values[0];
  assert.ok(scale > 0);
  const step = (drawn[last].x - drawn[0].x) / last;
  drawn.forEach(({ x, y, label }, ply) => {
    assert.ok(Math.abs(zero - y - values[ply] * scale) < 0.01, label);
    assert.ok(Math.abs(x - drawn[0].x - ply * step) < 0.01, label);
    const spoken = states[ply].over ? "nothing left" : positions[ply].replaceAll(",", ", ");
    const winner = (states[ply].outcome === "win") === (ply % 2 === 0) ? "first" : "second";
    assert.ok(label.startsWith(`Move ${ply} (${spoken}): The ${winner} player wins`), label);
  });
});

claim("moves that threw a win away are marked, and described in words", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  await player.click("#history");
  assert.match(await player.text("#history-panel"), /No move has been made yet\./);
  // A right move; then a move in a lost position, which throws nothing away; then wrong, right, wrong.
  const made = ["1:1", "2:1"];
  await play(player, made);
  assert.equal(await player.count(".point.mistake"), 0);
  assert.match(await player.text("#history-panel"), /No move has thrown a win away\./);
  let expected = [];
  for (let ply = 2; ply < 6 && (await player.turn()) === "person"; ply++) {
    const { moves, outcome, best } = await player.state();
    const { words: right } = moves.find((/** @type {any} */ { move }) => move === best) ?? moves[0];
    const losing = moves.find((/** @type {any} */ move) => move.outcome === "loss");
    if (!losing) break;
    await player.move(losing.move);
    const who = ply % 2 === 0 ? "the first player" : "the second player";
    const action = losing.words.replace("take", "takes");
    if (outcome === "win")
      expected.push(`Move ${ply + 1}: ${who} ${action} and throws the win away. The best move was to ${right}.`);
  }
  assert.ok(expected.length >= 2);
  assert.deepEqual(await player.page.locator(".mistakes li").allInnerTexts(), expected);
  const marked = (await plyLabels(player)).filter((label) => label.endsWith("; a win was thrown away"));
  assert.equal(marked.length, expected.length);
  assert.equal(await player.count(".point.mistake"), expected.length);
  // The mark has a shape of its own.
  assert.match(
    (await player.page
      .locator(".point.mistake .shape")
      .first()
      .evaluate((shape) => shape.tagName)) ?? "",
    /path/,
  );
  assert.equal(await player.count(".point:not(.mistake) path.shape"), 0);
});

claim("the reader's mistakes are described with `you`", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#history");
  await player.move("3:7");
  assert.match(
    (await player.page.locator(".mistakes li").allInnerTexts()).join(),
    /^Move 1: you take 7 from row 3 and throw the win away\. The best move was to take 1 from row 1\.$/,
  );
});

claim("the gallery stays open when an awaited answer arrives, and the game can be resumed", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  const release = await player.hold("**/state?*");
  await player.pick("1:1");
  await player.page.locator("#take").click();
  await player.page.locator("#games").click();
  release();
  await player.answered();
  await player.page.waitForTimeout(300);
  assert.equal(await player.page.locator("#cards").isVisible(), true);
  assert.equal(await player.hash(), "");
  assert.equal((await player.focus()).name, "games");
  // The board is not there: its keys do nothing.
  await player.page.keyboard.press("ArrowLeft");
  await player.page.keyboard.press("Enter");
  await player.answered();
  assert.equal(await player.page.locator("#cards").isVisible(), true);
  await player.click("#resume");
  assert.equal(await player.position(), "3,5,7", "a move without an answer is not made");
  await player.move("1:1");
  assert.match(await player.status(), /^You take 1 from row 1\. The computer takes /);
});

claim("a watched game waits while the gallery is open", {}, async (player) => {
  await player.open("nim", "20,17,13");
  await player.set("#opponent", "nobody");
  await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position !== "20,17,13,0,0");
  await player.page.locator("#games").click();
  await player.page.waitForTimeout(300);
  assert.equal(await player.page.locator("#cards").isVisible(), true);
  await player.page.locator("#resume").click();
  assert.match(await player.status(), /Press Continue to let it move\.$/);
});

claim(
  "a start that is refused while an answer is awaited leaves the board as it was",
  { expects: [/400/] },
  async (player) => {
    await player.open("sticks", "3,5,7");
    await player.settings();
    await player.page.locator("#start").fill("99,99,99");
    const release = await player.hold("**/state?position=2*");
    await player.pick("1:1");
    await player.page.locator("#take").click();
    await player.page.locator("#restart").click();
    await player.page.locator("#alert > *").waitFor();
    release();
    await player.answered();
    assert.equal(await player.position(), "3,5,7");
    await player.move("2:1");
    assert.match(await player.status(), /^You take 1 from row 2\./);
  },
);

claim("after a challenge the opponent is the same as before it", { alone: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#challenge");
  await player.page.locator("#challenge-panel button.primary").click();
  await player.page.waitForFunction(() =>
    /is won/.test(document.querySelector("#challenge-panel .big")?.textContent ?? ""),
  );
  await player.settled();
  assert.equal(await player.page.locator("#opponent").inputValue(), "friend");
  await player.choose("nim");
  assert.equal(await player.page.locator("#opponent").inputValue(), "perfect");
});

claim("the key G moves the focus to the gallery", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.press("ArrowLeft", "g");
  assert.equal((await player.focus()).name, "gallery-title");
});
