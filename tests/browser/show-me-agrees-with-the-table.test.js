// *Show me* marks every move with the outcome and the depth that the table has.

import assert from "node:assert/strict";
import { byName, EACH } from "./games.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const POSITIONS = [
  ...Object.entries(EACH),
  ["sticks", "2,5,7"],
  ["sticks", "1,0,0"],
  ["nim", "31,31,31,31,31"],
  ["subtraction", "10,9,8"],
  ["moore", "0,3,1,2"],
  ["wythoff", "40,30"],
  ["nim-pass", "2,3,2/0"],
  ["expanding", "12/5/2/1,0/r"],
  ["expanding", "40/12/1/1,4/-"],
  ["expanding-misere", "1/0/1/4,4/-"],
];

for (const [table, position] of POSITIONS) {
  claim(`every move of ${table} from ${position} is marked as the table has it`, { still: true }, async (player) => {
    await player.open(table, position);
    assert.equal(await player.count("[data-move], [data-verdict]"), 0, "nothing is marked before Show me is pressed");
    await player.click("#show");
    const { moves, depth, outcome, winning } = await player.state();
    const hints = await player.hints();
    assert.deepEqual(
      byName(hints.map(({ move, outcome, depth }) => ({ move, outcome, depth }))),
      byName(moves.map((/** @type {any} */ { move, outcome, depth_after }) => ({ move, outcome, depth: depth_after }))),
    );
    const colors = { win: new Set(), loss: new Set() };
    for (const hint of hints) {
      const won = hint.outcome === "win";
      // Outcomes differ not by colour alone: a tick on a disc or a cross on a square, the number, and words for screen readers.
      assert.equal(hint.shape, won ? "circle" : "rect", hint.move);
      assert.equal(hint.seen.replace(/^r/, ""), String(hint.depth), hint.move);
      assert.match(hint.heard, new RegExp(`${won ? "wins" : "loses"}, ${hint.depth} moves? left after it`));
      colors[won ? "win" : "loss"].add(hint.color);
    }
    assert.ok(colors.win.size <= 1 && colors.loss.size <= 1, "all won moves have one colour, and all lost ones");
    assert.ok(
      [...colors.win].every((color) => !colors.loss.has(color)),
      "no colour stands for both won and lost",
    );
    const headline = await player.text("#verdict");
    const plies = `in ${depth} ${depth === 1 ? "move" : "moves"}`;
    assert.ok(
      headline.startsWith(outcome === "win" ? `You can win from here ${plies}` : `You lose from here ${plies}`),
    );
    if (outcome === "loss") assert.match(headline, /no move wins/);
    else if (winning.length === 1) assert.match(headline, /: one move wins\.$/);
    else
      assert.ok(
        headline.endsWith(
          `: ${winning.length.toLocaleString("en")} of ${moves.length.toLocaleString("en")} moves win.`,
        ),
      );
    await checkStickMarks(player, moves);
    await player.click("#show");
    assert.equal(await player.count("[data-move], [data-verdict]"), 0, "the marks go away again");
  });
}

/** Checks that the mark under a stick, or the colour of a small stick, shows the outcome of the move that the stick stands for. */
async function checkStickMarks(/** @type {Player} */ player, /** @type {import("./player.js").Move[]} */ moves) {
  const sticks = await player.page.locator(".stick").evaluateAll((buttons) =>
    buttons.map((button) => {
      const { row = "", verdict } = /** @type {HTMLElement} */ (button).dataset;
      const inRow = [...document.querySelectorAll(`[data-row="${row}"]`)];
      return {
        row,
        take: inRow.length - inRow.indexOf(button),
        verdict,
        marks: [...button.querySelectorAll("[data-move]")].map((mark) => mark.getAttribute("data-move")),
      };
    }),
  );
  const pile = (await player.table()).startsWith("expanding");
  for (const { row, take, verdict, marks } of sticks) {
    const own = pile ? [`${take}`, `${take}r`] : [`${row}:${take}`];
    const there = moves.filter((move) => own.includes(move.move));
    const listed = await player.count("#hints [data-move]");
    if (marks.length > 0) assert.deepEqual(marks.sort(), there.map(({ move }) => move).sort());
    else assert.ok(listed > 0 || there.length === 0, `stick ${row}, ${take} has a mark, or the move is in the list`);
    const plain = there.find(({ move }) => !move.endsWith("r"));
    if (verdict !== undefined) assert.equal(verdict, plain?.outcome, `stick ${row}, ${take}`);
  }
}

claim("the stick with a mark is the one to choose for that move", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#show");
  for (const { move, words } of (await player.state()).moves) {
    await player.page.locator(`.stick:has([data-move="${move}"])`).click();
    assert.equal((await player.text("#take")).toLowerCase(), words);
    const [row, take] = move.split(":").map(Number);
    assert.equal(await player.count('.stick[aria-pressed="true"]'), take);
    assert.equal(await player.count(`[data-row="${row}"][aria-pressed="true"]`), take);
  }
});

claim("the mark of a pass is beside its button", {}, async (player) => {
  await player.open("nim-pass", "1,2,3/1");
  await player.click("#show");
  assert.equal(await player.count('.with-hint:has(#pass) [data-move="pass"]'), 1);
  await player.click("#pass");
  assert.match(await player.status(), /^You pass\./);
  assert.equal(await player.page.locator("#pass").isDisabled(), true, "the one pass is used");
  assert.equal(await player.count('[data-move="pass"]'), 0);
});

claim("marks follow the game, and a finished game has none", {}, async (player) => {
  await player.open("sticks", "0,1,2");
  await player.click("#show");
  await player.move("3:1");
  const { moves } = await player.state();
  assert.deepEqual(
    byName(await player.hints()).map(({ move }) => move),
    byName(moves).map(({ move }) => move),
  );
  await player.begin("1,0,0");
  await player.move("1:1");
  assert.equal(await player.turn(), "over");
  assert.equal(await player.count("[data-move]"), 0);
  assert.match(await player.text("#hints"), /No move is left\./);
});

claim(
  "the colours of the stones are the outcomes with a reset if one is chosen, and without one otherwise",
  {},
  async (player) => {
    await player.open("expanding", "46/41/1/4,4/-");
    await player.click("#show");
    const { moves } = await player.state();
    const checkColours = async (/** @type {string} */ reset) => {
      const seen = await player.page
        .locator(".stick")
        .evaluateAll((buttons) => buttons.map((button) => /** @type {HTMLElement} */ (button).dataset.verdict ?? ""));
      const expected = seen.map((_, n) => {
        const name = `${seen.length - n}${reset}`;
        return moves.find((/** @type {any} */ { move }) => move === name)?.outcome ?? "";
      });
      assert.ok(seen.length > 40);
      assert.deepEqual(seen, expected);
      return expected.includes("win");
    };
    assert.equal(await checkColours(""), false);
    await player.page.locator("#reset").check();
    assert.equal(await checkColours("r"), true);
    await player.page.locator("#reset").uncheck();
    await checkColours("");
    const won = moves.find((/** @type {any} */ { move, outcome }) => move.endsWith("r") && outcome === "win").move;
    await player.page.locator(`#hints [data-move="${won}"]`).click();
    await checkColours("r");
  },
);
