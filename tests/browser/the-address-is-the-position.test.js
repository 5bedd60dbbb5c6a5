// The address of the page names the game and the position, and the whole game if it is shared.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Goes to an address, as if typed, pasted, or opened from a bookmark. */
async function visit(/** @type {Player} */ player, /** @type {string} */ hash) {
  await player.page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await player.settled();
}

async function back(/** @type {Player} */ player) {
  await player.page.goBack();
  await player.settled();
}

for (const [table, asked, position] of [
  ["sticks", "2,5,7", "2,5,7"],
  ["expanding", "217/9/1/4,3/-", "217/9/1/4,3/-"],
  ["expanding-resets-1", "30", "30/0/1/1,1/-"],
  ["nim-pass", "3,4,6/1", "3,4,6/1"],
  ["nim", "7", "7,0,0,0,0"],
  ["sticks", "2%2C5%2C7", "2,5,7"],
]) {
  claim(`the address /#table=${table}&position=${asked} begins the game there`, {}, async (player) => {
    await player.open(table, asked);
    assert.deepEqual([await player.table(), await player.position()], [table, (await player.state(position)).position]);
    assert.equal(await player.page.locator("#start").inputValue(), table === "expanding-resets-1" ? asked : position);
    assert.equal(await player.hash(), `#table=${table}&position=${await player.position()}`);
    assert.equal(await player.text("#alert"), "");
    const { title } = await player.ask(`/api/tables/${table}`);
    const name = await player.text("#name");
    assert.ok(name && name !== title, "it has a plain name");
    assert.ok((await player.page.title()).includes(name));
  });
}

claim("without a position the game begins where the table suggests", {}, async (player) => {
  for (const table of ["marienbad", "nim", "expanding"]) {
    await player.open(table);
    const start = (await player.suggested(table)).replace("/0/1/4,4/-", "");
    assert.deepEqual([await player.table(), await player.page.locator("#start").inputValue()], [table, start]);
  }
});

claim("the address follows the game, and opens the same position in another window", {}, async (player) => {
  await player.open();
  assert.equal(await player.hash(), "#table=sticks&position=3,5,7");
  await player.move("1:1");
  const position = await player.position();
  assert.equal(await player.hash(), `#table=sticks&position=${position}`);
  const other = await player.page.context().newPage();
  await other.goto(player.page.url());
  await other.waitForFunction(() => document.body.dataset.ready);
  assert.equal(await other.locator("#board").getAttribute("data-position"), position);
  await player.click("#undo");
  assert.equal(await player.hash(), "#table=sticks&position=3,5,7");
});

claim("Share copies the address", {}, async (player) => {
  await player.open("nim-pass", "3,4,6/1");
  await player.move("pass");
  await player.page.locator("#share").click();
  await player.page.waitForFunction(() => /copied/.test(document.getElementById("status")?.textContent ?? ""));
  const copied = await player.page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /#table=nim-pass&position=.*&start=3,4,6\/1&moves=pass,1:1&opponent=perfect&side=1$/);
  assert.ok(copied.startsWith(player.page.url()));
});

claim("where copying is not allowed, Share shows the address to copy", { alone: true }, async (player) => {
  await player.page.addInitScript(() => {
    // Not on about:blank, where Firefox runs this too and has no clipboard.
    if (!navigator.clipboard) return;
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("not here", "NotAllowedError"));
  });
  await player.open("sticks", "2,5,7");
  await player.page.locator("#share").click();
  const field = player.page.locator("#address");
  await field.waitFor();
  const address = `${player.page.url()}&start=2,5,7&moves=&opponent=perfect&side=1`;
  assert.equal(await field.inputValue(), address);
  assert.match(await player.status(), /Copy it from the field/);
  const selected = await field.evaluate((/** @type {HTMLInputElement} */ input) =>
    input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
  );
  assert.equal(selected, address);
  await player.move("3:1");
  assert.equal(await field.isVisible(), false, "the address of another position is not shown");
});

for (const [what, hash, says] of [
  ["a table that is not there", "#table=chess&position=3,5,7", /There is no table 'chess' here/],
  ["a position of another game", "#table=sticks&position=30", /30/],
  ["a heap too large", "#table=sticks&position=3,5,70", /70/],
  ["a text that is no position", "#table=sticks&position=abc", /abc/],
  ["a limit out of reach", "#table=expanding&position=10/900/1", /900/],
  ["markup", "#table=%3Cimg%20src=x%20onerror=alert(1)%3E", /<img src=x onerror=alert\(1\)>/],
]) {
  for (const when of ["at first", "later"]) {
    claim(
      `${what} in the address is reported ${when}, and there is a game to play`,
      { expects: [/400|404/] },
      async (player) => {
        if (when === "later") {
          await player.open("marienbad", "1,3,5,7");
          await visit(player, String(hash));
        } else {
          await player.page.goto(player.address + "/" + hash);
          await player.settled();
        }
        const alert = player.page.locator("#alert");
        assert.equal(await alert.getAttribute("role"), "alert");
        assert.equal(await alert.isVisible(), true);
        assert.match(await alert.innerText(), /** @type {RegExp} */ (says));
        assert.equal(await player.count("#alert img"), 0);
        const table = /=(expanding|sticks)/.exec(String(hash))?.[1];
        if (when === "at first" && table)
          assert.deepEqual([await player.table(), await player.position()], [table, await player.suggested(table)]);
        if (when === "at first" && !table) assert.equal(await player.page.locator("#cards").isVisible(), true);
        else assert.equal(await player.hash(), `#table=${await player.table()}&position=${await player.position()}`);
        await alert.getByRole("button", { name: "Close" }).click();
        assert.equal(await alert.isVisible(), false);
        if (when === "at first" && !table) await player.click('[data-game="sticks"]');
        const before = await player.position();
        await player.move((await player.state()).best);
        assert.notEqual(await player.position(), before);
        assert.equal(await player.hash(), `#table=${await player.table()}&position=${await player.position()}`);
      },
    );
  }
}

claim("an invalid position typed at Start is reported, and the game stays", { expects: [/400/] }, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.move("1:1");
  const before = await player.position();
  await player.begin("9,9,9");
  assert.match(await player.text("#alert"), /9/);
  assert.equal(await player.position(), before);
  assert.equal(await player.page.locator("#start").inputValue(), "9,9,9", "the typed text can be corrected");
  await player.begin("1,2,3");
  assert.equal(await player.position(), "1,2,3");
  assert.equal(await player.text("#alert"), "");
});

claim("the browser's Back leads to the previous game, and Forward to the next", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.move("1:1");
  const left = await player.position();
  await player.choose("nim-pass");
  const suggested = await player.suggested("nim-pass");
  assert.equal(await player.position(), suggested);
  await player.begin("1,2,3/1");
  await back(player);
  assert.deepEqual([await player.table(), await player.position()], ["nim-pass", suggested]);
  await back(player);
  assert.deepEqual([await player.table(), await player.position()], ["sticks", left]);
  await player.page.goForward();
  await player.settled();
  assert.deepEqual([await player.table(), await player.position()], ["nim-pass", suggested]);
});

for (const [what, hash] of [
  ["a position written shorter", "#table=expanding&position=30"],
  ["a table without a position", "#table=marienbad"],
  ["a table that is not there", "#table=chess"],
  ["an invalid position", "#table=sticks&position=9,9,9"],
]) {
  claim(`the browser's Back leads from ${what} to the previous game`, { expects: [/400/] }, async (player) => {
    await player.open("wythoff", "3,5");
    await visit(player, hash);
    await back(player);
    assert.deepEqual([await player.table(), await player.position()], ["wythoff", "3,5"]);
  });
}

for (const position of ["0,0,0", "0"]) {
  claim(`a start without sticks, ${position}, has no winner`, {}, async (player) => {
    await player.open("sticks", "3,5,7");
    await player.begin(position);
    assert.equal(await player.status(), "No move is left. There is nothing to play.");
  });
}

claim("a reload keeps the game with its moves, its players and its other lines", {}, async (player) => {
  await player.open("sticks-normal", "1,2,2");
  await player.move("2:1");
  await player.click("#undo");
  await player.set("#opponent", "friend");
  await player.move("1:1");
  await player.move("2:2");
  await player.click("#history");
  const seen = async () => [await player.status(), await player.text("#history-panel .lines")];
  const before = await seen();
  await player.move("3:2");
  await player.page.reload();
  await player.settled();
  assert.match(await player.status(), /The game is over\. The first player wins\.$/);
  await player.click("#undo");
  await player.click("#history");
  const after = await seen();
  assert.equal(after[1], before[1]);
  assert.match(after[0], /The first player's turn\.$/);
  assert.equal(await player.position(), "0,0,2");
  assert.equal(await player.page.locator("#opponent").inputValue(), "friend");
});

claim("an address with the whole game restores its moves, its players and the open panels", {}, async (player) => {
  await player.page.goto(
    `${player.address}/#table=sticks&position=2,5,6&start=3,5,7&moves=1:1,3:1,2:5&at=2&opponent=friend&side=1&open=history`,
  );
  await player.settled();
  assert.equal(await player.position(), "2,5,6");
  assert.equal(await player.page.locator("#opponent").inputValue(), "friend");
  assert.equal(await player.count("#history-panel [data-ply]"), 4);
  await player.click("#redo");
  assert.equal(await player.position(), "2,0,6");
});

claim(
  "illegal moves in an address are reported, and there is a game to play",
  { expects: [/400|422/] },
  async (player) => {
    await player.page.goto(`${player.address}/#table=sticks&position=2,5,6&start=3,5,7&moves=1:9`);
    await player.settled();
    assert.match(await player.text("#alert"), /1:9/);
    assert.equal(await player.position(), await player.suggested("sticks"));
  },
);

claim("an address without a known part is reported", {}, async (player) => {
  await player.page.goto(`${player.address}/#tabel=sticks`);
  await player.answered();
  assert.match(await player.text("#alert"), /'#tabel=sticks', which this page does not understand/);
  assert.equal(await player.page.locator("#cards").isVisible(), true);
});

for (const [written, position] of [
  ["1 2 3", "1,2,3"],
  ["1-2-3", "1,2,3"],
  ["1, 2, 3", "1,2,3"],
  [" 1;2;3 ", "1,2,3"],
]) {
  claim(`a start is read as people write it: ${written}`, {}, async (player) => {
    await player.open("sticks", "3,5,7");
    await player.begin(written);
    assert.equal(await player.position(), position);
  });
}

claim(
  "an invalid start during a watched game is reported, and the game goes on",
  { expects: [/400/] },
  async (player) => {
    await player.open("nim", "20,17,13,9,1");
    await player.set("#opponent", "nobody");
    await player.page.locator("#start").fill("abc");
    await player.page.locator("#restart").click();
    await player.page.waitForFunction(() => /abc/.test(document.getElementById("alert")?.textContent ?? ""));
    assert.equal(await player.turn(), "table", "the game is not over yet");
    await player.page.waitForFunction(() => document.body.dataset.turn === "over");
    assert.match(await player.text("#alert"), /abc/, "and the alert can still be read");
  },
);
