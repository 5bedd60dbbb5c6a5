// Who types something that is none is told so in their own language: what it was, and what would be one.

import assert from "node:assert/strict";
import { claim } from "./harness.js";
import { textsIn } from "./texts.js";

/** @typedef {import("./player.js").Player} Player */

const LANGUAGES = ["en", "de", "fr", "es"];
const REFUSED = { alone: true, expects: [/400|422|431/] };

/** Goes to an address in a language, and gives its texts. @param {Player} player @param {string} language @param {string} hash */
async function go(player, language, hash) {
  await player.page.goto("about:blank");
  await player.page.goto(`${player.address}/?lang=${language}${hash}`);
  await player.answered();
  return textsIn(language);
}

/** The sentences of all messages. @param {Player} player */
const said = (player) => player.page.locator("#alert .alert > :first-child > p").allInnerTexts();

/** What is behind *Details*. @param {Player} player */
const details = (player) => player.page.locator("#alert details p").allTextContents();

for (const language of LANGUAGES) {
  claim(`in ${language}, positions and moves that are none are told in plain words`, REFUSED, async (player) => {
    for (const [hash, kind, asked] of /** @type {[string, string, any][]} */ ([
      ["#table=sticks&position=x", "bad-position", { position: "x", start: "3,5,7" }],
      ["#table=sticks&position=9,9,9", "bad-position", { position: "9,9,9", start: "3,5,7" }],
      ["#table=sticks&start=3,5,7&moves=9:9", "bad-move", { moves: "9:9" }],
      ["#table=own:take=3", "bad-rules", { table: "own:take=3" }],
      ["#table=own:bounds=99,99,99,99,99,99", "too-much", {}],
      ["#table=chess", "no-such-table", { table: "chess" }],
    ])) {
      const texts = await go(player, language, hash);
      assert.deepEqual(await said(player), [texts.problem[kind](asked)], hash);
      // The service's own words are there for those who want them.
      const words = await details(player);
      assert.equal(words.length, kind === "no-such-table" ? 0 : 1);
      for (const word of words) assert.ok(!(await player.text("#alert")).includes(word), word);
    }
    const texts = await go(player, language, "#table=nim&position=3,4,5");
    await player.begin("40 1");
    const asked = { position: "40,1", start: "31,31,31,31,31" };
    assert.deepEqual(await said(player), [texts.problem["bad-position"](asked)]);
    await player.page.locator("#alert summary").click();
    assert.match(await player.text("#alert details"), /40/);
  });

  claim(`in ${language}, parts of an address that mean nothing are named`, { alone: true }, async (player) => {
    for (const [parts, unknown] of [
      ["&opponent=god", "opponent=god"],
      ["&side=3&first=0", "side=3, first=0"],
      ["&at=99", "at=99"],
      ["&moves=1:1&at=2", "at=2"],
      ["&open=zzz,history", "open=zzz"],
      ["&table=nim", "table=nim"],
      ["&colour=red", "colour=red"],
    ]) {
      const texts = await go(player, language, `#table=sticks&position=3,5,7${parts}`);
      assert.deepEqual(await said(player), [texts.error.unknown(unknown)], parts);
      assert.equal(await player.table(), "sticks");
    }
    assert.equal(await player.hash(), "#table=sticks&position=3,5,7");
  });

  claim(`in ${language}, an address that is too long is told`, REFUSED, async (player) => {
    await player.page.route("**/state?**", (route) => route.fulfill({ status: 431 }), { times: 1 });
    const texts = await go(player, language, "#table=sticks&position=3,5,7");
    assert.deepEqual(await said(player), [texts.error.long]);
  });
}

claim("what else an address says holds beside what means nothing", { alone: true }, async (player) => {
  const texts = await go(player, "en", "#table=sticks&position=3,5,7&opponent=friend&side=3&open=map,zzz&moves=1:1");
  assert.deepEqual(await said(player), [texts.error.unknown("side=3, open=zzz")]);
  assert.equal(await player.page.locator("#opponent").inputValue(), "friend");
  assert.equal(await player.page.locator("#map-panel").isVisible(), true);
  assert.equal(await player.position(), "2,5,7");
  await player.make("2:1");
  assert.deepEqual(await said(player), [], "it goes with the next move");
  await go(player, "en", "#table=sticks&side=2");
  await player.settled();
  assert.match(await player.status(), /^The table takes .* Your turn\.$/, "a game may begin with who plays alone");
});

claim("a problem of another kind is told with its status", { alone: true, expects: [/400/] }, async (player) => {
  const body = JSON.stringify({ type: "urn:bouton:constructor", title: "New", status: 400, detail: "It is new." });
  const kind = "application/problem+json";
  await player.page.route("**/state?**", (route) => route.fulfill({ status: 400, contentType: kind, body }), {
    times: 1,
  });
  const texts = await go(player, "en", "#table=sticks&position=3,5,7");
  assert.deepEqual([await said(player), await details(player)], [[texts.error.status(400)], ["It is new."]]);
});
