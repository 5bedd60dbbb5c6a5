// Simulates a class: N pages (30 by default) each open Map, Why and History, and play a game to its end. Prints for each kind of
// step the median and the longest time in milliseconds. BOUTON_SERVER names the server; with "site" the pages come from the folder
// BOUTON_SITE, without a server. If the browser runs on the same machine, it takes most of the time.
//   node class.js [N] [site]

import { isFirefox, launch } from "./browser.js";
import { numbers } from "./games.js";
import { Player } from "./player.js";
import { serve } from "./server.js";
import { host } from "./site.js";

const pupils = Number(process.argv[2] ?? 30);
const ofSite = process.argv[3] === "site";
const GAMES = [
  ["sticks", "3,5,7"],
  ["marienbad", "1,3,5,7"],
  ["nim", "3,5,7"],
  ["wythoff", "7,9"],
  ["expanding", "40"],
  ["moore", "3,5,7"],
];

const [server, browser] = [await serve(), await launch()];
const site = ofSite ? await host() : null;
/** The times of each kind of step in milliseconds. @type {Record<string, number[]>} */ const times = {};
let faults = 0;

/** Runs a step, and records its time. @param {string} name @param {() => Promise<unknown>} step */
async function timed(name, step) {
  const begun = performance.now();
  await step();
  (times[name] ??= []).push(performance.now() - begun);
}

/** Plays one page to the end of its game. */
async function pupil(/** @type {number} */ n) {
  const context = await browser.newContext({ viewport: { width: n % 2 ? 390 : 1280, height: n % 2 ? 664 : 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => {
    faults++;
    console.error(`pupil ${n}: ${error.message}`);
  });
  const player = new Player(page, site?.address ?? server.address, server.address);
  const random = numbers(n + 1);
  const [table, position] = GAMES[n % GAMES.length];
  await timed("first visit, to the gallery", () => player.visit());
  await timed("a game is on the board", () => player.open(table, position));
  for (const id of ["map", "why", "history"]) await timed(`${id} is drawn`, () => player.click(`#${id}`));
  while ((await player.turn()) === "person") {
    const { moves } = await player.state();
    await timed("a move and its answer", () => player.move(moves[random(moves.length)].move));
  }
  if ((await player.turn()) !== "over") throw new Error(`pupil ${n}: the game does not end`);
  await context.close();
}

const done = await Promise.allSettled(Array.from({ length: pupils }, (_, n) => pupil(n)));
for (const result of done) {
  if (result.status === "fulfilled") continue;
  faults++;
  console.error(String(result.reason).split("\n")[0]);
}
console.log(
  `${pupils} pages of the ${ofSite ? "site" : "service"} in ${isFirefox ? "Firefox" : "Chromium"}, ${faults} faults; ms, median and longest:`,
);
for (const [name, ofStep] of Object.entries(times)) {
  ofStep.sort((a, b) => a - b);
  console.log(`${name.padEnd(30)} ${Math.round(ofStep[ofStep.length >> 1])} ${Math.round(ofStep.at(-1) ?? 0)}`);
}
await browser.close();
await Promise.all([server.stop(), site?.stop()]);
process.exit(faults > 0 ? 1 : 0);
