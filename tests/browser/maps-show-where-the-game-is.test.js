// *Map* draws the positions around the current one in a plane, with the outcomes that the server knows, and a small game as a
// graph of all positions. The colours are read from the canvas.

import assert from "node:assert/strict";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** Reads the plane: the coordinates of the ring around the current position, and for each row of cells, from the lowest up, a text
 * with W (won), L (lost), . (no position) or ~ (a shade by depth) for each cell. @param {Player} player @param {any} map */
async function readPlane(player, map) {
  const [across, up] = [map.x, map.y ?? { from: 0, to: 0 }].map((axis) => axis.to - axis.from + 1);
  return player.page.evaluate(
    ([columns, most]) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector(".plane canvas"));
      const ring = /** @type {Element} */ (document.querySelector(".plane [data-at]"));
      const [frame, box] = [canvas.getBoundingClientRect(), ring.getBoundingClientRect()];
      const cell = frame.width / columns;
      const rows = Math.min(most, Math.round(frame.height / cell));
      const paint = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const scale = canvas.width / frame.width;
      const style = getComputedStyle(document.documentElement);
      const painted = (/** @type {string} */ name) => {
        const probe = document.createElement("canvas").getContext("2d");
        if (!probe) return "";
        probe.fillStyle = style.getPropertyValue(name).trim();
        probe.fillRect(0, 0, 1, 1);
        return String(probe.getImageData(0, 0, 1, 1).data.slice(0, 3));
      };
      const colors = new Map([
        [painted("--map-win"), "W"],
        [painted("--map-loss"), "L"],
      ]);
      // Look near a corner of the cell: lost cells have a dot in the middle.
      const outcomes = Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_, column) => {
          const [x, y] = [(column + 0.2) * cell, frame.height - (row + 1 - 0.2) * cell];
          const [r, g, b, a] = paint.getImageData(Math.floor(x * scale), Math.floor(y * scale), 1, 1).data;
          return a === 0 ? "." : a === 255 ? (colors.get(`${r},${g},${b}`) ?? "?") : "~";
        }).join(""),
      );
      return {
        at: ring.getAttribute("data-at"),
        column: (box.left + box.width / 2 - frame.left) / cell - 0.5,
        row: (frame.bottom - box.top - box.height / 2) / cell - 0.5,
        outcomes,
      };
    },
    [across, up],
  );
}

/** Returns the part of the server's map that is drawn: the columns for which there is room. @param {Player} player @param {any} map */
async function drawnPart(player, map) {
  const label = (await player.page.locator(".axes").getAttribute("aria-label")) ?? "";
  const [from, to] = (/ from (\d+) to (\d+)/.exec(label) ?? []).slice(1).map(Number);
  assert.ok(map.x.from <= from && from <= map.x.at && map.x.at <= to && to <= map.x.to, label);
  const cut = (/** @type {any} */ row) => row.slice(from - map.x.from, to - map.x.from + 1);
  return { ...map, x: { ...map.x, from, to }, outcomes: map.outcomes.map(cut), depths: map.depths?.map(cut) };
}

/** Returns the sizes of the two largest heaps (of equal heaps, the upper ones): first that of the row on the x axis. @param {number[]} heaps @param {number} row */
function largestTwo(heaps, row) {
  const order = heaps.map((heap, n) => ({ heap, row: n + 1 })).sort((a, b) => b.heap - a.heap || a.row - b.row);
  const two = order.slice(0, 2);
  assert.ok(
    two.some((one) => one.row === row),
    `row ${row} is one of the two largest`,
  );
  return two.sort((one) => (one.row === row ? -1 : 1)).map(({ heap }) => heap);
}

const PLANES = [
  ["sticks", "3,5,7"],
  ["sticks", "2,4,4"],
  ["nim", "31,20,9,6,1"],
  ["nim-pass", "3,4,6/1"],
  ["subtraction", "60,1,7"],
  ["wythoff", "8,13"],
  ["moore", "3,15,2,1"],
  ["expanding", "30/4/1/4,3/-"],
  ["expanding-misere", "217/9/2/4,3/r"],
];

for (const [table, position] of PLANES) {
  claim(`the map of ${table} around ${position} shows the outcomes of the table`, {}, async (player) => {
    await player.open(table, position);
    await player.click("#map");
    for (const turn of ["first", "second"]) {
      const [map, state] = [await drawnPart(player, await player.of("map")), await player.state()];
      const drawn = await readPlane(player, map);
      // The expected coordinates: stones and currentmax, or the two largest heaps; of equal heaps the upper ones.
      const at = state.pile ? [state.pile.stones, state.pile.currentmax] : largestTwo(state.heaps, map.x.row);
      assert.equal(drawn.at, at.join(), `${turn}: the ring`);
      assert.ok(Math.abs(drawn.column - (at[0] - map.x.from)) < 0.05, `${turn}: ${drawn.column}`);
      assert.ok(Math.abs(drawn.row - (at[1] - map.y.from)) < 0.05, `${turn}: ${drawn.row}`);
      const outcomes = map.outcomes.slice(0, drawn.outcomes.length);
      assert.deepEqual(drawn.outcomes, outcomes, `${turn}: the cells`);
      assert.ok(map.outcomes.slice(drawn.outcomes.length).every((/** @type {string} */ row) => /^\.*$/.test(row)));
      const words = await player.text(".readout");
      const lost = state.outcome === "loss" ? "lost" : "won";
      const plies = `${state.depth} ${state.depth === 1 ? "move" : "moves"}`;
      assert.ok(words.endsWith(`: ${lost} for the player to move, ${plies}.`), words);
      if (turn === "first") await player.move(state.moves.find((/** @type {any} */ { move }) => move !== "pass").move);
    }
  });
}

claim("a cell under the pointer is described in words", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#map");
  const map = await player.of("map");
  const canvas = player.page.locator(".plane canvas");
  const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
  const [columns, rows] = [map.x.to - map.x.from + 1, map.y.to - map.y.from + 1];
  const { x, y } = (await canvas.boundingBox()) ?? { x: 0, y: 0 };
  for (const [column, row] of [
    [0, 0],
    [2, 4],
    [4, 2],
    [columns - 1, rows - 1],
  ]) {
    await player.page.mouse.move(x + ((column + 0.5) / columns) * width, y + height - ((row + 0.5) / rows) * height);
    const words = await player.text(".readout");
    assert.match(words, new RegExp(` = ${map.x.from + column}, .* = ${map.y.from + row}: `));
    const outcome = map.outcomes[row][column];
    const depth = map.depths[row][column];
    if (outcome === ".") assert.match(words, /: no position$/);
    else
      assert.match(words, new RegExp(`: ${outcome === "W" ? "won" : "lost"} for the player to move, ${depth} moves?$`));
  }
  await player.page.mouse.move(1, 1);
  assert.match(await player.text(".readout"), /^Here: /);
});

claim("by depth the cells have shades, which the legend explains", {}, async (player) => {
  await player.open("nim", "20,17,3,0,0");
  await player.click("#map");
  const map = await player.of("map");
  assert.ok(!(await readPlane(player, map)).outcomes.join("").includes("~"));
  await player.click("#by-depth");
  assert.equal(await player.page.locator("#by-depth").getAttribute("aria-pressed"), "true");
  assert.ok((await readPlane(player, map)).outcomes.join("").includes("~"));
  assert.match(await player.text("#map-panel .legend >> nth=0"), /stronger colour: further from the end/);
});

for (const dark of [false, true]) {
  claim(`by depth won and lost differ in lightness, ${dark ? "dark" : "light"}`, { dark }, async (player) => {
    await player.open("expanding", "100/9/1/0,0/-");
    await player.click("#map");
    await player.click("#by-depth");
    const map = await drawnPart(player, await player.of("map"));
    const lightness = await player.page.evaluate(
      ([columns, outcomes]) => {
        const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector(".plane canvas"));
        const paint = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        const [cell, all] = [canvas.width / columns.length, { W: [NaN], L: [NaN], ".": [NaN] }];
        const card = getComputedStyle(/** @type {Element} */ (document.querySelector("#map-panel"))).backgroundColor;
        const ground = (card.match(/[\d.]+/g) ?? []).map(Number);
        const linear = (/** @type {number} */ part) =>
          part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        outcomes.forEach((/** @type {string} */ row, /** @type {number} */ up) =>
          [...row].forEach((outcome, across) => {
            const [x, y] = [(across + 0.5) * cell, canvas.height - (up + 0.5) * cell];
            const [r, g, b, a] = paint.getImageData(Math.floor(x), Math.floor(y), 1, 1).data;
            const over = [r, g, b].map((part, n) => linear((part * a + ground[n] * (255 - a)) / 255 / 255));
            all[/** @type {"W"} */ (outcome)].push(0.2126 * over[0] + 0.7152 * over[1] + 0.0722 * over[2]);
          }),
        );
        return { won: all.W.slice(1), lost: all.L.slice(1) };
      },
      [map.outcomes[0], map.outcomes],
    );
    assert.ok(lightness.won.length > 100 && lightness.lost.length > 20, `${lightness.lost.length} lost`);
    const [won, lost] = [lightness.won, lightness.lost].map((all) => [Math.min(...all), Math.max(...all)]);
    if (dark) assert.ok(won[1] < lost[0], `${won} against ${lost}`);
    else assert.ok(lost[1] < won[0], `${won} against ${lost}`);
  });
}

for (const width of [360, 1280]) {
  claim(`the plane and its axes fit into a window of ${width} pixels`, { width }, async (player) => {
    for (const position of ["217/9/1/4,3/-", "1000", "46/41/1/4,4/-"]) {
      await player.open("expanding", position);
      if (!(await player.page.locator("#map-panel").isVisible())) await player.click("#map");
      const frame = player.page.locator("#map-panel .scroller").first();
      assert.ok(await frame.evaluate((element) => element.scrollWidth <= element.clientWidth), position);
      for (const name of ["stones left", "currentmax"])
        assert.equal(await player.page.locator(".axes .name", { hasText: name }).count(), 1, `${name} at ${position}`);
      const map = await drawnPart(player, await player.of("map"));
      assert.ok(map.x.to - map.x.from >= 60, "and much is seen");
    }
  });
}

claim("after a position too large for a map of all positions, smaller ones have it again", {}, async (player) => {
  await player.open("nim", "7,6,5,4,1");
  await player.click("#map");
  assert.equal(await player.count(".game-map"), 0);
  for (const position of ["10,10", "20", "6,6,5"]) {
    await player.begin(position);
    assert.equal(await player.count(".game-map"), 1, position);
  }
});

claim("the map of all positions of 3-5-7 has 88 positions and the moves played", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#map");
  const whole = await player.of("game-map", "3,5,7");
  const nodes = () =>
    player.page.locator(".game-map [data-key]").evaluateAll((nodes) =>
      nodes.map((node) => ({
        key: node.getAttribute("data-key") ?? "",
        names: [...node.classList].sort().join(" "),
      })),
    );
  const first = await nodes();
  assert.equal(first.length, 88);
  const outcomes = new Map(whole.nodes.map((/** @type {any} */ node) => [node.key, node.outcome]));
  assert.equal(outcomes.size, 88);
  for (const { key, names } of first) assert.ok(names.includes(outcomes.get(key)), key);
  assert.equal(await player.count(".game-map .edge"), whole.edges.length);
  const winning = whole.edges.filter((/** @type {any} */ edge) => edge.winning).length;
  assert.equal(await player.count(".game-map .edge.winning"), winning);
  assert.equal(await player.count(".game-map .edge.winning[marker-end]"), winning, "a winning move is an arrow");
  assert.equal(await player.count(".game-map .edge[marker-end]"), winning);
  assert.equal(await player.count(".game-map .edge.played"), 0);

  await player.move("3:4");
  await player.move((await player.state()).best);
  await player.click("#history");
  const played = await player.page
    .locator("[data-ply]")
    .evaluateAll((all) => all.map((one) => /\[(.*)\]$/.exec(one.querySelector("title")?.textContent ?? "")?.[1] ?? ""));
  assert.equal(played.length, 5);
  const keys = await Promise.all(played.map(async (position) => (await player.state(position)).key));
  const marked = (await nodes()).filter(({ names }) => names.includes("visited")).map(({ key }) => key);
  assert.deepEqual(marked.sort(), [...keys].sort());
  const here = (await nodes()).filter(({ names }) => names.includes("here")).map(({ key }) => key);
  assert.deepEqual(here, [keys[4]]);
  assert.equal(await player.count(".game-map .edge.played"), 4);
  // Undone moves are no longer on the path.
  await player.press("u");
  assert.equal(await player.count(".game-map .edge.played"), 2);
  assert.equal((await nodes()).filter(({ names }) => names.includes("visited")).length, 3);
});

claim("a map of all positions appears once the game is small enough", {}, async (player) => {
  await player.open("nim", "20,17,3,0,0");
  await player.click("#map");
  assert.equal(await player.count(".plane"), 1);
  assert.equal(await player.count(".game-map"), 0);
  await player.set("#opponent", "friend");
  await player.move("1:18");
  await player.move("2:15");
  const { nodes } = await player.of("game-map");
  assert.equal(await player.count(".game-map [data-key]"), nodes.length);
});

claim("in a map of all positions no line crosses a position between its ends", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.click("#map");
  const { nodes, edges } = await player.of("game-map", "3,5,7");
  const found = await player.page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".game-map [data-key]")].map((node) => {
      const [x, y] = (node.getAttribute("transform")?.match(/[-\d.]+/g) ?? []).map(Number);
      const [wide, high] = ["width", "height"].map((name) => Number(node.querySelector(".shape")?.getAttribute(name)));
      return { left: x - wide / 2, top: y - high / 2, right: x + wide / 2, bottom: y + high / 2 };
    });
    const crossing = [];
    for (const edge of /** @type {NodeListOf<SVGPathElement>} */ (document.querySelectorAll(".game-map .edge"))) {
      const length = edge.getTotalLength();
      for (let at = 1; at < length - 1; at += 2) {
        const { x, y } = edge.getPointAtLength(at);
        const box = boxes.find(
          ({ left, top, right, bottom }) => left < x && x < right && top + 1 < y && y < bottom - 1,
        );
        if (box) crossing.push(edge.getAttribute("d"));
      }
    }
    return { boxes: boxes.length, edges: document.querySelectorAll(".game-map .edge").length, crossing };
  });
  assert.deepEqual(found, { boxes: nodes.length, edges: edges.length, crossing: [] });
});
