// The page on a phone: no element is wider than the screen, and all can be used with a finger.

import assert from "node:assert/strict";
import { isFirefox } from "./browser.js";
import { EACH } from "./games.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const PHONE = { width: 360, height: 740, touch: true };

/** Returns the widths of page and window in pixels, and the elements that reach beyond the right edge. */
const overflow = (/** @type {Player} */ player) =>
  player.page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    // A phone zooms out if something is too wide.
    window: innerWidth,
    out: [...document.querySelectorAll("body *:not(.scroller *, .unseen, pre *, option, svg *)")]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > 360.5)
      .map((element) => element.id || element.className || element.tagName),
  }));

/** Returns the elements that can be pressed, with their sizes. Sticks and squares may be too small for a finger if their board has buttons too. */
const targets = (/** @type {Player} */ player) =>
  player.page.evaluate(() =>
    [...document.querySelectorAll("button, a[href], input, select, summary, [role=button]")]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const box = (element.closest("label") ?? element).getBoundingClientRect();
        const row = element.closest(".row");
        return {
          name: element.id || element.getAttribute("aria-label") || element.textContent?.trim().slice(0, 60),
          width: box.width,
          height: box.height,
          hasButtons: Boolean(
            (element.matches(".stick") && row?.querySelector(".step")) ||
            (element.matches(".square") && document.querySelector(".step")?.checkVisibility()),
          ),
        };
      }),
  );

/** Rounds a size to a 64th of a pixel, the unit of layout. Browsers compute sizes from 32-bit coordinates, with small errors. */
const inLayoutUnits = (/** @type {number} */ size) => Math.round(size * 64) / 64;

/** In Firefox one game of each kind is enough: only the layout differs there. */
const FIT = Object.entries(EACH).filter(([table]) => !isFirefox || ["sticks", "nim", "expanding"].includes(table));

for (const [table, position] of FIT) {
  claim(`${table} from ${position} fits a phone, with panels open`, { ...PHONE }, async (player) => {
    await player.open(table, position);
    const fits = async (/** @type {string} */ when) =>
      assert.deepEqual(await overflow(player), { page: 360, window: 360, out: [] }, when);
    await fits("at first");
    for (const id of ["show", "why", "history", "map", "variants", "table"]) {
      await player.page.locator(`#${id}`).tap();
      await player.settled();
      await fits(`with ${id}`);
    }
    const { moves } = await player.state();
    const move = moves.findLast((/** @type {any} */ { move }) => move !== "pass").move;
    await player.pick(move, true);
    await player.page.locator("#take").tap();
    await player.settled();
    await fits("after a move");
    for (const { name, width, height, hasButtons } of await targets(player)) {
      const isLarge = inLayoutUnits(width) >= 24 && inLayoutUnits(height) >= 24;
      assert.ok(hasButtons || isLarge, `${name} is ${width} by ${height}`);
    }
  });
}

claim("a whole game is played with a finger, and taken back", PHONE, async (player) => {
  await player.open();
  const positions = [];
  while ((await player.turn()) === "person") {
    positions.push(await player.position());
    await player.pick((await player.state()).best, true);
    await player.page.locator("#take").tap();
    await player.settled();
  }
  assert.match(await player.status(), /The game is over\. You win\.$/);
  await player.page.locator("#undo").tap();
  await player.settled();
  assert.equal(await player.position(), positions.at(-1));
});

claim("tapping a chosen stick again chooses none", PHONE, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.pick("3:4", true);
  assert.equal(await player.text("#take"), "Take 4 from row 3");
  await player.pick("2:2", true);
  assert.equal(await player.text("#take"), "Take 2 from row 2");
  assert.equal(await player.count('[data-row="3"][aria-pressed="true"]'), 0, "a move takes from one row");
  await player.pick("2:2", true);
  assert.equal(await player.count('[aria-pressed="true"].stick'), 0);
  assert.equal(await player.page.locator("#take").isDisabled(), true);
});

claim("rows of many sticks have buttons and a field, which choose sticks too", PHONE, async (player) => {
  await player.open("subtraction", "60,60,60");
  await player.page.locator('[aria-label="One more from row 2"]').tap();
  assert.equal(await player.text("#take"), "Take 1 from row 2");
  await player.page.locator('[aria-label="One more from row 2"]').tap();
  assert.equal(await player.page.locator("#take").isDisabled(), true);
  assert.match(
    await player.text("#reason"),
    /That is not a legal move here\. A move takes 1, 3 or 4 sticks from one row\./,
  );
  const field = player.page.locator('[aria-label="How many from row 2"]');
  await field.selectText();
  await field.press("4");
  assert.equal(await player.count('[data-row="2"][aria-pressed="true"]'), 4);
  await player.page.locator("#take").tap();
  await player.settled();
  assert.match(await player.status(), /^You take 4 from row 2\./);
});

claim("the list of opponents is wide enough for each of them", PHONE, async (player) => {
  await player.open("sticks", "3,5,7");
  // A list truncates its text if it is too long, and then the opponents cannot be distinguished.
  for (const opponent of ["perfect", "medium", "easy", "friend", "nobody", "elsewhere"]) {
    await player.set("#opponent", opponent);
    await player.page.locator("#opponent").evaluate((/** @type {HTMLSelectElement} */ select) => {
      const probe = document.createElement("span");
      probe.textContent = select.selectedOptions[0].text;
      probe.style.font = getComputedStyle(select).font;
      probe.style.position = "absolute";
      document.body.append(probe);
      const style = getComputedStyle(select);
      const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      // The arrow takes some 20 pixels.
      const needed = probe.getBoundingClientRect().width + 20;
      probe.remove();
      if (needed > room) throw new Error(`${select.value} takes ${needed} of ${room}`);
    });
  }
});

claim("the page explains how to move before the first move, and not after it", PHONE, async (player) => {
  for (const [table, says] of [
    ["sticks", /Choose a stick/],
    ["moore", /other rows too/],
    ["expanding", /Choose a stone/],
  ]) {
    await player.open(String(table));
    const how = player.page.locator("#how");
    assert.match(await how.innerText(), /** @type {RegExp} */ (says));
    await player.move((await player.state()).moves[0].move);
    assert.equal(await how.isVisible(), false);
  }
});

claim("a map stays scrolled when the window gets lower", PHONE, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#map");
  const frame = player.page.locator('[aria-label="Every position"]');
  await frame.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  const at = await frame.evaluate((element) => element.scrollLeft);
  assert.ok(at > 50);
  await player.page.setViewportSize({ width: PHONE.width, height: 660 });
  await player.page.waitForTimeout(400);
  await player.settled();
  assert.equal(await frame.evaluate((element) => element.scrollLeft), at);
});
