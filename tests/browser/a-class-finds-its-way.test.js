// A school class uses the page: the gallery of games, phones, a projector (*Present*), transcripts, an unfinished game at the next
// visit, Help, frames in other pages, and rules of one's own.

import assert from "node:assert/strict";
import axe from "axe-core";
import { EACH } from "./games.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

const PHONE = { width: 390, height: 664, touch: true };

claim("a first visitor sees the games by plain names, and plays with one click", {}, async (player) => {
  await player.visit();
  const cards = await player.page.locator("#cards [data-game]").evaluateAll((all) =>
    all.map((card) => ({
      table: /** @type {HTMLElement} */ (card).dataset.game,
      name: card.querySelector("b")?.textContent ?? "",
      sentence: card.querySelector("span")?.textContent ?? "",
      picture: card.querySelector("svg")?.childElementCount ?? Number(card.closest(".variants") !== null),
    })),
  );
  const tables = (await player.tables()).map((/** @type {any} */ table) => table.name);
  assert.deepEqual(cards.map(({ table }) => table).sort(), tables.sort());
  for (const { name, sentence, picture } of cards) assert.ok(name && sentence && picture > 0, name);
  assert.equal(new Set(cards.map(({ name }) => name)).size, cards.length, "no two games have one name");
  await player.click('[data-game="sticks"]');
  assert.equal(await player.table(), "sticks");
  assert.equal(await player.position(), "3,5,7");
  // Firefox's driver waits for a load event that never fires.
  await player.page.evaluate(() => history.back());
  await player.page.locator("#cards").waitFor();
  await player.answered();
  assert.equal(await player.page.locator("#cards").isVisible(), true);
  await player.click("#resume");
  assert.equal(await player.position(), "3,5,7");
});

claim("axe finds nothing in the gallery, light and dark, wide and narrow", {}, async (player) => {
  await player.visit();
  await player.page.evaluate(axe.source);
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    for (const width of [1280, 390]) {
      await player.page.emulateMedia({ colorScheme });
      await player.page.setViewportSize({ width, height: 800 });
      // @ts-ignore
      const found = await player.page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
      assert.deepEqual(
        found.violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`),
        [],
      );
    }
  }
});

/** Returns the selectors of the elements that are not wholly in view. */
const outOfView = (/** @type {Player} */ player, /** @type {string[]} */ ...selectors) =>
  player.page.evaluate(
    (selectors) =>
      selectors.filter((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return !box || box.height === 0 || box.top < 0 || box.left < 0 || box.bottom > innerHeight + 0.5;
      }),
    selectors,
  );

for (const [table, position, move] of [
  ["sticks", "3,5,7", "3:7"],
  ["marienbad", "1,3,5,7", "4:3"],
  ["wythoff", "7,9", "1:2"],
  ["expanding", "59", "3"],
]) {
  claim(
    `on a phone the board of ${table}, the status and the button Take are in view together`,
    PHONE,
    async (player) => {
      await player.open(table, position);
      assert.deepEqual(await outOfView(player, "#status", "#board", "#take"), [], "at first");
      await player.pick(move, true);
      await player.page.locator("#take").tap();
      await player.settled();
      assert.deepEqual(await outOfView(player, "#status", "#board", "#take"), [], "after a move");
    },
  );
}

for (const [table, position] of [
  ["marienbad", "1,3,5,7"],
  ["nim", "31,31,31,31,31"],
  ["moore", "15,15,15,15"],
]) {
  claim(`a phone on its side shows all rows of ${table}`, { width: 844, height: 390, touch: true }, async (player) => {
    await player.open(table, position);
    assert.deepEqual(await outOfView(player, "#status", "#board", "#take"), []);
  });
}

/** Makes *Present* fill the window instead of the screen, which tests do not have. */
const withoutScreen = (/** @type {Player} */ player) =>
  player.page.evaluate(() => {
    Element.prototype.requestFullscreen = () => Promise.reject(new TypeError("not here"));
  });

/** Begins *Present*. */
async function present(/** @type {Player} */ player) {
  await withoutScreen(player);
  await player.page.locator("#present").click();
  await player.page.waitForFunction(() => document.body.classList.contains("present"));
  await player.answered();
}

/** Returns the texts whose visible letters are smaller than 28 px. */
const smallTexts = (/** @type {Player} */ player) =>
  player.page.evaluate(() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const parent = node.parentElement;
      if (!node.textContent?.trim() || !parent?.checkVisibility()) continue;
      if (parent.closest(".unseen, option, script, title, .brand")) continue;
      const scale = parent instanceof SVGGraphicsElement ? (parent.getScreenCTM()?.d ?? 1) : 1;
      // A text along the vertical axis is rotated: width and height are exchanged.
      const turned = parent instanceof SVGGraphicsElement ? Math.abs(parent.getScreenCTM()?.b ?? 0) : 0;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize) * Math.max(scale, turned);
      if (size < 27.9) found.add(`${parent.getAttribute("class")}: ${node.textContent.trim()} (${size})`);
    }
    return [...found];
  });

for (const [table, position] of Object.entries(EACH)) {
  claim(
    `in Present ${table} at ${position} can be read from afar: all letters are large, and fit into their buttons`,
    { width: 1920, height: 1080 },
    async (player) => {
      await player.open(table, position);
      await present(player);
      await player.page.locator("#show").click();
      assert.deepEqual(await smallTexts(player), [], "the board");
      const overflowing = await player.page.evaluate(() =>
        [...document.querySelectorAll("button:not(.stick)")]
          .filter((button) => button.checkVisibility() && button.scrollWidth > button.clientWidth + 1)
          .map((button) => button.id || button.textContent),
      );
      assert.deepEqual(overflowing, []);
      for (const id of ["history", "map"]) {
        await player.page.locator(`#${id}`).click();
        await player.answered();
        assert.deepEqual(await smallTexts(player), [], id);
        await player.page.locator(`#${id}`).click();
      }
      if (table !== "twenty-one") return;
      const sticks = await player.page.locator(".sticks").first().boundingBox();
      const last = await player.page.locator(".stick").last().boundingBox();
      assert.ok((last?.x ?? 0) + (last?.width ?? 0) - (sticks?.x ?? 0) > 0.7 * 1920, "the sticks fill the screen");
      assert.deepEqual(await outOfView(player, "#status", "#board", "#take"), []);
    },
  );
}

claim(
  "in Present the board fills the screen, and the tools and the way back stay",
  { width: 1920, height: 1080, alone: true },
  async (player) => {
    await player.open("sticks", "3,5,7");
    const before = await player.page.locator("#board").boundingBox();
    await present(player);
    const after = (await player.page.locator("#board").boundingBox()) ?? { width: 0, height: 0 };
    assert.ok(after.width > (before?.width ?? Infinity), `${after.width}`);
    assert.ok(after.width > 0.9 * 1920 && after.height > 0.65 * 1080, `${after.width} by ${after.height}`);
    assert.deepEqual(await outOfView(player, "#status", "#board", "#take"), []);
    await player.click("#show");
    await player.click("#why");
    assert.deepEqual(await smallTexts(player), []);
    assert.equal(await player.text("#present"), "End presentation");
    for (const id of ["games", "settings", "share"])
      assert.equal(await player.page.locator(`#${id}`).isVisible(), true, id);
    await player.press("Escape");
    await player.page.waitForFunction(() => !document.body.classList.contains("present"));
  },
);

for (const [table, position] of [...Object.entries(EACH), ["expanding", "1000"]]) {
  claim(
    `in Present ${table} at ${position} needs no scrolling, and panels leave the board as large as it was`,
    { width: 1280, height: 800 },
    async (player) => {
      await player.open(table, position);
      await present(player);
      const outside = await outOfView(player, "#present", "#about", "#status", "#board", "#take", "#tools");
      assert.deepEqual(outside, []);
      const size = () =>
        player.page.locator("#board").evaluate((board) =>
          [board, ...board.querySelectorAll(".rows, .chessboard, .stick, .square")]
            .slice(0, 20)
            .map((part) => part.getBoundingClientRect())
            .map(({ width, height }) => `${Math.round(width)} by ${Math.round(height)}`),
        );
      const before = await size();
      for (const id of ["why", "history", "map"]) {
        await player.click(`#${id}`);
        assert.deepEqual(await size(), before, id);
      }
    },
  );
}

claim("the stones taken stay marked until the next move", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  const marked = () =>
    player.page.locator(".row").evaluateAll((rows) => rows.map((row) => row.querySelectorAll(".trace.last").length));
  assert.deepEqual(await marked(), [0, 0, 0]);
  await player.move("3:4");
  assert.deepEqual(await marked(), [0, 0, 4]);
  await player.move("1:2");
  assert.deepEqual(await marked(), [2, 0, 0]);
  await player.set("#opponent", "perfect");
  await player.open("expanding", "30");
  await player.move("2");
  assert.equal(await player.count(".pile .last"), 1);
  assert.match((await player.page.locator(".pile .last").getAttribute("d")) ?? "", /^M/);
});

claim(
  "a pile shows each stone once: as a button if it can be taken, and otherwise behind the buttons",
  {},
  async (player) => {
    const drawn = async (/** @type {string} */ kind) =>
      ((await player.page.locator(`.pile ${kind}`).getAttribute("d")) ?? "").split("M").length - 1;
    await player.open("expanding", "59");
    for (const _ of [1, 2, 3]) {
      const { pile, moves } = await player.state();
      const buttons = await player.count("#board .stick");
      assert.equal(buttons, Math.min(pile.limit, pile.stones));
      assert.equal(buttons + (await drawn(".there")), pile.stones);
      assert.equal((await drawn(".gone.last")) + (await drawn(".gone:not(.last)")), 59 - pile.stones);
      await player.move(moves[0].move);
    }
  },
);

claim("while the page waits for an answer it says so, and Take is disabled", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  const release = await player.hold("**/state?*");
  await player.pick("1:1");
  await player.page.locator("#take").click();
  await player.page.waitForFunction(() => /Waiting/.test(document.getElementById("status")?.textContent ?? ""));
  assert.equal(await player.page.locator("#take").isDisabled(), true);
  assert.equal(await player.position(), "3,5,7");
  release();
  await player.settled();
  assert.match(await player.status(), /^You take 1 from row 1\. The computer takes .* Your turn\.$/);
});

claim("a game is saved as a transcript, and opened again from its file", { alone: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  for (const move of ["1:1", "3:2", "2:5"]) await player.move(move);
  const end = await player.position();
  await player.click("#history");
  // Look at the text before it becomes a file: not every driver reports downloads.
  await player.page.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      if (blob instanceof Blob) blob.text().then((text) => (document.body.dataset.saved = text));
      return make(blob);
    };
  });
  await player.page.locator("#save").click();
  const saved = await player.page.waitForFunction(() => document.body.dataset.saved);
  const text = String(await saved.jsonValue());
  const line = JSON.parse(text);
  const { rules } = await player.ask("/api/tables/sticks");
  assert.deepEqual(line.rules, rules);
  assert.deepEqual([line.game, line.start, line.moves], ["heaps", "3,5,7", ["1:1", "3:2", "2:5"]]);
  assert.match(line["broken-off"], /before its end/);
  assert.deepEqual(line.seconds, [0, 0], "bouton-match requires this field");

  await player.choose("nim");
  const openFile = (/** @type {string} */ place, /** @type {string} */ name, /** @type {string} */ content) =>
    player.page
      .locator(`${place} input.open`)
      .setInputFiles({ name, mimeType: "application/jsonl", buffer: Buffer.from(content) });
  await openFile("#history-panel", "game.jsonl", text);
  await player.page.waitForFunction((end) => document.getElementById("board")?.dataset.position === end, end);
  await player.settled();
  assert.equal(await player.table(), "sticks");
  assert.equal(await player.count("[data-ply]"), 4);
  await player.click('[data-ply="0"]');
  assert.equal(await player.position(), "3,5,7");

  await player.visit();
  await openFile("#gallery", "game.jsonl", text.replace('"you"', '"Ada"'));
  await player.page.waitForFunction((end) => document.getElementById("board")?.dataset.position === end, end);
  await player.settled();

  await openFile("#history-panel", "notes.txt", "some notes");
  await player.page.locator("#alert > *").waitFor();
  assert.match(await player.text("#alert"), /notes\.txt is not a transcript of a game/);
  assert.equal(await player.position(), end, "the game stays");
});

claim("a file dropped on the page is opened, and one of its games can be chosen", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  const { rules } = await player.ask("/api/tables/nim-pass");
  const line = (/** @type {string} */ start, /** @type {string[]} */ moves) =>
    JSON.stringify({ game: "heaps", rules, players: ["a", "b"], start, moves, winner: "first", reason: "played" });
  const text = `${line("3,4,6/1", ["pass"])}\n${line("1,2,3/1", ["1:1", "3:3"])}\n`;
  await player.page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "games.jsonl"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, text);
  await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position === "3,4,6/0");
  await player.settled();
  assert.equal(await player.text("#recorded option:checked"), "Game 1: a – b");
  await player.page.locator("#recorded").selectOption("1");
  await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position === "0,2,0/1");
  await player.settled();
  assert.equal(await player.count("[data-ply]"), 3);
});

claim("an unfinished game can be resumed at the next visit", {}, async (player) => {
  const visit = async () => {
    await player.page.goto("about:blank");
    await player.visit();
    return (await player.page.locator("#resume").isVisible()) && (await player.text("#resume"));
  };
  await player.open("sticks", "3,5,7");
  assert.equal(await visit(), false, "nothing was done in it");
  await player.open("sticks", "3,5,7");
  await player.move("3:1");
  const left = await player.position();
  assert.equal(await visit(), "Continue Last stick loses");
  await player.click('[data-game="twenty-one"]');
  assert.match(await player.status(), /^The computer takes/);
  assert.equal(await visit(), "Continue Last stick loses", "in the other game only the computer has moved");
  await player.open("nim", "0,0,0,0,1");
  await player.move("5:1");
  assert.equal(await visit(), "Continue Last stick loses", "another game is over");
  await player.click("#resume");
  assert.equal(await player.position(), left);
  await player.click("#undo");
  assert.equal(await player.position(), "3,5,7");
  await player.click("#redo");
  while ((await player.turn()) === "person") await player.move((await player.state()).best);
  await player.click("#undo");
  await player.click("#redo");
  await player.page.locator("#history").click();
  await player.click('[data-ply="2"]');
  assert.equal(await visit(), false, "the game is over, whichever ply is shown");
});

claim(
  "the game of an earlier visit can be resumed although its first request failed",
  { expects: [/./] },
  async (player) => {
    await player.open("sticks", "3,5,7");
    await player.move("3:1");
    const left = await player.position();
    await player.page.goto("about:blank");
    await player.visit();
    await player.page.route("**/api/tables/sticks/**", (route) => route.abort());
    await player.page.locator("#resume").click();
    await player.page.locator("#alert > *").waitFor();
    await player.answered();
    await player.page.unrouteAll();
    await player.page.locator("#alert").getByRole("button", { name: "Close" }).click();
    await player.page.locator("#games").click();
    await player.page.locator("#resume").click();
    await player.page.waitForFunction((left) => document.getElementById("board")?.dataset.position === left, left);
  },
);

claim("in a game that the second player wins, the reader is second until they choose", {}, async (player) => {
  await player.visit();
  await player.page.locator('[data-game="marienbad"]').click();
  await player.settled();
  assert.equal((await player.state("1,3,5,7")).outcome, "loss");
  assert.equal(await player.page.locator("#side").inputValue(), "2");
  assert.match(await player.status(), /^The computer takes .* Your turn\.$/);
  assert.match(await player.text("#how"), /^Choose a stick/, "it says how, whoever began");
  await player.restart();
  assert.equal(await player.page.locator("#side").inputValue(), "2", "the same game once more has the same players");
  assert.match(await player.status(), /^The computer takes .* Your turn\.$/);
  await player.set("#side", "1");
  await player.settled();
  await player.choose("twenty-one");
  assert.equal(await player.page.locator("#side").inputValue(), "1", "the chosen side stays");
  assert.equal(await player.position(), "21");
});

claim("the side that the page chooses applies to that game only", {}, async (player) => {
  await player.visit();
  await player.click('[data-game="marienbad"]');
  await player.begin("1,3,5,6");
  assert.equal(await player.page.locator("#side").inputValue(), "1");
  assert.equal(await player.turn(), "person");
});

claim("Help explains the rules, the moves and the buttons", {}, async (player) => {
  await player.visit();
  await player.page.locator("#guide").click();
  assert.match(await player.text("#guide-dialog"), /Choose a game/);
  await player.page.keyboard.press("Escape");
  await player.open("sticks", "3,5,7");
  await player.page.keyboard.press("e");
  const said = await player.text("#guide-dialog");
  assert.match(said, /^Last stick loses\s+The player who takes the last stick loses\. A move takes any number/);
  assert.match(said, /Choose a stick: you take it and all to its right\./);
  const buttons = await player.page.locator("#guide-buttons dt").allInnerTexts();
  assert.ok(buttons.includes("Show me") && buttons.includes("Print"), `${buttons}`);
  assert.equal(await player.page.locator("#guide-spare > *").count(), 0);
  await player.page.locator("#guide-dialog").getByRole("button", { name: "Close" }).click();
  assert.equal(await player.page.locator("nav #language").isVisible(), true);
});

claim("on a phone Help has the rules and the controls that do not fit into the header", PHONE, async (player) => {
  await player.open("expanding", "59");
  await player.page.locator("#more-rules").tap();
  assert.match(await player.text("#rules"), /The player who takes the last stone wins\. .* at most 3\.$/);
  assert.equal(await player.page.locator("#language").isVisible(), false);
  await player.page.locator("#guide").tap();
  assert.match(await player.text("#guide-rules"), /A move takes stones up to a limit/);
  await player.page.locator("#language").selectOption("de");
  await player.page.waitForFunction(() => document.documentElement.lang === "de");
  await player.page.waitForFunction(() => /Grenze/.test(document.getElementById("guide-rules")?.textContent ?? ""));
  const wide = await player.page
    .locator("#guide-dialog")
    .evaluate((dialog) => [dialog.scrollWidth, dialog.clientWidth]);
  assert.ok(wide[0] <= wide[1], `${wide}`);
  await player.page.locator("#guide-dialog").getByRole("button", { name: "Schließen" }).scrollIntoViewIfNeeded();
  await player.page.keyboard.press("Escape");
  await player.page.locator("#guide").tap();
  await withoutScreen(player);
  await player.page.locator("#present").tap();
  assert.equal(await player.text("#present"), "Vollbild beenden");
  // Wait for the events at the end of the dialog.
  await player.page.waitForTimeout(200);
  assert.equal(await player.page.evaluate(() => document.activeElement?.id), "present");
  assert.equal(await player.page.locator("#guide-dialog").isVisible(), false);
  await player.page.locator("#present").tap();
  assert.equal(await player.page.evaluate(() => document.body.classList.contains("present")), false);
  await player.page.locator("#games").tap();
  assert.equal(
    await player.page.locator("nav #language").inputValue(),
    "de",
    "in the gallery the list of languages is in the header again",
  );
  assert.equal(await player.page.locator("nav #language").isVisible(), true);
});

claim("in a frame of another page there are the board and a link to the whole page", {}, async (player) => {
  await player.page.goto(`${player.address}/?embed#table=sticks&position=2,5,7`);
  await player.settled();
  for (const id of ["games", "settings", "print"])
    assert.equal(await player.page.locator(`#${id}`).isVisible(), false, id);
  await player.move("3:1");
  assert.match(await player.status(), /^You take 1 from row 3\./);
  assert.equal(await player.page.locator("#whole a").isVisible(), true);
});

claim("technical terms are explained where they stand", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#why");
  const term = player.page.locator("#why-panel .term").first();
  await term.click();
  const meaning = player.page.locator("#why-panel .meaning:popover-open");
  assert.match(await meaning.innerText(), /\./);
  await player.page.keyboard.press("Escape");
  assert.equal(await meaning.count(), 0);
});

claim("rules of one's own are solved on the spot, and are in the address", {}, async (player) => {
  await player.visit();
  await player.makeOwn({ "Sticks in each row": "3 4 5", "A move takes": "1-2", "The last one": "misere" });
  assert.equal(await player.position(), "3,4,5");
  assert.match(await player.hash(), /^#table=own:bounds%3D3,4,5;take%3D2;play%3Dmisere&position=3,4,5$/);
  assert.match(await player.text("#rules"), /The player who takes the last stick loses\. A move takes 1 to 2 sticks/);
  const end = async () => {
    while ((await player.turn()) === "person") {
      const { moves } = await player.of("state", "", "own:bounds=3,4,5;take=2;play=misere");
      await player.move(moves[0].move);
    }
  };
  await end();
  assert.match(await player.status(), /The game is over/);
  const address = player.page.url();
  await player.page.goto("about:blank");
  await player.page.goto(address.replace(/&position=.*/, "&position=1,2,3"));
  await player.settled();
  assert.equal(await player.position(), "1,2,3");
  await player.click("#why");
  assert.ok((await player.text("#why-panel .text")).length > 20);
});

claim("own rules are understood as people write them", {}, async (player) => {
  for (const [heaps, take, name] of [
    ["3-4-5", "1 to 4", "bounds=3,4,5;take=4"],
    ["3, 4 and 5", "1, 2 or 3", "bounds=3,4,5;take=3"],
    ["3 4 5", "1 bis 2", "bounds=3,4,5;take=2"],
    ["7", "from 2 to 4", "bounds=7;take=2,3,4"],
    ["3,4", "1, 3, or 4", "bounds=3,4;take=1,3,4"],
    ["3x4", "2…3", "bounds=3,4;take=2,3"],
    ["3,4.", "up to 3", "bounds=3,4;take=3"],
    ["3; 4", "del 1 al 2", "bounds=3,4;take=2"],
    ["3,4", "jusqu’à 2,", "bounds=3,4;take=2"],
  ]) {
    await player.page.goto("about:blank");
    await player.visit();
    await player.makeOwn({ "Sticks in each row": heaps, "A move takes": take });
    const shown = decodeURIComponent(await player.hash());
    assert.ok(shown.startsWith(`#table=own:${name}&`), shown);
  }
});

claim(
  "invalid own rules are reported, and the typed text stays for correction",
  { expects: [/400|422/] },
  async (player) => {
    await player.visit();
    await player.page.locator("#own summary").click();
    const heaps = player.page.locator("#own-form").getByLabel("Sticks in each row");
    const play = player.page.locator("#own-form").getByRole("button", { name: "Play" });
    for (const [typed, says] of [
      ["three", /^Sticks in each row: 'three' is not possible; give up to 16 whole numbers/],
      ["99,99,99,99,99,99", /^That is too much to work out here\./],
    ]) {
      await heaps.fill(String(typed));
      await play.click();
      await player.page.locator("#alert > *").waitFor();
      await player.answered();
      assert.match(await player.text("#alert"), /** @type {RegExp} */ (says));
      assert.equal(await heaps.inputValue(), typed);
      await player.page.locator("#alert").getByRole("button", { name: "Close" }).click();
    }
  },
);

claim("if the service is open to other machines, Share shows its address and a QR code", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.page.locator("#share").click();
  await player.answered();
  assert.equal(await player.page.locator("#class").isVisible(), false, "a server for this machine only shows none");
  const asked = [];
  await player.page.route("**/api/class?*", async (route) => {
    const hash = new URL(route.request().url()).searchParams.get("hash") ?? "";
    asked.push(hash);
    // A server that other machines can reach shows its address; the service's tests check the code.
    const body = { address: `http://192.168.1.20:8080/${hash}`, size: 21, modules: "M0 0h7v1h-7z" };
    await route.fulfill({ contentType: "application/json", body: JSON.stringify(body) });
  });
  await player.page.locator("#share").click();
  const link = player.page.locator("#class a");
  await link.waitFor();
  assert.match(await link.innerText(), /^http:\/\/192\.168\.1\.20:8080\/#table=sticks&position=3,5,7&start=3,5,7/);
  assert.equal(asked.length, 1);
  assert.match((await player.page.locator("#class svg").getAttribute("aria-label")) ?? "", /QR code of http:/);
  assert.equal(await player.page.locator("#class svg").getAttribute("viewBox"), "-4 -4 29 29");
  await player.move("1:1");
  assert.equal(
    await player.page.locator("#class").isVisible(),
    false,
    "the address would be that of an earlier position",
  );
});

claim("taking exactly 2 is not taking up to 2", {}, async (player) => {
  await player.visit();
  await player.makeOwn({ "A move takes": "2" });
  assert.match(await player.text("#rules"), /A move takes 2 sticks from one row\./);
  const { moves } = await player.of("state", "", "own:bounds=3,4,5;take=[2]");
  assert.deepEqual(moves.map((/** @type {any} */ { move }) => move).sort(), ["1:2", "2:2", "3:2"]);
});
