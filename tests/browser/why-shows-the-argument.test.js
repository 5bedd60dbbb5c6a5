// *Why* shows the argument for a verdict: words of the server, heaps as binary digits with their nim-sum, and replies.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Returns the server's words for a move. @param {any[]} moves @param {string} move */
const inWords = (moves, move) => moves.find((one) => one.move === move).words;

/** Returns the expected rows of the table: each heap, and the nim-sum of all heaps, with their binary digits. */
function expectedRows(/** @type {number[]} */ heaps, /** @type {number} */ width) {
  const row = (/** @type {number} */ n) => [String(n), ...n.toString(2).padStart(width, "0")];
  const sum = heaps.reduce((sum, heap) => {
    let digits = 0;
    // Digit by digit: the sum is odd if exactly one of both digits is 1.
    for (let place = 1; place <= 64; place *= 2)
      if (Math.floor(sum / place) % 2 !== Math.floor(heap / place) % 2) digits += place;
    return digits;
  }, 0);
  return { rows: heaps.map((heap, n) => [String(n + 1), ...row(heap)]), sum: ["nim-sum", ...row(sum)] };
}

/** Puts a move into words. */
const say = (/** @type {string} */ move) => {
  if (move === "pass") return move;
  const parts = move.replace("r", "").split("+");
  const words = parts.map((part) => part.replace(/(\d+):(\d+)/, "$2 from row $1")).join(" and ");
  return `take ${words}${move.endsWith("r") ? " and impose a reset" : ""}`;
};

/** Puts the notation in a text of the server into words, as the page does; the words for a position become "POSITION". */
const withWords = (/** @type {string} */ text, /** @type {string} */ values) =>
  text
    .replace(
      /(\S+) leads to \S+, which is/,
      (_, move) => `The best move is to ${say(move)}. The position after it (POSITION) is`,
    )
    .replace(
      /After (\S+), for example, the answer is (\S+)\./,
      (_, move, answer) => `If you ${say(move)}, for example, the answer is to ${say(answer)}.`,
    )
    .replace(/(\S+) makes (\d+ of \d+ in row \d+(?: and \d+ of \d+ in row \d+)*)/, (_, move, makes) => {
      const changes = makes
        .split(" and ")
        .map((/** @type {string} */ made) => made.replace(/(\d+) of (\d+).*/, "$2 becomes $1"));
      return `Take${say(move).slice(4)} (${changes.join(", ")})`;
    })
    .replace(
      /(\d+) xor (\d+) is (\d+), and the nim-sum becomes 0/,
      `the nim-sum of ${values && "the values "}$1 and $2 is $3, and the nim-sum of all ${values || "rows"} becomes 0`,
    );

/** Returns the two tables of the panel, with the digits marked as odd and as changed. */
const readTables = (/** @type {Player} */ player) =>
  player.page.locator("table.binary").evaluateAll((tables) =>
    tables.map((table) => {
      const cells = (/** @type {Element} */ row) => [...row.children].map((cell) => cell.firstChild?.textContent ?? "");
      const having = (/** @type {string} */ name) =>
        [...table.querySelectorAll("tfoot tr > *")].map((cell) => cell.classList.contains(name));
      return {
        caption: table.querySelector("caption")?.textContent ?? "",
        heads: [...table.querySelectorAll("thead th.digit")].map((cell) => cell.textContent),
        rows: [...table.querySelectorAll("tbody tr")].map(cells),
        sum: cells(/** @type {Element} */ (table.querySelector("tfoot tr"))),
        odd: having("odd").slice(2),
        moved: [...table.querySelectorAll("tbody tr")].map((row) => row.classList.contains("moved")),
      };
    }),
  );

/** Compares a table of the panel with the expected rows. @param {any} table @param {number[]} heaps @param {number} width in digits */
function checkTable(table, heaps, width) {
  const { rows, sum } = expectedRows(heaps, width);
  assert.deepEqual(table.rows, rows, table.caption);
  assert.deepEqual(table.sum, sum, table.caption);
  assert.deepEqual(
    table.odd,
    sum.slice(2).map((digit) => digit === "1"),
    table.caption,
  );
  assert.deepEqual(table.heads, [32, 16, 8, 4, 2, 1].slice(6 - width).map(String));
}

for (const [table, position, chosen] of [
  ["sticks", "3,5,7", "2:4"],
  ["sticks", "2,5,7", "3:7"],
  ["sticks-normal", "1,4,6", "2:1"],
  ["marienbad", "1,3,0,7", "4:3"],
  ["nim", "31,20,9,6,1", "1:16"],
  ["nim-misere", "2,1,1", "1:1"],
]) {
  claim(
    `Why shows the heaps of ${table} at ${position} as binary digits, now and after a move`,
    { still: true },
    async (player) => {
      await player.open(table, position);
      await player.click("#why");
      const { heaps, best, moves, outcome } = await player.state();
      const width = Math.max(...heaps).toString(2).length;
      const check = async (/** @type {string} */ move, /** @type {string} */ called) => {
        const [now, after, ...rest] = await readTables(player);
        const caption = `After you ${inWords(moves, move)}, ${called}`;
        assert.deepEqual([now.caption, after.caption, rest.length], ["Now", caption, 0]);
        checkTable(now, heaps, width);
        const [row, take] = move.split(":").map(Number);
        const left = heaps.map((/** @type {number} */ heap, /** @type {number} */ n) =>
          n === row - 1 ? heap - take : heap,
        );
        checkTable(after, left, width);
        assert.deepEqual(
          after.moved,
          heaps.map((/** @type {number} */ _, /** @type {number} */ n) => n === row - 1),
        );
        const sum = expectedRows(left, width).sum[1];
        const said = await player.text("#columns .aside");
        if (sum === "0") assert.match(said, /the nim-sum is 0/);
        else assert.match(said, new RegExp(`▲.* the nim-sum is ${sum}\\.$`));
      };
      await check(best, outcome === "win" ? "the best move" : "the best try");
      await player.pick(chosen);
      assert.ok(moves.some((/** @type {any} */ { move }) => move === chosen));
      await check(chosen, "the chosen move");
      await player.click("#take");
      const next = await player.state();
      const [now] = await readTables(player);
      if (!next.over) checkTable(now, next.heaps, Math.max(...next.heaps).toString(2).length);
    },
  );
}

for (const [table, position] of [
  ["sticks", "3,5,7"],
  ["sticks", "2,5,7"],
  ["sticks", "1,0,0"],
  ["nim", "31,31,31,31,31"],
  ["nim-pass", "3,4,6/1"],
  ["moore", "5,4,3,2"],
  ["wythoff", "3,5"],
  ["subtraction", "9,9,2"],
  ["subtraction", "5,4,9"],
  ["nim-misere", "5,1,1"],
  ["twenty-one", "19"],
  ["expanding", "30"],
  ["expanding-misere", "217/9/2/4,3/r"],
]) {
  claim(`Why shows the server's argument for ${table} at ${position}`, {}, async (player) => {
    await player.open(table, position);
    await player.click("#why");
    const why = await player.of("why");
    // The words omit the columns and the replies, which tables show. They say rows of sticks, as on the board, for
    // heaps of stones.
    const words = why.text
      .split("\n")
      .filter((/** @type {string} */ line) => !line.startsWith(" "))
      .map((/** @type {string} */ line) =>
        /heap/.test(line) ? line.replaceAll("heap", "row").replaceAll("stone", "stick") : line,
      )
      .map((/** @type {string} */ line) => withWords(line, table === "subtraction" ? "values" : ""));
    const argues = why.blocks.some((/** @type {any} */ { kind }) => kind === "replies");
    const plain = (/** @type {string[]} */ texts) => texts.join(" ").replaceAll(/\s+/g, " ").trim();
    const said = await player.page.locator("#why-panel .text p").allInnerTexts();
    assert.equal(
      plain(said).replace(/The position after it \(.*?\)/, "The position after it (POSITION)"),
      plain(words),
    );
    assert.doesNotMatch(said.join(), /\d[:/]\d/);
    assert.ok(words.join("").length > 20, "the argument has words");
    const details = player.page.locator("#why-panel details");
    assert.equal(await details.count(), why.replies.length > 0 ? 1 : 0);
    assert.equal(
      await details.and(player.page.locator("[open]")).count(),
      argues && why.replies.length > 0 ? 1 : 0,
      "open if the replies are the argument",
    );
    if (why.replies.length > 0) {
      await details.evaluate((element) => element.setAttribute("open", ""));
      const title = await details.locator("summary").innerText();
      const { moves } = await player.state();
      const begins =
        why.best === null
          ? "Each move from here,"
          : `After you ${inWords(moves, why.best)}: each move of the opponent,`;
      assert.ok(title.startsWith(begins), title);
      // The notation is the title of the words.
      const rows = await details
        .locator("tbody tr")
        .evaluateAll((rows) =>
          rows.map((row) =>
            [...row.children].map((cell) => cell.querySelector("[title]")?.getAttribute("title") ?? cell.textContent),
          ),
        );
      assert.deepEqual(
        rows,
        why.replies.map((/** @type {any} */ { move, to, answer, then }) =>
          answer ? [move, to, answer, then] : [move, to, "none: no move is left", ""],
        ),
      );
      const more = await player.text("#why-panel details");
      assert.equal(/and [\d,]+ more moves/.test(more), why.more > 0);
    }
    // Nim always has two tables: now, and after a move.
    const columns = why.blocks.filter((/** @type {any} */ { kind }) => kind === "columns");
    const nim = why.blocks.some((/** @type {any} */ { key }) => key === "nim" || key === "misere-nim");
    assert.equal(await player.count("table.binary"), nim ? 2 : columns.length);
    if (!nim) {
      const rows = await player.page
        .locator(".text table.binary tbody")
        .evaluateAll((bodies) =>
          bodies.map((body) =>
            [...body.children].map((row) => [...row.children].map((cell) => cell.textContent).join(" ")),
          ),
        );
      const expected = columns.map((/** @type {any} */ { rows }) => {
        const values = rows.some((/** @type {any} */ { heap, value }) => heap !== value);
        return rows.map((/** @type {any} */ { heap, value, digits }, /** @type {number} */ n) =>
          [n + 1, heap, ...(values ? [value] : []), ...digits].join(" "),
        );
      });
      assert.deepEqual(rows, expected);
    }
  });
}

claim("without reduced motion, digits that change turn over", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#why");
  await player.pick("3:2");
  // The bits in which 7 and 5 differ, and the bit of the nim-sum.
  const changed = await player.page
    .locator("table.binary")
    .nth(1)
    .locator("td.changed")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("class")));
  assert.deepEqual(
    changed.map((name) => name?.replace(/ odd$/, "")),
    ["digit changed flip", "digit changed flip"],
  );
});

claim("the replies stay open or closed as the reader left them", {}, async (player) => {
  const details = player.page.locator("#why-panel details");
  const isOpen = () => details.evaluate((element) => /** @type {HTMLDetailsElement} */ (element).open);
  await player.open("sticks", "3,5,7");
  await player.click("#why");
  assert.equal(await isOpen(), false);
  await player.click("#why-panel summary");
  await player.move("1:1");
  assert.equal(await isOpen(), true);
  await player.choose("expanding");
  assert.equal(await isOpen(), true, "open where the replies are the argument");
  await player.click("#why-panel summary");
  await player.move((await player.state()).best);
  assert.equal(await isOpen(), false);
  await player.choose("sticks");
  assert.equal(await isOpen(), true, "left open where a theorem is the argument");
});

claim("a move chosen while the argument loads is the move shown", {}, async (player) => {
  await player.open("nim", "12,10,9,4,1");
  const answer = await player.hold("**/why?**");
  await player.page.locator("#why").click();
  await player.pick("1:5");
  answer();
  await player.settled();
  assert.equal(await player.text("table.binary >> nth=1 >> caption"), "After you take 5 from row 1, the chosen move");
});

claim("the columns of a game stay until the argument of the next game has loaded", {}, async (player) => {
  await player.open("nim", "12,10,9,4,1");
  await player.click("#why");
  const before = await player.text("#columns");
  const answer = await player.hold("**/why?**");
  await player.set("#game", "wythoff");
  await player.page.waitForFunction(() => location.hash.includes("wythoff"));
  assert.equal(await player.text("#columns"), before);
  answer();
  await player.settled();
  assert.equal(await player.count("#columns"), 0);
});
