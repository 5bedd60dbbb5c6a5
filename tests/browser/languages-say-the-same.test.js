// Every language has all texts of the page, and no English remains in the others.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { claim } from "./harness.js";
import { PAGE, textsIn } from "./texts.js";

/** @typedef {import("./player.js").Player} Player */

const LANGUAGES = ["de", "fr", "es"];

/** Returns the keys of texts with their types, such as `error.long: string`. @returns {string[]} */
const keys = (/** @type {any} */ texts, at = "") =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "object" && !Array.isArray(value) ? keys(value, `${at}${key}.`) : [`${at}${key}: ${typeof value}`],
  );

test("every language has all texts, and no unused one", async () => {
  const index = await readFile(new URL("index.html", PAGE), "utf8");
  const named = [...index.matchAll(/data-t="([^"]+)"/g)].map(([, key]) => key);
  const own = (/** @type {any} */ { html, terms, ...rest }) => keys(rest).sort();
  const english = await textsIn("en");
  for (const language of LANGUAGES) {
    const texts = await textsIn(language);
    assert.deepEqual(own(texts), own(english), language);
    assert.deepEqual(Object.keys(texts.html).sort(), [...new Set(named)].sort(), `${language}: html`);
    assert.equal(texts.code, language);
    for (const [key, value] of [...Object.entries(texts.html), ...Object.entries(texts.terms)])
      assert.ok(typeof value === "string" && value.trim() !== "", `${language}: ${key}`);
  }
});

/** English words that the other languages do not have. */
const ENGLISH = /\b(the|you|your|takes?|wins?|loses?|moves?|row|with|from|which|stick|sticks|lost|won)\b/i;

for (const language of LANGUAGES) {
  claim(`the page in ${language} has no English text`, { alone: true, expects: [/400|422/] }, async (player) => {
    const checkTexts = async (/** @type {string} */ where) => {
      const text = await player.page.evaluate(() => document.body.innerText);
      const lines = text.split("\n").filter((line) => ENGLISH.test(line));
      assert.deepEqual(lines, [], where);
    };
    const checkLabels = async (/** @type {string} */ where) => {
      const all = await player.page
        .locator("[aria-label]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
      assert.deepEqual(
        all.filter((label) => ENGLISH.test(label)),
        [],
        where,
      );
    };
    await player.page.goto(`${player.address}/?lang=${language}`);
    await player.answered();
    assert.equal(await player.page.locator("html").getAttribute("lang"), language);
    await checkTexts("the gallery");
    const positions = [
      ["sticks", "3,5,7"],
      ["sticks", "2,5,7"],
      ["nim", "3,5,6"],
      ["subtraction", "5,4,9"],
      ["moore", "5,3,2,1"],
      ["wythoff", "4,9"],
      ["nim-pass", "1,2,3/1"],
      ["expanding", "30"],
      ["nim-misere", "1,1,1"],
    ];
    for (const [n, [table, position]] of positions.entries()) {
      await player.page.goto(`${player.address}/?lang=${language}#table=${table}&position=${position}`);
      await player.settled();
      if (n === 0)
        for (const id of ["show", "why", "history", "map", "variants", "learn", "challenge"])
          await player.click(`#${id}`);
      await player.click("#hint");
      await player.settled();
      await checkTexts(`${table} at ${position}`);
      await checkLabels(`${table} at ${position}`);
    }
    await player.page.locator("#keys").click();
    await checkTexts("the keys");
    await player.page.keyboard.press("Escape");
    await player.page.locator("#guide").click();
    await checkTexts("the help");
  });
}

claim("the chosen language stays for the next visit", { alone: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.page.locator("#language").selectOption("de");
  await player.page.waitForFunction(() => document.documentElement.lang === "de");
  await player.settled();
  assert.equal(await player.position(), "3,5,7", "the game goes on");
  await player.page.reload();
  await player.settled();
  assert.equal(await player.page.locator("html").getAttribute("lang"), "de");
  await player.page.locator("#language").selectOption("en");
  await player.page.waitForFunction(() => document.documentElement.lang === "en");
  assert.equal(await player.text("#undo"), "Undo");
});
