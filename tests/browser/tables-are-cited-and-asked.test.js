// *Table* describes the table of the game, says how to cite it, and answers many positions at once. Only the page
// without a server opens files of tables.

import assert from "node:assert/strict";
import { claim } from "./harness.js";
import { textsIn } from "./texts.js";

/** @typedef {import("./player.js").Player} Player */

/** Returns the description of a table. @param {Player} player @param {string} name */
const about = (player, name) => player.ask(`/api/tables/${name}`);

/** Clicks a button of the panel, and returns what it copies. @param {Player} player @param {string} words */
async function copied(player, words) {
  await player.page.evaluate(() => navigator.clipboard.writeText(""));
  await player.page.locator("#table-panel").getByRole("button", { name: words }).click();
  await player.page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
  assert.equal(await player.status(), "Copied.");
  return player.page.evaluate(() => navigator.clipboard.readText());
}

claim("the table is described as the server describes it", {}, async (player) => {
  await player.open("nim", "3,4,5");
  await player.press("d");
  const { positions, wins, deepest, bytes, digest } = await about(player, "nim");
  const facts = await player.page.locator("#table-panel dd").allInnerTexts();
  const numbers = [positions, wins, deepest, bytes].map((n) => n.toLocaleString("en"));
  assert.deepEqual(facts, [...numbers, digest]);
});

claim("a citation and a permanent address name the table by its digest", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#table");
  const { digest } = await about(player, "sticks");
  await player.move("1:1");
  const position = await player.position();
  assert.ok((await copied(player, "Copy the citation")).endsWith(`digest ${digest}.`));
  const address = await copied(player, "Copy the permanent address");
  assert.ok(address.endsWith(`#table=${digest}&position=${position}`), address);
  const bibtex = await copied(player, "Copy as BibTeX");
  assert.match(bibtex, /^@misc\{bouton-[0-9a-f]{8},\n(  [a-z]+ = \{.+\},?\n)+\}\n$/);
  assert.ok(bibtex.includes(digest) && bibtex.includes(`url = {${address}}`));
  await player.page.goto("about:blank");
  await player.page.goto(address);
  await player.settled();
  assert.deepEqual([await player.table(), await player.position()], ["sticks", position]);
});

claim("many positions are answered in the order they were typed, and copied as CSV", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#table");
  const typed = ["2,5,7", "1 1 1", "nonsense", "", "3-4-5", "9,9,9"];
  const field = player.page.getByLabel("Positions, one a line");
  await field.fill(typed.join("\n"));
  await player.page.getByRole("button", { name: "Look up" }).click();
  await player.settled();
  const rows = await player.page.locator("#table-panel tbody tr").allInnerTexts();
  assert.deepEqual(
    rows.map((row) => row.replaceAll(/\s+/g, " ").trim()),
    [
      "2, 5, 7 loses in 13 moves 1 from row 2",
      "1, 1, 1 loses in 3 moves 1 from row 1",
      "nonsense not a position of this game",
      "3, 4, 5 wins in 10 moves 2 from row 1",
      "9,9,9 not a position of this game",
    ],
  );
  const lines = (await copied(player, "Copy as CSV")).trimEnd().split("\r\n");
  assert.deepEqual(lines.slice(0, 3), [
    "position,outcome,depth,best,error",
    '"2,5,7",loss,13,2:1,',
    '"1,1,1",loss,3,1:1,',
  ]);
  assert.match(lines[3], /^nonsense,,,,.*heaps/);
  await player.move("1:1");
  assert.equal(await field.inputValue(), typed.join("\n"), "moves leave the list as it is");
});

claim("for the address of a missing table, the page says how to open the table", { alone: true }, async (player) => {
  const digest = "0123456789abcdef".repeat(4);
  await player.page.goto(`${player.address}/#table=${digest}&position=1,2`);
  await player.answered();
  const texts = await textsIn("en");
  assert.ok((await player.text("#alert")).includes(texts.error.noDigest({ table: digest })));
});

claim("with a server, a file of a table is refused with advice", { alone: true }, async (player) => {
  await player.visit();
  const file = { name: "nim.bouton", mimeType: "", buffer: Buffer.from("any") };
  await player.page.locator("#gallery input.open").setInputFiles(file);
  await player.answered();
  assert.ok((await player.text("#alert")).includes((await textsIn("en")).error.ofServer));
});
