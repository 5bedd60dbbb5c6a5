// A first visit to the page takes few requests and few bytes, and a second visit even fewer.

import assert from "node:assert/strict";
import { isFirefox } from "./browser.js";
import { claim } from "./harness.js";

/** The limits of a first visit, with room for the page to grow. */
const LIMITS = { requests: 8, bytes: 70_000 };

claim("a first visit takes few requests and bytes, and a second one fewer", { alone: true }, async (player) => {
  // Not for separate modules, which take more, and not in Firefox, which does not report sizes.
  if (process.env.BOUTON_PAGE || isFirefox) return;
  /** @type {import("playwright-core").Request[]} */ let asked = [];
  player.page.on("requestfinished", (request) => asked.push(request));
  await player.open();
  const first = await total(asked);
  console.log(`# a first visit: ${first.requests} requests, ${first.bytes} bytes`);
  assert.ok(first.requests <= LIMITS.requests && first.bytes <= LIMITS.bytes, JSON.stringify(first));
  asked = [];
  await player.page.goto("about:blank");
  await player.open();
  const second = await total(asked);
  console.log(`# a second visit: ${second.requests} requests, ${second.bytes} bytes`);
  assert.ok(second.requests < first.requests && second.bytes * 4 < first.bytes, JSON.stringify(second));
});

/** Returns the number of requests that the browser did not answer from its cache, and the sum of their bytes. @param {import("playwright-core").Request[]} asked */
async function total(asked) {
  const sizes = await Promise.all(asked.map((request) => request.sizes()));
  const sent = sizes.filter((size) => size.responseBodySize + size.responseHeadersSize > 0);
  const bytes = sent.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
  return { requests: sent.length, bytes };
}
