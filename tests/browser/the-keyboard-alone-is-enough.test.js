// The page is used with the keyboard alone, and the focus is always visible.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Presses Tab until an element has the focus. */
async function tabTo(
  /** @type {Player} */ player,
  /** @type {(focus: {name: string, inside: string}) => boolean} */ there,
  key = "Tab",
) {
  for (let n = 0; n < 60; n++) {
    const focus = await player.focus();
    if (there(focus)) return;
    await player.press(key);
  }
  assert.fail("the Tab key does not lead there");
}

/** Chooses a move of a heap game with the arrow keys, which skip empty rows. */
async function chooseByArrows(/** @type {Player} */ player, /** @type {string} */ move) {
  const { heaps } = await player.state();
  const rows = heaps.flatMap((/** @type {number} */ heap, /** @type {number} */ n) => (heap > 0 ? [n + 1] : []));
  await player.press(...rows.map(() => "ArrowUp"));
  let at = 0;
  for (const part of move.split("+")) {
    const [row, take] = part.split(":").map(Number);
    const to = rows.indexOf(row);
    await player.press(...Array(to - at).fill("ArrowDown"), "End", ...Array(take - 1).fill("ArrowLeft"));
    at = to;
  }
}

/** Checks that the focus is visible, and inside an element. */
async function checkFocus(/** @type {Player} */ player, /** @type {string} */ inside) {
  const focus = await player.focus();
  assert.deepEqual({ ...focus, name: "" }, { name: "", inside, visible: true }, `the focus is at ${focus.name}`);
}

claim("a game of 3-5-7 is chosen, played through, taken back and begun anew", {}, async (player) => {
  await player.visit();
  for (let n = 0; n < 40 && !(await player.focus()).name.startsWith("Last stick wins"); n++)
    await player.page.keyboard.press("Tab");
  await checkFocus(player, "gallery");
  await player.page.keyboard.press("Enter");
  await player.settled();
  assert.equal(await player.table(), "sticks-normal");
  assert.equal(await player.position(), "3,5,7");
  await tabTo(player, ({ inside }) => inside === "board");
  const positions = [];
  while ((await player.turn()) === "person") {
    positions.push(await player.position());
    const { best } = await player.state();
    await chooseByArrows(player, best);
    await checkFocus(player, "board");
    await player.press("Enter");
    await checkFocus(player, "board");
  }
  assert.match(await player.status(), /The game is over\. You win\.$/);
  assert.ok(positions.length > 2);
  const end = await player.position();
  for (const position of positions.toReversed()) {
    await player.press("u");
    assert.equal(await player.position(), position);
    await checkFocus(player, "board");
  }
  for (const position of [...positions.slice(1), end]) {
    await player.press("y");
    assert.equal(await player.position(), position);
    await checkFocus(player, "board");
  }
  await player.press("y");
  assert.equal(await player.position(), end, "there is nothing more to redo");
  await player.press("r");
  assert.equal(await player.position(), "3,5,7");
  await checkFocus(player, "board");
  await player.press("g");
  assert.equal(await player.page.locator("#cards").isVisible(), true);
});

claim("a move that takes from several rows is chosen and made", {}, async (player) => {
  await player.open("moore", "5,3,2,1");
  const move = "1:2+3:1";
  await chooseByArrows(player, move);
  assert.equal(await player.text("#take"), "Take 2 from row 1 and 1 from row 3");
  await player.press("Enter");
  assert.match(await player.status(), /^You take 2 from row 1 and 1 from row 3\./);
  await checkFocus(player, "board");
});

claim("Expanding Nim is played, and a reset imposed", {}, async (player) => {
  await player.open("expanding", "30");
  // With nothing in focus, up and down lead to the board.
  await player.press("ArrowDown", "ArrowLeft", "ArrowLeft");
  assert.equal(await player.text("#take"), "Take 2");
  await player.press("i");
  assert.equal(await player.text("#take"), "Take 2 and impose a reset");
  await player.press("i", "ArrowRight");
  assert.equal(await player.text("#take"), "Take 1");
  await player.press("i", "Home");
  assert.equal(await player.text("#take"), "Take 3 and impose a reset");
  await player.press("Enter");
  assert.match(await player.status(), /^You take 3 and impose a reset\./);
  await checkFocus(player, "board");
  while ((await player.turn()) === "person") {
    await player.press("End", "Enter");
    await checkFocus(player, "board");
  }
  assert.match(await player.status(), /The game is over/);
});

claim("the arrow keys walk through the game, except on the board and in text fields", {}, async (player) => {
  for (const [table, position, moves] of /** @type {[string, string, string[]][]} */ ([
    ["sticks", "3,5,7", ["1:1", "3:2"]],
    ["expanding", "30", ["1", "2"]],
    ["wythoff", "8,12", ["1:1", "2:2"]],
  ])) {
    await player.open(table, position);
    const start = await player.position();
    for (const move of moves) await player.move(move);
    const end = await player.position();
    // After a move with the mouse the arrow keys are not the board's.
    await player.page.keyboard.press("ArrowLeft");
    await player.answered();
    assert.match(await player.status(), /^At move 3 of 4\./);
    await player.press("ArrowLeft");
    assert.match(await player.status(), /^At move 2 of 4\./);
    const middle = await player.position();
    await player.press("End");
    assert.equal(await player.position(), end);
    await player.press("Home");
    assert.equal(await player.position(), start);
    await player.press("ArrowLeft");
    assert.equal(await player.position(), start, "there is nothing before the start");
    await player.press("u");
    assert.equal(await player.position(), end, "a whole walk is undone at once");
    await player.press("Home", "ArrowRight", "ArrowRight");
    assert.equal(await player.position(), middle);

    await player.press("ArrowDown", "ArrowLeft", "Home");
    await checkFocus(player, "board");
    assert.equal(await player.position(), middle);
    assert.match(await player.text("#take"), /Take \d/, "on the board the arrow keys choose sticks");
    await player.settings();
    await player.page.locator("#start").focus();
    await player.press("ArrowLeft", "Home");
    assert.equal(await player.position(), middle);
    await player.page.locator("#history").focus();
    await player.press("End", "ArrowRight");
    assert.equal(await player.position(), end);
  }
});

claim("a pass is made, and the opponent is chosen from its list", {}, async (player) => {
  await player.open("nim-pass", "3,4,6/1");
  await tabTo(player, ({ name }) => name === "pass");
  await player.press("Enter");
  assert.match(await player.status(), /^You pass\./);
  await checkFocus(player, "board");
  await tabTo(player, ({ name }) => name.startsWith("Settings"), "Shift+Tab");
  await player.press("Enter");
  await tabTo(player, ({ name }) => name === "opponent");
  await player.press("End");
  assert.equal(await player.page.locator("#opponent").inputValue(), "elsewhere");
  await player.press("Home");
  assert.equal(await player.page.locator("#opponent").inputValue(), "perfect");
});

claim("Why, History, Map and Variants have keys, and ? opens the keys", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  for (const [key, panel] of Object.entries({
    w: "#why-panel",
    h: "#history-panel",
    m: "#map-panel",
    v: "#variants-panel",
    d: "#table-panel",
  })) {
    for (const open of [true, false, true]) {
      await player.press(key);
      assert.equal(await player.page.locator(panel).isVisible(), open, panel);
      const button = player.page.locator(`[aria-controls="${panel.slice(1)}"]`);
      assert.equal(await button.getAttribute("aria-expanded"), String(open));
    }
  }
  await player.press("s");
  assert.ok((await player.count("[data-move]")) > 0);
  await player.press("S");
  assert.equal(await player.count("[data-move]"), 0);

  await player.page.locator("#undo").evaluate(() => document.getElementById("history")?.focus());
  await player.press("?");
  const help = player.page.locator("#help");
  assert.equal(await help.isVisible(), true);
  assert.equal((await player.focus()).inside, "help");
  await player.press("s", "w", "r");
  assert.equal(await player.count("[data-move]"), 0, "the dialog receives the keys");
  assert.equal(await player.page.locator("#why-panel").isVisible(), true);
  await player.press("Escape");
  assert.equal(await help.isVisible(), false);
  assert.equal((await player.focus()).name, "history", "the focus is back where it was");
});

claim("the help lists exactly the keys of the buttons and of the board", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.press("?");
  const listed = await player.page.locator("#help kbd").allInnerTexts();
  await player.press("Escape");
  const buttons = await player.page
    .locator("[aria-keyshortcuts]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-keyshortcuts")));
  for (const key of buttons) assert.ok(listed.includes(key ?? ""), `the help names ${key}`);
  for (const key of ["←", "→", "↑", "↓", "Home", "End", "0–9", "Enter"])
    assert.ok(listed.includes(key), `the help names ${key}`);
  assert.equal(listed.length, buttons.length + 8, "and no others");
});

claim("typed letters and the browser's own shortcuts do not control the game", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.move("1:1");
  const before = await player.position();
  await player.settings();
  await player.page.locator("#start").focus();
  await player.page.locator("#start").fill("");
  await player.page.keyboard.type("ruyswhmvcglfti?");
  await player.settled();
  assert.equal(await player.page.locator("#start").inputValue(), "ruyswhmvcglfti?");
  assert.equal(await player.position(), before);
  assert.equal(await player.count("#panels > :not([hidden]), dialog[open], [data-move]"), 0);
  await player.page.locator("#game").focus();
  await player.page.keyboard.type("u");
  await player.settled();
  assert.equal(await player.position(), before);
  await player.page.locator("#show").focus();
  await player.press("Control+u", "Alt+u", "Meta+u", "Control+s");
  assert.equal(await player.position(), before);
  assert.equal(await player.count("[data-move]"), 0);
});

claim("the Tab key reaches the tools, its focus is visible, and it leaves the page again", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.move("1:1");
  await player.press("s", "w", "h", "m", "v");
  await player.settings();
  await player.page.locator("#games").focus();
  const reached = ["games"];
  for (let n = 0; n < 80; n++) {
    await player.page.keyboard.press("Tab");
    let focus = await player.focus();
    if (focus.name === "body") break;
    // The page may still be scrolling to an opened panel.
    for (let wait = 0; wait < 60 && !focus.visible; wait++) {
      await player.page.waitForTimeout(50);
      focus = await player.focus();
    }
    assert.ok(focus.visible, `the focus of ${focus.name} is visible`);
    reached.push(focus.name);
  }
  for (const name of [
    "game",
    "start",
    "restart",
    "opponent",
    "side",
    "undo",
    "share",
    "show",
    "why",
    "history",
    "map",
  ]) {
    assert.ok(reached.includes(name), `${name} is among ${reached.join(", ")}`);
  }
  for (const name of ["variants", "keys", "colours", "other"]) assert.ok(reached.includes(name), name);
  assert.ok(reached.length < 80, "the Tab key leads out of the page");
});

/** Elements that a key hides or rebuilds: a name, the key that opens the panel, the element, and the key that makes it go away. */
const VANISHING = [
  ["the argument of Why", "w", '#why-panel [aria-label="The argument in words"]', "u"],
  ["the refutations of Why", "w", "#why-panel summary", "u"],
  ["a point of History", "h", '#history-panel [data-ply="0"]', "Enter"],
  ["the plane of Map", "m", '#map-panel [aria-label="The plane"]', "u"],
  ["the button of Variants", "v", "#variants-panel .body button", "Enter"],
  ["the moves of Variants", "v", "#variants-panel .scroller", "u"],
];
for (const [where, key, selector, then] of VANISHING) {
  claim(`the focus stays on the page when ${where} goes away`, {}, async (player) => {
    await player.open("sticks", "3,5,7");
    await player.move("1:2");
    // Firefox shows a focus set by a script only if the last focus was visible, as after the Tab key.
    await player.press(key, "Tab");
    await player.page.locator(selector).focus();
    await player.press(then);
    const { name, visible } = await player.focus();
    assert.notEqual(name, "body");
    assert.ok(visible, name);
  });
}

claim(
  "the focus stays on the page when Continue, Close or Pause goes away",
  { expects: [/400 \(Bad Request\)/] },
  async (player) => {
    await player.open("sticks", "3,5,7");
    await player.move("1:2");
    // Back to a turn of the computer, which is paused: Continue disappears when it is pressed.
    await player.press("h");
    await player.page.locator('[data-ply="1"]').click();
    await player.answered();
    await player.page.locator("#pause").focus();
    await player.press("Enter");
    assert.notEqual((await player.focus()).name, "body", "after Continue");

    await player.begin("3,5,70");
    await player.page.locator("#alert button").focus();
    await player.press("Enter");
    assert.equal(await player.text("#alert"), "");
    assert.notEqual((await player.focus()).name, "body", "after Close");

    await player.set("#opponent", "nobody");
    await player.page.locator("#pause").focus();
    await player.page.waitForFunction(() => document.body.dataset.turn === "over");
    // The browser removes the focus from a hidden element at the next frame.
    await player.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.notEqual((await player.focus()).name, "body", "after the end of a watched game");
  },
);

claim("a move chosen from the list is taken with Enter", {}, async (player) => {
  await player.open("moore", "3,5,7,6");
  await player.click("#show");
  const { moves } = await player.state();
  const chip = player.page.locator("#hints [data-move]").nth(100);
  const move = (await chip.getAttribute("data-move")) ?? "";
  await chip.focus();
  await player.page.keyboard.press("Enter");
  assert.equal((await player.focus()).inside, "board");
  await player.page.keyboard.press("Enter");
  await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position !== "3,5,7,6");
  await player.settled();
  const { words } = moves.find((/** @type {any} */ possible) => possible.move === move);
  assert.ok((await player.status()).startsWith(`You ${words}.`), await player.status());
});

claim("single keys can be switched off, and stay off after a reload", { alone: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.press("w");
  assert.equal(await player.page.locator("#why-panel").isVisible(), true);
  await player.press("w", "?");
  await player.page.locator("#shortcuts").uncheck();
  await player.press("Escape", "w");
  assert.equal(await player.page.locator("#why-panel").isVisible(), false);
  await player.page.reload();
  await player.settled();
  await player.press("w", "?");
  assert.equal(await player.page.locator("#why-panel").isVisible(), false);
  assert.equal(await player.page.locator("#help").isVisible(), false);
  await player.page.locator("#keys").click();
  await player.page.locator("#shortcuts").check();
  await player.press("Escape", "w");
  assert.equal(await player.page.locator("#why-panel").isVisible(), true);
});
