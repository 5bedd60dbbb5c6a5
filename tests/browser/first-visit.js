// Measures how long a first visit takes on a slow phone: from the address to a board on which the first stick can be taken, and
// from the first move to the computer's answer. The cache is empty. Chromium slows the processor down 4 times, except
// for the worker that solves games, and the network to 1.6 Mbit/s with a latency of 150 ms.
//   tests/browser/run --first-visit

import { launch } from "./browser.js";
import { Player } from "./player.js";
import { serve } from "./server.js";
import { host, isMade } from "./site.js";

const VISITS = 5;
const START = ["sticks", "3,5,7"];
/** The network: the latency in milliseconds, and the throughputs in bytes per second. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

const browser = await launch();

/** Makes a visit, and returns its times in milliseconds, its requests and its size. @param {string} address */
async function visit(address) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  let [requests, bytes] = [0, 0];
  // data: addresses are not requests.
  devtools.on("Network.requestWillBeSent", ({ request }) => (requests += Number(request.url.startsWith("http"))));
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await devtools.send("Network.emulateNetworkConditions", NETWORK);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(() => {
    const waitForBoard = () => {
      const { ready, busy, turn } = document.body?.dataset ?? {};
      const playable = ready && !busy && turn !== "table" && document.querySelector("[data-row]");
      // The time from the start of the navigation, when the frame with the board is painted.
      if (playable) setTimeout(() => (document.body.dataset.playable = String(performance.now())));
      else requestAnimationFrame(waitForBoard);
    };
    waitForBoard();
  });
  const player = new Player(page, address);
  const [table, position] = START;
  await page.goto(`${address}/#table=${table}&position=${position}`, { waitUntil: "commit" });
  const board = await page.waitForFunction(() => document.body?.dataset.playable, undefined, { polling: 50 });
  const result = { board: Number(await board.jsonValue()), requests, kilobytes: bytes / 1000, answer: 0 };
  await player.pick("1:1");
  const begun = performance.now();
  await player.click("#take");
  result.answer = performance.now() - begun;
  await context.close();
  return result;
}

/** Prints the medians of several visits. @param {string} what @param {string} address */
async function measure(what, address) {
  const visits = [];
  for (let number = 0; number < VISITS; number++) visits.push(await visit(address));
  visits.sort((a, b) => a.board - b.board);
  const { board, requests, kilobytes } = visits[VISITS >> 1];
  const answer = visits.map((visit) => visit.answer).sort((a, b) => a - b)[VISITS >> 1];
  const range = `${(visits[0].board / 1000).toFixed(2)} to ${(visits[VISITS - 1].board / 1000).toFixed(2)} s`;
  console.log(
    `${what}: a board after ${(board / 1000).toFixed(2)} s (${range} in ${VISITS} visits), with ${requests} requests and ` +
      `${kilobytes.toFixed(0)} KB; an answer to the first move ${(answer / 1000).toFixed(2)} s after it`,
  );
}

try {
  if (process.env.BOUTON_SERVER) {
    const server = await serve();
    await measure("service", server.address);
    await server.stop();
  }
  if (isMade) {
    const site = await host();
    await measure("site", site.address);
    await site.stop();
  }
} finally {
  await browser.close();
}
