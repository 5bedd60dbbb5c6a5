// The page without a server, which solves games in the browser, gives the same answers as the service, and works offline.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { claim } from "./harness.js";
import { host, isMade } from "./site.js";
import { textsIn } from "./texts.js";

/** @typedef {import("./player.js").Player} Player */

/** @type {{address: string, stop: () => Promise<void>}} */ let site;
before(async () => {
  if (isMade) site = await host();
});
after(() => site?.stop());

const SITE = { at: () => site.address, unhurried: true, skip: !isMade && "the site was not built" };

/** Asks the page and the service the same. Returns both answers. */
async function askBoth(
  /** @type {Player} */ player,
  /** @type {string} */ path,
  /** @type {Record<string, string>} */ query,
) {
  const here = await player.page.evaluate(
    // The module of the page, not of this test.
    async ([path, query]) => (await import(new URL("page/transport.js", document.baseURI).href)).ask(path, query),
    /** @type {[string, Record<string, string>]} */ ([path, query]),
  );
  const response = await fetch(`${player.server}/api/${path}?${new URLSearchParams(query)}`);
  const there = { status: response.status, body: await response.json() };
  // The id of a request is the server's.
  delete there.body.request;
  return { here, there };
}

const POSITIONS = [
  ["sticks", "3,5,7"],
  ["sticks", "1,1,0"],
  ["sticks-normal", "2,4,7"],
  ["marienbad", "1,3,5,7"],
  ["nim", "12,10,9,4,1"],
  ["nim-misere", "3,0,1,1,0"],
  ["subtraction", "9,9,2"],
  ["moore", "5,4,3,2"],
  ["wythoff", "3,5"],
  ["nim-pass", "3,4,6/1"],
  ["expanding", "217/9/1/4,3/-"],
  ["expanding-misere", "30"],
  ["expanding", "not a position"],
  ["sticks", "4,5,7"],
];

claim("the page answers as the service does", SITE, async (player) => {
  await player.open();
  for (const [table, position] of POSITIONS) {
    for (const what of ["state", "why", "line", "lookup", "map"]) {
      const { here, there } = await askBoth(player, `tables/${table}/${what}`, { position });
      assert.deepEqual(here, there, `${what} of ${table} at ${position}`);
    }
  }
  for (const [table, position] of [
    ["sticks", "2,3,4"],
    ["expanding", "217/9/1/4,3/-"],
  ]) {
    const { here, there } = await askBoth(player, `tables/${table}/game-map`, { position });
    assert.deepEqual(here, there, `map of the game ${table} from ${position}`);
  }
  const { here, there } = await askBoth(player, "diff", { a: "sticks", b: "sticks-normal", position: "1,1,1" });
  for (const side of ["a", "b"]) {
    // The digests differ, because the browser packs its tables in another way.
    delete here.body[side].digest;
    delete there.body[side].digest;
  }
  assert.deepEqual(here, there);
  for (const [table, position, moves] of [
    ["sticks", "3,5,7", "1:1,3:2,2:5"],
    ["sticks", "3,5,7", ""],
    ["wythoff", "5,8", "1:2+2:2,2:1"],
    ["expanding", "30", "3r,2"],
    ["sticks", "3,5,7", "1:1,1:3"],
    ["sticks", "3,5,7", "1:1,,"],
    ["sticks", "3,5,8", "1:1"],
  ]) {
    const { here, there } = await askBoth(player, `tables/${table}/game`, { position, moves });
    assert.deepEqual(here, there, `the game ${moves} of ${table} from ${position}`);
  }
  const unknown = await askBoth(player, "tables/nothing/state", { position: "1" });
  assert.deepEqual([unknown.here.status, unknown.there.status], [404, 404]);
});

claim("own rules are solved as the service solves them", SITE, async (player) => {
  await player.open();
  for (const [spelled, position] of [
    ["play=misere;bounds=3,5,7;take=1,2", "3,5,6"],
    ["bounds=21;take=3;play=misere", "21"],
    ["bounds=4,4;passes=1", "3,4/1"],
    ["stones=30;growth=2;resets=1,0", "30"],
    ["bounds=0", "0"],
    ["bounds=3;bounds=3", "3"],
    ["colour=red", "1"],
  ]) {
    const name = encodeURIComponent(`own:${spelled}`);
    for (const what of ["state", "why", "game", "map"]) {
      const { here, there } = await askBoth(player, `tables/${name}/${what}`, { position });
      assert.deepEqual(here, there, `${what} of ${spelled} at ${position}`);
    }
    const { here, there } = await askBoth(player, `tables/${name}`, {});
    // The browser packs its tables in another way.
    for (const key of ["digest", "bytes", "origin"]) delete here.body[key];
    for (const key of ["digest", "bytes", "origin"]) delete there.body[key];
    assert.deepEqual(here, there, spelled);
  }
  for (const spelled of ["bounds=99,99,99,99,99", "bounds=1000000;take=1000000"]) {
    const { here } = await askBoth(player, `tables/${encodeURIComponent(`own:${spelled}`)}/state`, { position: "1" });
    assert.equal(here.status, 422, spelled);
  }
});

claim("games are played to their end", SITE, async (player) => {
  for (const table of ["sticks", "wythoff", "expanding-resets-1"]) {
    await player.open(table, table === "wythoff" ? "5,8" : table === "sticks" ? "1,2,3" : "12");
    for (let plies = 0; (await player.turn()) !== "over"; plies++) {
      assert.ok(plies < 30, "it ends");
      await player.move((await player.state()).best);
    }
    assert.match(await player.status(), /The game is over/);
  }
});

claim("after the first visit the page works without a network", SITE, async (player) => {
  const context = player.page.context();
  await player.open();
  await player.page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await player.page.reload();
  await player.settled();
  await player.choose("nim-pass");
  await player.click("#why");
  assert.ok((await player.text("#why-panel .text")).length > 20);
  await context.setOffline(false);
});

/** Plays at an address without a network. @param {Player} player @param {string} address */
async function checkOffline(player, address) {
  const context = player.page.context();
  await context.setOffline(true);
  await player.page.goto(`${address}/?lang=en`);
  await player.settled();
  await player.click('[data-game="nim-pass"]');
  const more = player.page.locator("#more-tools");
  if (await more.isVisible()) await more.click();
  await player.click("#why");
  assert.ok((await player.text("#why-panel .text")).length > 20, address);
  await context.setOffline(false);
}

/** Opens a copy of the page, and waits until its files are stored. @param {Player} player @param {string} address */
async function visit(player, address) {
  await player.page.goto(`${address}/`);
  await player.answered();
  await player.page.evaluate(async () => {
    // At first, a copy in a subfolder has the service worker of the outer copy.
    const isStored = async () => {
      const found = await navigator.serviceWorker.getRegistration();
      return found?.scope === new URL("./", location.href).href && found.active?.state === "activated";
    };
    while (!(await isStored())) await new Promise((next) => setTimeout(next, 20));
  });
}

/** The file of a table that the site does not have, and a copy with one damaged byte. */
const file = readFileSync(new URL("../data/tables/up-to.bouton", import.meta.url));
const damaged = Buffer.from(file);
damaged[damaged.length - 1] ^= 1;

claim("the file of a table is opened, played, and named by its digest", SITE, async (player) => {
  const { page } = player;
  await player.page.goto(`${player.address}/?lang=en`);
  await page.locator("[data-game]").first().waitFor();
  const before = await player.count("[data-game]");
  const open = (/** @type {Buffer} */ buffer) =>
    page.locator("#gallery input.open").setInputFiles({ name: "mine.bouton", mimeType: "", buffer });
  for (const [bytes, kind] of /** @type {[Buffer, string][]} */ ([
    [damaged, "damaged-table"],
    [Buffer.from("no table"), "not-a-table"],
  ])) {
    await open(bytes);
    const { tables } = (await textsIn("en")).error;
    await page.locator("#alert", { hasText: tables[`urn:bouton:${kind}`]("mine.bouton") }).waitFor();
    assert.equal(await player.count("[data-game]"), before);
  }
  await open(file);
  const card = page.locator(".game:has(.digest)");
  await card.waitFor();
  assert.equal(await player.text("#alert"), "");
  await card.click();
  await player.settled();
  const digest = file.subarray(24, 56).toString("hex");
  assert.ok((await player.hash()).startsWith(`#table=${digest}&position=`), await player.hash());
  await player.click("#more-tools");
  await player.click("#table");
  assert.ok((await player.text("#table-panel")).includes(digest));
  await page.getByLabel("Positions, one a line").fill(await player.position());
  await page.getByRole("button", { name: "Look up" }).click();
  await page.locator("#table-panel tbody tr").waitFor();
  await player.click("#map");
  assert.equal(await player.count(".plane svg"), 1);
});

claim("two copies of the page on one host both work without a network", SITE, async (player) => {
  const copies = [player.address, `${player.address}/another`];
  for (const address of copies) await visit(player, address);
  for (const address of copies) await checkOffline(player, address);
  const names = await player.page.evaluate(() => caches.keys());
  assert.deepEqual(names.map((name) => name.replace(/[0-9a-f]{16}/, "VERSION")).sort(), [
    "bouton-VERSION /class/nim/",
    "bouton-VERSION /class/nim/another/",
  ]);
});

claim("files of an earlier version are deleted, and lost files are fetched again", SITE, async (player) => {
  const { page, address } = player;
  await page.goto(`${address}/`);
  await page.evaluate(() => caches.open("bouton-0123456789abcdef /class/nim/"));
  await visit(player, address);
  await page.waitForFunction(async () => (await caches.keys()).length === 1);
  const kept = () =>
    page.evaluate(async () => {
      const [name] = await caches.keys();
      return (await (await caches.open(name)).keys()).length;
    });
  const all = await kept();
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await page.reload();
  await player.answered();
  await page.waitForFunction(async () => (await caches.keys()).length === 1);
  for (let waits = 0; (await kept()) < all && waits < 100; waits++) await page.waitForTimeout(50);
  assert.equal(await kept(), all);
  await checkOffline(player, address);
});

/** Runs lookup/web/build. Returns its exit status and output. @param {string[]} args */
function build(...args) {
  const program = fileURLToPath(new URL("../../lookup/web/build", import.meta.url));
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 300_000 });
  return { status, said: stdout + stderr };
}

/** Makes a folder that is deleted after the test. @param {import("node:test").TestContext} context */
function makeFolder(context) {
  const folder = mkdtempSync(join(tmpdir(), "bouton-site-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a folder with other files than a site is refused, and stays unchanged", (context) => {
  const folder = makeFolder(context);
  const file = join(folder, "index.html");
  writeFileSync(file, "mine");
  const usage = "usage: lookup/web/build FOLDER";
  for (const [args, status, says] of /** @type {[string[], number, string][]} */ ([
    [[], 2, "found 0 arguments, expected one"],
    [["a", "b"], 2, "found 2 arguments, expected one"],
    [[""], 2, "found '', expected the folder to make"],
    [["--force"], 2, "found '--force', expected the folder to make"],
    [["--one-file"], 2, "found 0 arguments, expected one: the file to make"],
    [["--one-file", ""], 2, "found '', expected the file to make"],
    [["--one-file", "page"], 2, "found 'page', expected a name that ends in .html"],
    [["--one-file", `${folder}/.html/..`], 2, `found '${folder}/.html/..', expected a name that ends in .html`],
    [["--one-file", join(file, "page.html")], 2, `cannot make the folder ${file}`],
    [["--one-file", file], 2, `${file} is not a page that lookup/web/build made`],
    [[file], 2, `${file} is a file, expected a folder`],
    [[join(file, "below")], 2, `cannot make the folder ${file}/below`],
    [[folder], 2, `${folder} has files that are not a site of this program`],
    [["--help"], 0, "makes the page without a server in FOLDER"],
  ])) {
    const { status: found, said } = build(...args);
    assert.equal(found, status, said);
    assert.ok(said.includes(says) && said.includes(usage), said);
  }
  assert.deepEqual([readdirSync(folder), readFileSync(file, "utf8")], [["index.html"], "mine"]);
});

test("a site replaces an earlier one, and other files stay", { skip: SITE.skip }, (context) => {
  const made = process.env.BOUTON_SITE ?? "";
  const folder = makeFolder(context);
  cpSync(made, folder, { recursive: true });
  const page = readdirSync(join(folder, "page"));
  const main = page.find((name) => name.startsWith("main-")) ?? "";
  const list = join(folder, "offline.js");
  const written = readFileSync(list, "utf8");
  renameSync(join(folder, "page", main), join(folder, "page", "main-earlier.js"));
  writeFileSync(list, written.replace(main, "main-earlier.js"));
  writeFileSync(join(folder, "CNAME"), "nim.example");
  const { status, said } = build(folder);
  assert.equal(status, 0, said);
  assert.deepEqual(readdirSync(join(folder, "page")).sort(), page.sort());
  assert.ok(existsSync(join(folder, "CNAME")));
  writeFileSync(list, written.replace(`page/${main}`, "../main.js"));
  assert.equal(build(folder).status, 1, "a list that names files elsewhere is not ours");
});
