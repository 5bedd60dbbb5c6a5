// A first visit to the page takes few requests and few bytes, and a second visit even fewer; and nothing moves while it loads.

import assert from "node:assert/strict";
import { isFirefox } from "./browser.js";
import { claim } from "./harness.js";

/** The limits of a first visit, with room for the page to grow. */
const LIMITS = { requests: 8, bytes: 75_000 };

claim("a first visit takes few requests and bytes, and a second one fewer", { alone: true }, async (player) => {
  // Separate modules take more requests, and Firefox does not report sizes.
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

/** A slow phone: the latency in milliseconds, and the throughputs in bytes per second. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 };
/** Maximum of the layout shifts of a visit, added up; from 0.1 on they disturb people. */
const MAX_SHIFT = 0.01;

for (const address of ["/", "/?lang=de", "/#table=sticks&position=3,5,7", "/#table=expanding", "/#table=wythoff"]) {
  claim(
    `nothing moves on a phone while ${address} loads`,
    { width: 360, height: 740, touch: true, alone: true },
    async (player) => {
      if (isFirefox) return;
      const devtools = await player.page.context().newCDPSession(player.page);
      await devtools.send("Network.enable");
      await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
      await devtools.send("Network.emulateNetworkConditions", NETWORK);
      await player.page.addInitScript(() => {
        /** @type {any[]} */ const shifts = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
          type: "layout-shift",
          buffered: true,
        });
      });
      await player.page.goto(`${player.address}${address}`);
      await player.settled();
      const shift = await player.page.evaluate(async () => {
        // Two frames later, all shifts are reported.
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        // @ts-ignore
        return window.shifts.reduce((sum, { value }) => sum + value, 0);
      });
      assert.ok(shift <= MAX_SHIFT, `a shift of ${shift}`);
    },
  );
}

/** Returns the number of requests that the browser did not answer from its cache, and the sum of their bytes. @param {import("playwright-core").Request[]} asked */
async function total(asked) {
  const sizes = await Promise.all(asked.map((request) => request.sizes()));
  const sent = sizes.filter((size) => size.responseBodySize + size.responseHeadersSize > 0);
  const bytes = sent.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
  return { requests: sent.length, bytes };
}
