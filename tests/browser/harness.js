// Runs the claims of a test file: each is a test with a page in the browser, a server for the file, and a `Player` that uses the page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./browser.js";
import { Player } from "./player.js";
import { serve } from "./server.js";

/** @type {import("./server.js").Server} */ let server;
/** @type {import("playwright-core").Browser} */ let browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  for (const context of browser?.contexts() ?? []) await context.unrouteAll({ behavior: "ignoreErrors" });
  await browser?.close();
  await server?.stop();
});

/**
 * @typedef {object} Options
 * @property {number} [width] of the window in pixels
 * @property {number} [height] of the window in pixels
 * @property {boolean} [touch] whether the page is on a phone, with a finger instead of a mouse
 * @property {boolean} [dark] whether the reader prefers dark colours
 * @property {boolean} [still] whether the reader prefers reduced motion
 * @property {boolean} [unhurried] whether the computer pauses before its moves as in real play, and not 25 times shorter
 * @property {boolean} [alone] whether the test changes the page permanently, so that no other test may reuse it
 * @property {RegExp[]} [expects] errors that the browser may report; only Chromium reports refused requests
 * @property {() => string} [at] the address of the page, if it is not the server's
 * @property {string | false} [skip] why the claim cannot be tested here
 */

/**
 * Tests a claim about the page. The test fails if the browser reports an error, or the page requests anything but the server or its
 * own file.
 * @param {string} words
 * @param {Options} options
 * @param {(player: Player) => Promise<void>} body
 */
export function claim(words, options, body) {
  test(words, { timeout: 180_000, skip: options.skip }, async (context) => {
    const watched = await takePage(options);
    await watched.page.bringToFront();
    const player = new Player(watched.page, options.at?.() ?? server.address, server.address);
    /** @type {string[]} */ const complaints = [];
    watched.onError = (text) => {
      if (!options.expects?.some((expected) => expected.test(text))) complaints.push(text);
    };
    watched.onRequest = (url) => {
      // A page that is a single file embeds everything it names.
      const isOfFile = url.replace(/[?#].*$/s, "") === player.address || url.startsWith("data:");
      if (!url.startsWith(`${player.address}/`) && !(options.at && isOfFile)) complaints.push(`a request to ${url}`);
    };
    try {
      await body(player);
    } catch (error) {
      for (const line of [await player.where(), ...complaints]) context.diagnostic(line);
      throw error;
    } finally {
      await returnPage(watched, options);
    }
    assert.deepEqual(complaints, [], "the browser reports nothing");
  });
}

/**
 * A page with the callbacks for its errors and its requests.
 * @typedef {{page: import("playwright-core").Page, onError: (text: string) => void, onRequest: (url: string) => void}} WatchedPage
 */

/** Pages for reuse, by their options: making a page takes longer than most tests. @type {Map<string, WatchedPage[]>} */
const unusedPages = new Map();

const optionsKey = (
  /** @type {Options} */ { width = 1280, height = 900, touch = false, dark = false, still = false },
) => JSON.stringify({ width, height, touch, dark, still });

/** Returns whether the page can be reused. */
const isReusable = (/** @type {Options} */ { unhurried, alone, at }) => !unhurried && !alone && !at;

/** Returns a page with these options, not yet at an address: a used one, or a new one. @param {Options} options @returns {Promise<WatchedPage>} */
export async function takePage(options) {
  const { width, height, touch, dark, still } = JSON.parse(optionsKey(options));
  const unused = isReusable(options) ? unusedPages.get(optionsKey(options))?.pop() : undefined;
  if (unused) return unused;
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    isMobile: touch,
  });
  // A machine that builds other programs at the same time is slow.
  context.setDefaultTimeout(60_000);
  /** @type {WatchedPage} */ const watched = { page: await context.newPage(), onError: () => {}, onRequest: () => {} };
  await watched.page.emulateMedia({
    colorScheme: dark ? "dark" : "light",
    reducedMotion: still ? "reduce" : "no-preference",
  });
  context.on("console", (message) => {
    if (message.type() === "error") watched.onError(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => watched.onError(`uncaught: ${error.error().message}`));
  context.on("request", (request) => watched.onRequest(request.url()));
  // All pages of a browser share one clipboard, and tests run at the same time: give each page its own.
  await context.addInitScript(() => {
    if (!navigator.clipboard) return;
    let text = "";
    navigator.clipboard.writeText = async (copied) => {
      text = copied;
    };
    navigator.clipboard.readText = async () => text;
  });
  // To test changes of the page without building the server, name its folder:
  // BOUTON_PAGE=../../lookup/server/page tests/browser/run FILE.test.js. The browser then loads the source modules.
  const folder = process.env.BOUTON_PAGE;
  if (folder && !options.at) {
    await context.route(
      ({ pathname }) => pathname === "/" || pathname.startsWith("/page/"),
      async (route) => {
        const name = new URL(route.request().url()).pathname.slice(1);
        if (name) return route.fulfill({ path: join(folder, name.replace("page/", "")) });
        // Keep the server's content security policy.
        const response = await route.fetch();
        await route.fulfill({ response, body: await readFile(join(folder, "index.html")) });
      },
    );
  }
  if (!options.unhurried) {
    await context.addInitScript(() => {
      const wait = window.setTimeout;
      // @ts-ignore
      window.setTimeout = (what, ms = 0, ...rest) => wait(what, ms / 25, ...rest);
    });
  }
  return watched;
}

/** Resets a page for the next test, or closes it. @param {WatchedPage} watched @param {Options} options */
export async function returnPage(watched, options) {
  const { page } = watched;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (!isReusable(options)) {
    await page.context().unrouteAll({ behavior: "ignoreErrors" });
    return page.context().close();
  }
  const { width, height } = JSON.parse(optionsKey(options));
  for (const other of page.context().pages()) if (other !== page) await other.close();
  // Clear the storage for the next test, and keep a computer that still plays from writing to it.
  const clearStorage = () => {
    Storage.prototype.setItem = () => {};
    localStorage.clear();
  };
  await page.evaluate(clearStorage).catch(() => {});
  await page.goto("about:blank");
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: options.dark ? "dark" : "light" });
  unusedPages.set(optionsKey(options), [...(unusedPages.get(optionsKey(options)) ?? []), watched]);
}
