// *Variants* compares a position under the rules of two tables, and continues the game under the other rules.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const PAIRS = [
  ["sticks", "sticks-normal", "3,5,7"],
  ["sticks", "sticks-normal", "1,1,1"],
  ["sticks", "sticks-normal", "2,1,1"],
  ["sticks", "sticks-normal", "0,1,3"],
  ["nim", "nim-misere", "1,0,1,1,0"],
  ["nim-pass", "nim", "3,4,6/1"],
  ["wythoff", "nim", "4,7"],
  ["expanding", "expanding-growth-2", "30/4/1/4,3/-"],
  ["expanding", "expanding-misere", "12"],
];

for (const [a, b, position] of PAIRS) {
  claim(`the comparison of ${a} with ${b} at ${position} agrees with the server`, {}, async (player) => {
    await player.open(a, position);
    await player.click("#variants");
    await player.page.locator("#other").selectOption(b);
    await player.settled();
    // Like the page, ask without the pass, which `nim` does not have.
    const asked = (await player.position()).replace(/\/1$/, "");
    const diff = await player.ask("/api/diff", { a, b, position: a === "nim-pass" ? asked : position, moves: "true" });
    const [outcomesOfA, outcomesOfB] = [diff.a, diff.b].map(
      (side) => new Map(side.moves.map((/** @type {any} */ move) => [move.move, move.outcome])),
    );
    const all = new Set([...outcomesOfA.keys(), ...outcomesOfB.keys()]);
    const inOneOnly = [...all].filter((move) => !outcomesOfA.has(move) || !outcomesOfB.has(move));
    const differing = [...all].filter(
      (move) => !inOneOnly.includes(move) && outcomesOfA.get(move) !== outcomesOfB.get(move),
    );
    const marked = await player.page
      .locator("#variants-panel [data-differs]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-differs") ?? ""));
    assert.deepEqual(marked.sort(), differing.sort());
    assert.equal(await player.count("#variants-panel tbody tr"), Math.min(all.size, 200));
    const rows = await player.page.locator("#variants-panel tbody tr").evaluateAll((all) =>
      all.map((one) => {
        const cells = [...one.children].map((cell) => cell.textContent?.trim() ?? "");
        // The first cell has the move in words, and its notation as their title.
        return { row: cells.join(" "), cells, move: one.querySelector("[title]")?.getAttribute("title") ?? "" };
      }),
    );
    for (const { row, cells, move } of rows) {
      const [, cellA, cellB] = cells;
      for (const [said, outcomes] of /** @type {const} */ ([
        [cellA, outcomesOfA],
        [cellB, outcomesOfB],
      ])) {
        const outcome = outcomes.get(move);
        assert.match(said, outcome === undefined ? /^not allowed$/ : outcome === "win" ? /^wins/ : /^loses/, row);
      }
      assert.equal(row.includes("≠"), differing.includes(move), row);
    }
    const text = await player.text("#variants-panel .body");
    assert.equal(text.includes("The verdict on this position differs."), diff.differ.includes("outcome"));
    const subject = differing.length === 1 ? "1 move has" : `${differing.length} moves have`;
    const rest = inOneOnly.length === 1 ? "; 1 is allowed" : `; ${inOneOnly.length} are allowed`;
    assert.ok(
      text.includes(
        `${differing.length === 0 ? "No move has" : subject} a different outcome${inOneOnly.length === 0 ? "." : rest}`,
      ),
      text,
    );
    const verdicts = await player.page.locator("#variants-panel .big").allInnerTexts();
    for (const [n, side] of [diff.a, diff.b].entries()) {
      assert.ok(
        verdicts[n].includes(`${side.outcome === "win" ? "wins" : "loses"} in ${side.depth} move`),
        verdicts[n],
      );
    }
  });
}

claim(
  "the list of variants has the other tables of the game family, with the most similar chosen",
  {},
  async (player) => {
    await player.open("sticks", "3,5,7");
    await player.click("#variants");
    const tables = await player.tables();
    const offered = await player.page
      .locator("#other option")
      .evaluateAll((all) => all.map((one) => /** @type {HTMLOptionElement} */ (one).value));
    const family = tables.filter((/** @type {any} */ { game, name }) => game === "heaps" && name !== "sticks");
    assert.deepEqual(
      offered,
      family.map((/** @type {any} */ { name }) => name),
    );
    assert.equal(await player.page.locator("#other").inputValue(), "sticks-normal");
  },
);

claim("a position that another table does not cover is reported without an alert", {}, async (player) => {
  await player.open("nim", "31,31,31,31,31");
  await player.click("#variants");
  await player.page.locator("#other").selectOption("sticks");
  await player.settled();
  assert.equal(await player.count("#variants-panel .note"), 1);
  assert.ok((await player.text("#variants-panel .note")).length > 20);
  assert.equal(await player.text("#alert"), "");
});

claim("the game goes on under the other rules", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.move("1:1");
  const position = await player.position();
  await player.click("#variants");
  await player.click("#variants-panel .body button");
  assert.deepEqual([await player.table(), await player.position()], ["sticks-normal", position]);
  assert.match(await player.hash(), /^#table=sticks-normal&/);
  assert.match(await player.text("#rules"), /The player who takes the last stick wins\./);
  assert.equal(await player.page.locator("#other").inputValue(), "sticks", "the way back");
});

for (const [a, position, b, there] of [
  ["nim-pass", "3,4,6/1", "nim", "3,4,6,0,0"],
  ["moore", "3,5,7,0", "nim-pass", "3,5,7/1"],
  ["moore", "3,5,7,0", "sticks", "3,5,7"],
]) {
  claim(`from ${a} at ${position} the game goes on under ${b} at ${there}`, {}, async (player) => {
    await player.open(a, position);
    await player.click("#variants");
    await player.page.locator("#other").selectOption(b);
    await player.settled();
    await player.click("#variants-panel .body button");
    assert.deepEqual([await player.table(), await player.position()], [b, there]);
    assert.equal(await player.text("#alert"), "");
  });
}

for (const [table, position] of [
  ["nim", "12,10,9,4,1"],
  ["expanding", "30/4/1/4,3/-"],
]) {
  claim(`in ${table}, the same side is to move under the other rules`, {}, async (player) => {
    await player.open(table, position);
    await player.set("#side", "2");
    await player.settled();
    const current = await player.position();
    assert.notEqual(current, position, "the computer has moved first");
    await player.click("#variants");
    await player.click("#variants-panel .body button");
    assert.notEqual(await player.table(), table);
    assert.deepEqual([await player.position(), await player.status()], [current, "Your turn."]);
    await player.move((await player.state()).best);
    assert.match(await player.status(), /^You take .* The computer takes .* Your turn\.$/);
  });
}
