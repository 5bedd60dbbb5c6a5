// Invalid input gets an error in the reader's language, with the text typed and a valid example.

import assert from "node:assert/strict";
import { claim } from "./harness.js";
import { textsIn } from "./texts.js";

/** @typedef {import("./player.js").Player} Player */

const LANGUAGES = ["en", "de", "fr", "es"];
const REFUSED = { alone: true, expects: [/400|422|431/] };

/** Opens the page at an address in a language. Returns the texts of the language. @param {Player} player @param {string} language @param {string} hash */
async function openIn(player, language, hash) {
  await player.page.goto("about:blank");
  await player.page.goto(`${player.address}/?lang=${language}${hash}`);
  await player.answered();
  return textsIn(language);
}

/** Returns the sentences of all messages. @param {Player} player */
const messages = (player) => player.page.locator("#alert .alert > :first-child > p").allInnerTexts();

/** Returns the text under *Details*. @param {Player} player */
const details = (player) => player.page.locator("#alert details p").allTextContents();

for (const language of LANGUAGES) {
  claim(`in ${language}, invalid positions and moves are reported in plain words`, REFUSED, async (player) => {
    for (const [hash, kind, asked] of /** @type {[string, string, any][]} */ ([
      ["#table=sticks&position=x", "bad-position", { position: "x", start: "3,5,7", rows: [3, 5, 7] }],
      ["#table=sticks&position=9,9,9", "bad-position", { position: "9,9,9", start: "3,5,7", rows: [3, 5, 7] }],
      ["#table=expanding&position=1001", "bad-position", { position: "1001", start: "1000/0/1/4,4/-", stones: 1000 }],
      ["#table=sticks&start=3,5,7&moves=9:9", "bad-move", { moves: "9:9" }],
      ["#table=own:take=3", "bad-rules", { table: "own:take=3" }],
      ["#table=own:bounds=99,99,99,99,99,99", "too-much", {}],
      ["#table=chess", "no-such-table", { table: "chess" }],
    ])) {
      const texts = await openIn(player, language, hash);
      assert.deepEqual(await messages(player), [texts.problem[kind](asked)], hash);
      // The message of the service is under Details.
      const words = await details(player);
      assert.equal(words.length, kind === "no-such-table" ? 0 : 1);
      for (const word of words) assert.ok(!(await player.text("#alert")).includes(word), word);
    }
    const texts = await openIn(player, language, "#table=nim&position=3,4,5");
    await player.begin("40 1");
    const asked = { position: "40 1", start: "31,31,31,31,31", rows: Array(5).fill(31) };
    assert.deepEqual(await messages(player), [texts.problem["bad-position"](asked)]);
    await player.page.locator("#alert summary").click();
    assert.match(await player.text("#alert details"), /40/);
  });

  claim(`in ${language}, unknown parts of an address are named`, { alone: true }, async (player) => {
    for (const [parts, unknown] of [
      ["&opponent=god", "opponent=god"],
      ["&side=3&first=0", "side=3, first=0"],
      ["&at=99", "at=99"],
      ["&moves=1:1&at=2", "at=2"],
      ["&open=zzz,history", "open=zzz"],
      ["&table=nim", "table=nim"],
      ["&colour=red", "colour=red"],
    ]) {
      const texts = await openIn(player, language, `#table=sticks&position=3,5,7${parts}`);
      assert.deepEqual(await messages(player), [texts.error.unknown(unknown)], parts);
      assert.equal(await player.table(), "sticks");
    }
    assert.equal(await player.hash(), "#table=sticks&position=3,5,7");
  });

  claim(`in ${language}, an address that is too long is reported`, REFUSED, async (player) => {
    await player.page.route("**/state?**", (route) => route.fulfill({ status: 431 }), { times: 1 });
    const texts = await openIn(player, language, "#table=sticks&position=3,5,7");
    assert.deepEqual(await messages(player), [texts.error.long]);
  });
}

claim("the valid parts of an address are used despite invalid ones", { alone: true }, async (player) => {
  const texts = await openIn(
    player,
    "en",
    "#table=sticks&position=3,5,7&opponent=friend&side=3&open=map,zzz&moves=1:1",
  );
  assert.deepEqual(await messages(player), [texts.error.unknown("side=3, open=zzz")]);
  assert.equal(await player.page.locator("#opponent").inputValue(), "friend");
  assert.equal(await player.page.locator("#map-panel").isVisible(), true);
  assert.equal(await player.position(), "2,5,7");
  await player.make("2:1");
  assert.deepEqual(await messages(player), [], "the next move clears the message");
  await openIn(player, "en", "#table=sticks&side=2");
  await player.settled();
  assert.match(await player.status(), /^The computer takes .* Your turn\.$/, "an address may name only the side");
});

claim("a problem of an unknown kind is reported with its status", { alone: true, expects: [/400/] }, async (player) => {
  const body = JSON.stringify({ type: "urn:bouton:constructor", title: "New", status: 400, detail: "It is new." });
  const kind = "application/problem+json";
  await player.page.route("**/state?**", (route) => route.fulfill({ status: 400, contentType: kind, body }), {
    times: 1,
  });
  const texts = await openIn(player, "en", "#table=sticks&position=3,5,7");
  assert.deepEqual([await messages(player), await details(player)], [[texts.error.status(400)], ["It is new."]]);
});

/** Fills the form *Your own rules*, and presses *Play*. @param {Player} player @param {any} own @param {Record<string, string>} fields */
async function fill(player, own, fields) {
  const form = player.page.locator("#own-form");
  for (const [key, value] of Object.entries(fields)) await form.getByLabel(own[key]).fill(value);
  await form.getByRole("button").click();
  await player.page.locator("#alert > *, #board :is([data-row], [data-takes])").first().waitFor();
  await player.answered();
}

for (const language of LANGUAGES) {
  claim(`in ${language}, invalid own rules are reported by field`, { alone: true }, async (player) => {
    const texts = await openIn(player, language, "");
    const { own } = texts;
    const max = 1_000_000_000;
    await player.page.locator("#own summary").click();
    for (const [game, key, typed, usual, allowed] of [
      ["heaps", "heaps", "three", "3", own.whole(16, 1, max)],
      ["heaps", "heaps", "1,".repeat(16) + "1", "3", own.whole(16, 1, max)],
      ["heaps", "heaps", "0", "3", own.whole(16, 1, max)],
      ["heaps", "heaps", "3..5", "3", own.whole(16, 1, max)],
      ["heaps", "take", "0", "", own.takes(max)],
      ["heaps", "take", "5-3", "", own.takes(max)],
      ["heaps", "take", "1-9999999999", "", own.takes(max)],
      ["heaps", "take", "2-1001", "", own.fewer],
      ["heaps", "take", "2-999999999", "", own.fewer],
      ["heaps", "take", "100-260", "", own.fewer],
      ["heaps", "passes", "x", "0", own.whole(1, 0, 15)],
      ["heaps", "passes", "", "0", own.whole(1, 0, 15)],
      ["heaps", "passes", "16", "0", own.whole(1, 0, 15)],
      ["heaps", "passes", "1 2", "0", own.whole(1, 0, 15)],
      ["expanding", "stones", "0", "9", own.whole(1, 1, max)],
      ["expanding", "growth", "a", "1", own.whole(1, 0, max)],
      ["expanding", "resets", "16", "4, 4", own.whole(2, 0, 15)],
      ["expanding", "resets", "1 2 3", "4, 4", own.whole(2, 0, 15)],
    ]) {
      const where = `${key}: '${typed}'`;
      await player.page.locator("#own-form select").first().selectOption(game);
      await fill(player, own, { [key]: typed });
      assert.deepEqual(await messages(player), [own.bad(own[key].split(" (")[0], typed, allowed)], where);
      const field = player.page.locator("#own-form").getByLabel(own[key]);
      assert.equal(await field.inputValue(), typed, "the typed text can be corrected");
      assert.equal(await field.evaluate((input) => input === document.activeElement), true, where);
      await field.fill(usual);
      await player.page.locator("#alert").getByRole("button", { name: texts.error.close }).click();
    }
  });
}

for (const [typed, take] of [
  ["1-1001", "1001"],
  ["1-1000000", "1000000"],
  ["1-3, 2-5", "5"],
  ["4 1-2", "1,2,4"],
  ["1", "[1]"],
]) {
  claim(`own rules accept ${typed} as the amounts to take`, { alone: true }, async (player) => {
    const { own } = await openIn(player, "en", "");
    await player.page.locator("#own summary").click();
    await fill(player, own, { take: typed });
    assert.deepEqual(await messages(player), []);
    await player.settled();
    const spelled = new URLSearchParams((await player.hash()).slice(1)).get("table") ?? "";
    assert.ok(spelled.includes(`take=${take}`), spelled);
  });
}
