// The page as a single file, opened from a disk, as after a double click. It works without a server and a network.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { claim } from "./harness.js";

const BUILT = process.env.BOUTON_ONE_FILE ?? "";

/** A temporary folder, and in it a file with a name that a user may give it. @type {string} */ let folder;
/** @type {string} */ let address;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "bouton-one-file-"));
  const below = join(folder, "Nim für die 7b #1");
  mkdirSync(below);
  const file = join(below, "bouton (1).html");
  if (BUILT) copyFileSync(BUILT, file);
  address = pathToFileURL(file).href;
});
after(() => rmSync(folder, { recursive: true }));

const FILE = { at: () => address, alone: true, skip: !BUILT && "the page was not built" };

claim("the file shows the gallery, and requests nothing", FILE, async ({ page }) => {
  await page.goto(`${address}?lang=en`);
  await page.locator('[data-game="sticks"]').waitFor();
  assert.ok((await page.locator("[data-game]").count()) >= 10);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
});

claim("games are played to their end", FILE, async (player) => {
  for (const [table, position] of [
    ["sticks", "1,2,3"],
    ["wythoff", "5,8"],
    ["expanding", "12"],
  ]) {
    await player.page.goto(`${address}?lang=en#table=${table}&position=${position}`);
    await player.settled();
    for (let plies = 0; (await player.turn()) !== "over"; plies++) {
      assert.ok(plies < 30, "it ends");
      await player.move((await player.state()).best);
    }
    assert.match(await player.status(), /The game is over/);
  }
});

claim("the file has all languages, solves own rules, and keeps the position after a reload", FILE, async (player) => {
  const { page } = player;
  for (const [language, take] of [
    ["de", "Nehmen"],
    ["fr", "Prendre"],
    ["es", "Quitar"],
  ]) {
    await page.goto(
      `${address}?lang=${language}#table=${encodeURIComponent("own:bounds=4,4;passes=1")}&position=3,4/1`,
    );
    await player.settled();
    assert.ok((await player.text("#take")).startsWith(take), await player.text("#take"));
  }
  await player.click("#why");
  await page.reload();
  await player.settled();
  assert.equal(await player.position(), "3,4/1");
  await player.page.locator("#share").click();
  const shared = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(shared.startsWith(`${address}#table=own`), shared);
});

claim("the file of a table that is dropped on the page is opened", FILE, async (player) => {
  const { page } = player;
  await page.goto(`${address}?lang=en`);
  await page.locator('[data-game="sticks"]').waitFor();
  const bytes = [...readFileSync(new URL("../data/tables/up-to.bouton", import.meta.url))];
  await page.evaluate((bytes) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], "mine.bouton"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  }, bytes);
  await page.locator(".game:has(.digest)").click();
  await player.settled();
  await page.locator("#board [data-row]").last().click();
  await player.click("#take");
  assert.match(await player.status(), /^You take /);
});

claim("an address shared by another copy can be pasted at Start", FILE, async (player) => {
  const { page } = player;
  await page.goto(`${address}?lang=en#table=sticks&position=2,3,4`);
  await player.settled();
  await player.settings();
  await page.locator("#start").fill("file:///elsewhere/bouton.html#table=wythoff&start=5,8&moves=1:2");
  await page.locator("#restart").click();
  // The computer answers from 3,8.
  await page.waitForFunction(() => document.getElementById("board")?.dataset.position === "3,5");
  assert.equal(await player.table(), "wythoff");
});

claim("in a frame the link to the whole page leads to the same file", FILE, async (player) => {
  const { page } = player;
  await page.goto(`${address}?embed&lang=en#table=sticks&position=2,3,4`);
  await player.settled();
  const [whole] = await Promise.all([page.context().waitForEvent("page"), page.locator("#whole-link").click()]);
  await whole.locator("#status").waitFor();
  assert.ok(whole.url().startsWith(`${address}?lang=en#table=sticks`), whole.url());
});
