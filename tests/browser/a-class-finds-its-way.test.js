import assert from "node:assert/strict";
import axe from "axe-core";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

claim("a first visitor sees the games by plain names, and plays with one click", {}, async (player) => {
  await player.visit();
  const cards = await player.page.locator("#cards button").evaluateAll((all) =>
    all.map((card) => ({
      table: /** @type {HTMLElement} */ (card).dataset.game,
      name: card.querySelector("b")?.textContent ?? "",
      sentence: card.querySelector("span")?.textContent ?? "",
      picture: card.querySelector("svg")?.childElementCount ?? 0,
    })),
  );
  const tables = (await player.tables()).map((/** @type {any} */ table) => table.name);
  assert.deepEqual(cards.map(({ table }) => table).sort(), tables.sort());
  for (const { name, sentence, picture } of cards) assert.ok(name && sentence && picture > 0, name);
  assert.equal(new Set(cards.map(({ name }) => name)).size, cards.length, "no two games have one name");
  await player.click('[data-game="marienbad"]');
  assert.equal(await player.table(), "marienbad");
  assert.equal(await player.position(), "1,3,5,7");
  // Firefox's driver waits for a load that does not come.
  await player.page.evaluate(() => history.back());
  await player.page.locator("#cards").waitFor();
  await player.answered();
  assert.equal(await player.page.locator("#cards").isVisible(), true);
  await player.click("#resume");
  assert.equal(await player.position(), "1,3,5,7");
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

/** Whether elements are wholly in view. */
const inView = (/** @type {Player} */ player, /** @type {string[]} */ ...selectors) =>
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
    `on a phone the board of ${table}, status and Take are in view together`,
    { width: 390, height: 664, touch: true },
    async (player) => {
      await player.open(table, position);
      assert.deepEqual(await inView(player, "#status", "#board", "#take"), [], "at first");
      await player.pick(move, true);
      await player.page.locator("#take").tap();
      await player.settled();
      assert.deepEqual(await inView(player, "#status", "#board", "#take"), [], "after a move");
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
    assert.deepEqual(await inView(player, "#status", "#board", "#take"), []);
  });
}

claim(
  "for a projector the board fills the screen, and no text is small",
  { width: 1920, height: 1080, alone: true },
  async (player) => {
    // The screen of a test is no screen: the page fills its window.
    await player.page.addInitScript(() => {
      Element.prototype.requestFullscreen = () => Promise.reject(new TypeError("not here"));
    });
    await player.open("sticks", "3,5,7");
    const before = await player.page.locator("#board").boundingBox();
    await player.page.locator("#present").click();
    const area = async () => (await player.page.locator("#board").boundingBox()) ?? { width: 0, height: 0 };
    await player.page.waitForFunction(() => document.body.classList.contains("present"));
    const after = await area();
    assert.ok(after.height > 1.2 * (before?.height ?? 0), `${after.height}`);
    assert.ok(after.width > 0.9 * 1920 && after.height > 0.5 * 1080, `${after.width} by ${after.height}`);
    assert.deepEqual(await inView(player, "#status", "#board", "#take"), []);
    await player.click("#show");
    await player.click("#why");
    const small = await player.page.evaluate(() => {
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = new Set();
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const parent = node.parentElement;
        if (
          !node.textContent?.trim() ||
          !parent?.checkVisibility() ||
          parent.closest(".unseen, option, script, .brand")
        )
          continue;
        if (Number.parseFloat(getComputedStyle(parent).fontSize) < 28)
          found.add(`${parent.className}: ${node.textContent.trim()}`);
      }
      return [...found];
    });
    assert.deepEqual(small, []);
    await player.press("Escape");
    await player.page.waitForFunction(() => !document.body.classList.contains("present"));
  },
);

claim("what was taken stays marked until the next move", {}, async (player) => {
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

claim("while an answer is awaited the page says so, and Take is off", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  const release = await player.hold("**/state?*");
  await player.pick("1:1");
  await player.page.locator("#take").click();
  await player.page.waitForFunction(() => /Waiting/.test(document.getElementById("status")?.textContent ?? ""));
  assert.equal(await player.page.locator("#take").isDisabled(), true);
  assert.equal(await player.position(), "3,5,7");
  release();
  await player.settled();
  assert.match(await player.status(), /^You take 1 from row 1\. The table takes .* Your turn\.$/);
});

claim("a game is saved as a transcript, and opened again from its file", { alone: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  for (const move of ["1:1", "3:2", "2:5"]) await player.move(move);
  const end = await player.position();
  await player.click("#history");
  // What is saved is seen before it becomes a file: not every driver tells of downloads.
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
  assert.deepEqual(line.seconds, [0, 0], "without it the file is none for bouton-match");

  await player.choose("nim");
  const file = (/** @type {string} */ name, /** @type {string} */ content) =>
    player.page.locator("#open").setInputFiles({ name, mimeType: "application/jsonl", buffer: Buffer.from(content) });
  await file("game.jsonl", text);
  await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position === "3,5,7");
  await player.settled();
  assert.equal(await player.table(), "sticks");
  assert.equal(await player.count("[data-ply]"), 4);
  for (let n = 0; n < 3; n++) await player.click("#redo");
  assert.equal(await player.position(), end);

  await file("notes.txt", "some notes");
  await player.page.locator("#alert > *").waitFor();
  assert.match(await player.text("#alert"), /notes\.txt is not a transcript of a game/);
  assert.equal(await player.position(), end, "the game stays");
});

claim("a file is opened by dropping it on the page; of many games one is chosen", {}, async (player) => {
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
  await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position === "3,4,6/1");
  await player.settled();
  await player.page.locator("#recorded").selectOption("1");
  await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position === "1,2,3/1");
  await player.settled();
  assert.equal(await player.count("[data-ply]"), 3);
});

/** Prints, and tells what is on the paper. */
async function paper(/** @type {Player} */ player, /** @type {string} */ button) {
  await player.page.evaluate(() => {
    const page = /** @type {any} */ (window);
    delete page.printed;
    const articles = () => [...document.querySelectorAll("#sheet article")];
    page.print = () => (page.printed = articles().map((one) => /** @type {HTMLElement} */ (one).innerText));
  });
  await player.page.locator("#print").click();
  await player.page.locator(button).click();
  // @ts-ignore
  await player.page.waitForFunction(() => window.printed);
  // @ts-ignore
  const pages = /** @type {string[]} */ (await player.page.evaluate(() => window.printed));
  await player.page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await player.page.locator("#sheet").isVisible(), false);
  return pages;
}

claim("a worksheet has its tasks on one page and right solutions on another", { alone: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  const [tasks, solutions, ...more] = await paper(player, "#print-sheet");
  assert.deepEqual(more, []);
  const positions = [...tasks.matchAll(/^\d\. +(\d,\d,\d)$/gm)].map(([, position]) => position);
  assert.equal(positions.length, 4);
  assert.equal(positions[0], "3,5,7");
  assert.doesNotMatch(tasks, /take \d from row/);
  for (const position of positions) {
    const { outcome } = await player.state(position);
    const said = solutions.split("\n").find((line) => line.includes(position)) ?? "";
    assert.match(said, outcome === "win" ? /The first player wins: take/ : /The second player wins/);
  }
});

claim(
  "rows on a worksheet have the numbers that its solutions name; a pile tells its limit",
  { alone: true },
  async (player) => {
    await player.open("sticks", "0,2,1");
    const [tasks] = await paper(player, "#print-sheet");
    const drawn = tasks.split("\n").filter((line) => /^[123]$/.test(line.trim()));
    assert.deepEqual(drawn.slice(0, 2), ["2", "3"]);
    await player.open("expanding", "15/3/1/4,3/r");
    const [pile] = await paper(player, "#print-sheet");
    assert.match(pile, /stones left: 15; limit: 3; currentmax: 3; .*a reset binds this turn/);
  },
);

claim("the lost positions are printed as the table has them", { alone: true }, async (player) => {
  await player.open("sticks", "3,5,7");
  const [page] = await paper(player, "#print-lost");
  const listed = [...page.matchAll(/\d,\d,\d/g)].map(([position]) => position).slice(1);
  assert.ok(listed.length > 8);
  for (const position of listed) assert.equal((await player.state(position)).outcome, "loss", position);
});

claim("in another page's frame there is the board only, and a way to the whole page", {}, async (player) => {
  await player.page.goto(`${player.address}/?embed#table=sticks&position=2,5,7`);
  await player.settled();
  for (const id of ["games", "settings", "print"])
    assert.equal(await player.page.locator(`#${id}`).isVisible(), false, id);
  await player.move("3:1");
  assert.match(await player.status(), /^You take 1 from row 3\./);
  assert.equal(await player.page.locator("#whole a").isVisible(), true);
});

claim("words of the trade are explained where they stand", {}, async (player) => {
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
  await player.page.locator("#own summary").click();
  const field = (/** @type {string} */ label) => player.page.locator("#own-form").getByLabel(label);
  await field("Sticks in each row").fill("3 4 5");
  await field("A move takes").fill("1-2");
  await field("The last one").selectOption("misere");
  await player.page.locator("#own-form").getByRole("button", { name: "Play" }).click();
  await player.page.locator("#board [data-row]").first().waitFor();
  await player.settled();
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

claim(
  "own rules that are none are told, and what was typed can be put right",
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

claim("where the service lets other machines in, Share shows the address for them and its code", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.page.locator("#share").click();
  await player.answered();
  assert.equal(await player.page.locator("#class").isVisible(), false, "for this machine only there is none");
  const asked = [];
  await player.page.route("**/api/class?*", async (route) => {
    const hash = new URL(route.request().url()).searchParams.get("hash") ?? "";
    asked.push(hash);
    // One that listens for others says so; its code is tested with the service.
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
  assert.equal(await player.page.locator("#class").isVisible(), false, "it would be that of an earlier position");
});

claim("a move of exactly so many is not one of up to so many", {}, async (player) => {
  await player.visit();
  await player.page.locator("#own summary").click();
  await player.page.locator("#own-form").getByLabel("A move takes").fill("2");
  await player.page.locator("#own-form").getByRole("button", { name: "Play" }).click();
  await player.page.locator("#board [data-row]").first().waitFor();
  await player.settled();
  assert.match(await player.text("#rules"), /A move takes 2 sticks from one row\./);
  const { moves } = await player.of("state", "", "own:bounds=3,4,5;take=[2]");
  assert.deepEqual(moves.map((/** @type {any} */ { move }) => move).sort(), ["1:2", "2:2", "3:2"]);
});
