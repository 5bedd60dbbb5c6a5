// The harness of every claim, in each browser: a server for the test file, a watched page, and a player.

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
 * @property {number} [width]
 * @property {number} [height]
 * @property {boolean} [touch] a phone: a finger instead of a mouse
 * @property {boolean} [dark]
 * @property {boolean} [still] whether the reader asked for no motion
 * @property {boolean} [unhurried] whether the computer pauses before its moves as in real play; otherwise 25 times shorter
 * @property {boolean} [alone] whether the test changes the page permanently, so that no other test may reuse it
 * @property {RegExp[]} [expects] errors that the browser may report; only Chromium reports refused requests
 * @property {() => string} [at] the address of the page, if the server does not have it
 * @property {string | false} [skip] why it cannot be tested
 */

/**
 * A test with a page. It fails if the browser reports an error, or the page requests anything but the server or its own file.
 * @param {string} words
 * @param {Options} options
 * @param {(player: Player) => Promise<void>} body
 */
export function claim(words, options, body) {
  test(words, { timeout: 90_000, skip: options.skip }, async (context) => {
    const seat = await enter(options);
    await seat.page.bringToFront();
    const player = new Player(seat.page, options.at?.() ?? server.address, server.address);
    /** @type {string[]} */ const complaints = [];
    seat.complain = (text) => {
      if (!options.expects?.some((expected) => expected.test(text))) complaints.push(text);
    };
    seat.asked = (url) => {
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
      await leave(seat, options);
    }
    assert.deepEqual(complaints, [], "the browser has nothing to complain of");
  });
}

/**
 * A page, and who hears what happens on it.
 * @typedef {{page: import("playwright-core").Page, complain: (text: string) => void, asked: (url: string) => void}} Seat
 */

/** Unused pages, by their options: making a page takes longer than most tests. @type {Map<string, Seat[]>} */
const free = new Map();

const kind = (/** @type {Options} */ { width = 1280, height = 900, touch = false, dark = false, still = false }) =>
  JSON.stringify({ width, height, touch, dark, still });

/** Returns whether the page can be reused. */
const lasts = (/** @type {Options} */ { unhurried, alone, at }) => !unhurried && !alone && !at;

/** A page, not yet at an address. @param {Options} options @returns {Promise<Seat>} */
export async function enter(options) {
  const { width, height, touch, dark, still } = JSON.parse(kind(options));
  const used = lasts(options) ? free.get(kind(options))?.pop() : undefined;
  if (used) return used;
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    isMobile: touch,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(20_000);
  /** @type {Seat} */ const seat = { page: await context.newPage(), complain: () => {}, asked: () => {} };
  await seat.page.emulateMedia({
    colorScheme: dark ? "dark" : "light",
    reducedMotion: still ? "reduce" : "no-preference",
  });
  context.on("console", (message) => {
    if (message.type() === "error") seat.complain(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => seat.complain(`uncaught: ${error.error().message}`));
  context.on("request", (request) => seat.asked(request.url()));
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
  return seat;
}

/** Resets a page for the next test, or closes it. @param {Seat} seat @param {Options} options */
export async function leave(seat, options) {
  const { page } = seat;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (!lasts(options)) {
    await page.context().unrouteAll({ behavior: "ignoreErrors" });
    return page.context().close();
  }
  const { width, height } = JSON.parse(kind(options));
  for (const other of page.context().pages()) if (other !== page) await other.close();
  // Clear the storage for the next test, and keep a computer that still plays from writing to it.
  const forget = () => {
    Storage.prototype.setItem = () => {};
    localStorage.clear();
  };
  await page.evaluate(forget).catch(() => {});
  await page.goto("about:blank");
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: options.dark ? "dark" : "light" });
  free.set(kind(options), [...(free.get(kind(options)) ?? []), seat]);
}
