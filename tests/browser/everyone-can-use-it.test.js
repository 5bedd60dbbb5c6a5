// Accessibility: axe finds no violation of WCAG 2.2 AA, motion can be turned off, screen readers announce nothing but
// the status, alerts and reasons, and a pinned board fits into the window.

import assert from "node:assert/strict";
import axe from "axe-core";
import { EACH } from "./games.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** The rules of WCAG 2.2 at level AA, and axe's best practices. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Returns the violations that axe finds. Without `withMaps`, skips the maps of all positions: checking one takes
 * seconds, and all are built alike.
 */
const violations = (/** @type {Player} */ player, withMaps = false) =>
  player.page.evaluate(async ([rules, withMaps]) => {
    const options = {
      runOnly: { type: "tag", values: rules },
      rules: { "target-size": { enabled: true } },
      resultTypes: ["violations"],
    };
    // @ts-ignore
    const found = await window.axe.run({ exclude: withMaps ? [] : [".game-map"] }, options);
    return found.violations.map((/** @type {any} */ { id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.target}: ${node.any[0]?.message ?? node.html}`),
    }));
  }, /** @type {const} */ ([RULES, withMaps]));

/** The games that are checked in both colours at both widths: one of each family. The others are checked in two of the four. */
const CHECKED_FULLY = new Set(["sticks", "expanding"]);

for (const [table, position] of Object.entries(EACH)) {
  claim(`axe finds nothing in ${table}, light and dark, wide and narrow`, {}, async (player) => {
    await player.open(table, position);
    for (const id of ["show", "why", "history", "map", "variants", "table"]) await player.click(`#${id}`);
    const { moves } = await player.state();
    await player.move(moves.at(-1).move);
    await player.page.evaluate(axe.source);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      for (const width of [1280, 360]) {
        if (!CHECKED_FULLY.has(table) && (colorScheme === "dark") === (width === 360)) continue;
        await player.page.emulateMedia({ colorScheme });
        await player.page.setViewportSize({ width, height: 800 });
        await player.settled();
        assert.deepEqual(await violations(player, table === "sticks"), [], `${colorScheme}, ${width} wide`);
      }
    }
  });
}

claim("axe finds no violation in elements that are shown only at times", { expects: [/400/] }, async (player) => {
  await player.open("nim-pass", "1,0,0/1");
  await player.page.evaluate(axe.source);
  await player.press("?");
  assert.deepEqual(await violations(player), [], "the keys");
  await player.press("Escape");
  await player.press("e");
  assert.deepEqual(await violations(player), [], "the help");
  await player.press("Escape");
  await player.set("#opponent", "easy");
  await player.begin("1,2,99/1");
  await player.click('[data-row="1"]');
  await player.page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await violations(player), [], "an alert, a stick chosen, the settings");
  await player.set("#opponent", "friend");
  await player.move("1:1");
  assert.equal(await player.turn(), "over");
  for (const id of ["show", "why", "history", "map", "variants", "table"]) await player.click(`#${id}`);
  assert.deepEqual(await violations(player), [], "a finished game");
});

claim("axe finds nothing in a match elsewhere, light and dark, wide and narrow", {}, async (player) => {
  for (const [table, position] of [
    ["expanding", "217/9/1/4,3/-"],
    ["expanding-growth-2", "400/45/1/4,4/-"],
  ]) {
    await player.open(table, position);
    await player.set("#opponent", "elsewhere");
    await player.settled();
    await player.click("#settings > summary");
    await player.page.evaluate(axe.source);
    await player.press("3");
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      for (const width of [1280, 320]) {
        await player.page.emulateMedia({ colorScheme });
        await player.page.setViewportSize({ width, height: 700 });
        assert.deepEqual(await violations(player), [], `${table}, ${colorScheme}, ${width} wide`);
      }
    }
  }
});

claim("axe finds the violations that a test adds to the page", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.page.evaluate(axe.source);
  await player.page.evaluate(() => {
    document.querySelector("#language")?.removeAttribute("aria-label");
    for (const id of ["show", "why", "history"]) {
      Object.assign(document.getElementById(id)?.style ?? {}, {
        width: "12px",
        padding: 0,
        minWidth: 0,
        overflow: "hidden",
        marginLeft: "-8px",
      });
    }
    /** @type {HTMLElement} */ (document.getElementById("rules")).style.color = "#ccc";
  });
  const found = (await violations(player)).map((/** @type {any} */ { id }) => id);
  assert.deepEqual(found.sort(), ["color-contrast", "select-name", "target-size"]);
});

/**
 * Makes a move with Why open, then opens Map. Returns which of the events `animationstart` and `transitionrun` came,
 * and the states of the animations that still exist, sorted.
 */
async function animations(/** @type {Player} */ player) {
  await player.open("sticks", "3,5,7");
  await player.click("#why");
  await player.page.evaluate(() => {
    const seen = { types: new Set() };
    // @ts-ignore
    window.seen = seen;
    for (const kind of ["animationstart", "transitionrun"])
      document.addEventListener(kind, (event) => seen.types.add(event.type));
  });
  await player.pick("3:2");
  await player.click("#take");
  await player.click("#map");
  await player.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return player.page.evaluate(() => {
    // @ts-ignore
    return [...window.seen.types, ...document.getAnimations().map((one) => one.playState)].sort();
  });
}

claim("nothing moves by itself with reduced motion", { still: true }, async (player) => {
  assert.deepEqual(await animations(player), []);
});

claim("without reduced motion there are animations and transitions", {}, async (player) => {
  const kinds = await animations(player);
  assert.ok(kinds.includes("animationstart") && kinds.includes("transitionrun"), kinds.join());
});

claim(
  "only the status, alerts and the reason why a move is impossible are read aloud by themselves",
  {},
  async (player) => {
    await player.open("sticks", "3,5,7");
    for (const id of ["show", "why", "history", "map", "variants", "table"]) await player.click(`#${id}`);
    const live = await player.page
      .locator("[role=status], [role=alert], [role=log], [aria-live], output")
      .evaluateAll((all) => all.map((one) => one.id).sort());
    assert.deepEqual(live, ["alert", "reason", "status"]);
  },
);

claim("a board is pinned beside its panels only as long as it fits into the window", {}, async (player) => {
  await player.open("nim", "12,10,9,4,1");
  await player.click("#why");
  assert.equal(await player.count("#play.pinned"), 1);
  await player.page.setViewportSize({ width: 1280, height: 240 });
  await player.page.waitForFunction(() => !document.querySelector("#play.pinned"));
  await player.page.setViewportSize({ width: 1280, height: 900 });
  await player.page.waitForFunction(() => document.querySelector("#play.pinned"));
});
