// Why, History, Variants, Hint and Show me speak words; the notation of moves and positions is at most the title of the words.

import assert from "node:assert/strict";
import { EACH } from "./games.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Moves such as 1:2, 5r and 1:2+3:1, and positions such as 3,4,6/1 and 56/3/2/4,4/-. */
const NOTATION = /\d:\d|\d\/[\d-]|\d\+\d|\dr\b|\bxor\b/;

/** Synonyms of the words that the page uses for a row and for a move. */
const SECOND_WORDS = {
  en: /\bheaps?\b|\bply\b|\bplies\b/i,
  de: /\bStapel\b/,
  fr: /\btas\b/,
  es: /\bturnos?\b|\bpilas?\b/i,
};

/** Returns the visible lines of the places that speak of moves, and their labels for screen readers. */
const saidLines = (/** @type {Player} */ player) =>
  player.page.evaluate(() => {
    const places = ["why-panel", "history-panel", "variants-panel", "hints", "status"].map(
      (id) => /** @type {HTMLElement} */ (document.getElementById(id)),
    );
    for (const details of places.flatMap((place) => [...place.querySelectorAll("details")])) details.open = true;
    const labels = places.flatMap((place) =>
      [...place.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label") ?? ""),
    );
    return [...places.flatMap((place) => place.innerText.split("\n")), ...labels];
  });

/** Returns two moves from a position: the best one, and one after it. @param {Player} player @param {string} table @param {string} position */
async function twoMoves(player, table, position) {
  const { best, moves } = await player.state(position, table);
  const after = await player.state(moves.find((/** @type {any} */ { move }) => move === best).to, table);
  return [best, after.moves[after.moves.length - 1].move];
}

/** The games in two halves, so that no test takes long. */
const GAMES = Object.entries(EACH);
const HALVES = [GAMES.slice(0, 7), GAMES.slice(7)];

/** Opens a game in a language after two moves, with its panels. @param {Player} player @param {string} language @param {string} table @param {string} start @param {string[]} moves */
async function openPanels(player, language, table, start, moves) {
  const game = `table=${table}&start=${start}&moves=${encodeURIComponent(moves.join(","))}&opponent=friend`;
  await player.page.goto("about:blank");
  await player.page.goto(`${player.address}/?lang=${language}#${game}&open=why,history,variants`);
  await player.settled();
}

for (const language of /** @type {const} */ (["en", "de", "fr", "es"])) {
  for (const [half, games] of HALVES.entries()) {
    const what = `${half === 0 ? "the first" : "the other"} games`;
    claim(`in ${language}, no panel of ${what} shows notation`, { alone: true }, async (player) => {
      for (const [table, start] of games) {
        const moves = await twoMoves(player, table, start);
        await openPanels(player, language, table, start, moves);
        const check = async (/** @type {string} */ where) => {
          const lines = await saidLines(player);
          assert.ok(lines.length > 20, `${table}, ${where}: the panels are open`);
          const shown = lines.filter((line) => NOTATION.test(line) || SECOND_WORDS[language].test(line));
          assert.deepEqual(shown, [], `${table}, ${where}`);
        };
        await player.click("#show");
        await player.click("#hint");
        await check("after two moves");
        await player.page.locator('[data-ply="0"]').dispatchEvent("click");
        await player.settled();
        assert.equal(await player.position(), (await player.state(start, table)).position);
        await check("at the start");
        const titles = await player.page
          .locator("#why-panel [title], #history-panel [title]")
          .evaluateAll((all) => all.map((one) => one.getAttribute("title")));
        assert.ok(titles.includes(moves[1]), `${table}: the notation is the title`);
      }
    });
  }

  claim(`in ${language}, the tables of the panels fit a narrow phone`, { width: 320, alone: true }, async (player) => {
    for (const [table, start] of GAMES) {
      await openPanels(player, language, table, start, await twoMoves(player, table, start));
      await saidLines(player);
      const wide = await player.page.locator("#panels table.list").evaluateAll((tables) =>
        tables.flatMap((one) => {
          const frame = /** @type {HTMLElement} */ (one.parentElement);
          const over = frame.scrollWidth - frame.clientWidth;
          return over > 0 ? [`${frame.getAttribute("aria-label")}: ${over} px too wide`] : [];
        }),
      );
      assert.deepEqual(wide, [], table);
    }
  });
}

claim("the other lines of a game are listed in words", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  await player.move("1:1");
  await player.click("#undo");
  await player.move("2:2");
  await player.click("#history");
  const line = player.page.locator(".lines button");
  assert.equal(await line.innerText(), "from move 1: 1 from row\u00a01");
  assert.equal(await line.getAttribute("title"), "1:1");
});
