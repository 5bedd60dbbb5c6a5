// *Map* draws the positions around the current one in a plane, with the outcomes that the server knows, and a small game as a
// graph of all positions.

import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { isFirefox } from "./browser.js";
import { claim } from "./harness.js";

/** @typedef {import("./player.js").Player} Player */

/** The margins of the plane in pixels: at the left and the right, and the first row of cells. */
const MARGIN = { left: 46, right: 22, top: 12 };

/**
 * Reads the plane: the first and last column and row, the coordinates of the ring around the current position, and for each row of
 * cells, from the lowest up, a text with W (won), L (lost), . (no position) or ~ (a shade by depth) for each cell.
 * @param {Player} player
 */
async function readPlane(player) {
  const drawn = await player.page.evaluate(() => {
    const picture = /** @type {SVGSVGElement} */ (document.querySelector(".plane svg"));
    const ring = picture.querySelector("[data-at]");
    const paths = [...picture.querySelectorAll(".cells")].map((path) => ({
      outcome: path.classList.contains("win") ? "W" : "L",
      isShade: path.getAttribute("opacity") !== "1",
      corners: [...(path.getAttribute("d") ?? "").matchAll(/M([\d.]+) ([\d.]+)/g)].map((one) =>
        one.slice(1).map(Number),
      ),
    }));
    return {
      label: picture.getAttribute("aria-label") ?? "",
      width: picture.viewBox.baseVal.width,
      paths,
      at: ring?.getAttribute("data-at"),
      ring: ["cx", "cy"].map((name) => Number(ring?.querySelector(".ring")?.getAttribute(name))),
    };
  });
  const [x, y = { from: 0, to: 0 }] = [...drawn.label.matchAll(/ from (\d+) to (\d+)/g)].map(([, from, to]) => ({
    from: Number(from),
    to: Number(to),
  }));
  const [columns, rows] = [x, y].map(({ from, to }) => to - from + 1);
  const cell = (drawn.width - MARGIN.left - MARGIN.right) / columns;
  const outcomes = Array.from({ length: rows }, () => Array(columns).fill("."));
  for (const { outcome, isShade, corners } of drawn.paths)
    for (const [left, top] of corners)
      outcomes[rows - 1 - (top - MARGIN.top) / cell][(left - MARGIN.left) / cell] = isShade ? "~" : outcome;
  return {
    x,
    y,
    at: drawn.at,
    column: x.from + (drawn.ring[0] - MARGIN.left) / cell - 0.5,
    row: y.from + rows - (drawn.ring[1] - MARGIN.top) / cell - 0.5,
    outcomes: outcomes.map((row) => row.join("")),
  };
}

/**
 * Returns the outcomes of the cells in view, as the server answers them, part by part, in the game's table or another.
 * @param {Player} player @param {{from: number, to: number}} x @param {{from: number, to: number}} y @param {string} [table]
 */
async function outcomesOf(player, x, y, table) {
  const rows = [];
  const position = await player.position();
  // Rules with fewer heaps read the position without empty ones.
  const query = { position: table ? position.replace(/(,0)+$/, "") : position };
  const path = `/api/tables/${table ?? (await player.table())}/map`;
  const whole = await player.ask(path, query);
  x = { from: x.from, to: Math.min(x.to, whole.x.most) };
  y = { from: y.from, to: Math.min(y.to, whole.y?.most ?? 0) };
  for (let up = y.from; up <= y.to;) {
    /** @type {string[]} */ let band = [];
    let next = y.to + 1;
    for (let across = x.from; across <= x.to;) {
      const part = await player.ask(path, { ...query, x: String(across), y: String(up) });
      next = Math.min(next, (part.y?.to ?? 0) + 1);
      const found = part.outcomes
        .slice(up - (part.y?.from ?? 0))
        .map((/** @type {string} */ row) => row.slice(across - part.x.from));
      band = band.length === 0 ? found : band.map((row, n) => row + (found[n] ?? ""));
      across = part.x.to + 1;
    }
    rows.push(...band.slice(0, next - up));
    up = next;
  }
  return rows.map((row) => row.slice(0, x.to - x.from + 1));
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
      const [map, state, drawn] = [await player.of("map"), await player.state(), await readPlane(player)];
      // The expected coordinates: stones and currentmax, or the two largest heaps; of equal heaps the upper ones.
      const at = state.pile ? [state.pile.stones, state.pile.currentmax] : largestTwo(state.heaps, map.x.row);
      assert.equal(drawn.at, at.join(), `${turn}: the ring`);
      assert.ok(Math.abs(drawn.column - at[0]) < 0.05, `${turn}: ${drawn.column}`);
      assert.ok(Math.abs(drawn.row - at[1]) < 0.05, `${turn}: ${drawn.row}`);
      assert.deepEqual(drawn.outcomes, await outcomesOf(player, drawn.x, drawn.y), `${turn}: the cells`);
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
  const plane = (await player.page.locator(".plane").boundingBox()) ?? { x: 0, y: 0, width: 0 };
  const { x, y } = await readPlane(player);
  const cell = (plane.width - MARGIN.left - MARGIN.right) / (x.to + 1);
  for (const [column, row] of [
    [0, 0],
    [2, 4],
    [4, 2],
    [x.to, y.to],
  ]) {
    await player.page.mouse.move(
      plane.x + MARGIN.left + (column + 0.5) * cell,
      plane.y + MARGIN.top + (y.to - row + 0.5) * cell,
    );
    const words = await player.text(".readout");
    const [outcome, depth] = [map.outcomes[row][column], map.depths[row][column]];
    if (outcome === ".") assert.match(words, /: no position$/);
    else {
      const place = row + column === 0 ? "3" : `3, ${column}, ${row}`;
      const said = `${outcome === "W" ? "won" : "lost"} for the player to move, ${depth} move${depth === 1 ? "" : "s"}`;
      assert.equal(words.replaceAll("\u00a0", " ").replace("3, 0, 0", "3"), `${place}: ${said}`);
    }
  }
  await player.page.mouse.move(1, 1);
  assert.match(await player.text(".readout"), /^Here: /);
});

/** Chooses what the colours show. @param {Player} player @param {string} value */
async function colour(player, value) {
  await player.page.locator("#colours").selectOption(value);
  await player.settled();
}

for (const [a, position, b] of [
  ["sticks", "1,3,4", "sticks-normal"],
  ["nim", "1,1,1,0,0", "sticks"],
  ["wythoff", "4,7", "nim"],
  ["expanding", "30/4/1/4,3/-", "expanding-misere"],
]) {
  claim(`the map of ${a} marks each cell that ${b} decides otherwise`, {}, async (player) => {
    await player.open(a, position);
    await player.click("#map");
    await colour(player, `table ${b}`);
    const { x, y } = await readPlane(player);
    const marked = await player.page
      .locator(".plane .differs")
      .evaluateAll((paths) =>
        paths.reduce((sum, path) => sum + (path.getAttribute("d")?.split("M").length ?? 1) - 1, 0),
      );
    const [ours, theirs] = await Promise.all([outcomesOf(player, x, y), outcomesOf(player, x, y, b)]);
    const differing = ours.flatMap((row, up) =>
      [...row].filter((one, n) => one !== "." && "WL".includes(theirs[up]?.[n] || "-") && one !== theirs[up][n]),
    );
    assert.equal(marked, differing.length);
    assert.ok(differing.length > 0);
    assert.match(await player.text("#map-panel .legend >> nth=0"), /another outcome in/);
  });
}

claim("by depth the cells have shades, which the legend explains", {}, async (player) => {
  await player.open("nim", "20,17,3,0,0");
  await player.click("#map");
  assert.ok(!(await readPlane(player)).outcomes.join("").includes("~"));
  await colour(player, "depth");
  assert.ok((await readPlane(player)).outcomes.join("").includes("~"));
  assert.match(await player.text("#map-panel .legend >> nth=0"), /stronger colour: further from the end/);
});

for (const dark of [false, true]) {
  claim(`by depth won and lost differ in lightness, ${dark ? "dark" : "light"}`, { dark }, async (player) => {
    await player.open("expanding", "100/9/1/0,0/-");
    await player.click("#map");
    await colour(player, "depth");
    const lightness = await player.page.evaluate(() => {
      const card = getComputedStyle(/** @type {Element} */ (document.querySelector("#map-panel"))).backgroundColor;
      const parts = (/** @type {string} */ color) => (color.match(/[\d.]+/g) ?? []).map(Number);
      const linear = (/** @type {number} */ part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      const shades = (/** @type {string} */ outcome) =>
        [...document.querySelectorAll(`.cells.${outcome}`)].map((path) => {
          const alpha = Number(path.getAttribute("opacity"));
          const over = parts(getComputedStyle(path).fill).map((part, n) =>
            linear((part * alpha + parts(card)[n] * (1 - alpha)) / 255),
          );
          return 0.2126 * over[0] + 0.7152 * over[1] + 0.0722 * over[2];
        });
      return { won: shades("win"), lost: shades("loss") };
    });
    assert.ok(lightness.won.length > 2 && lightness.lost.length > 2, JSON.stringify(lightness));
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
      const [plane, panel] = await Promise.all(
        [".plane", "#map-panel .body"].map((one) => player.page.locator(one).boundingBox()),
      );
      assert.ok(plane && panel && plane.width <= panel.width, position);
      for (const name of ["stones left", "most taken at once"])
        assert.equal(await player.page.locator(".axes .name", { hasText: name }).count(), 1, `${name} at ${position}`);
      const { x } = await readPlane(player);
      assert.ok(x.to - x.from >= 60, "and at least 60 columns are in view");
    }
  });
}

claim("the plane begins at the corner, and zooms and moves over the whole table", {}, async (player) => {
  await player.open("wythoff", "7,9");
  await player.click("#map");
  const usual = await readPlane(player);
  assert.deepEqual([usual.x.from, usual.y.from], [0, 0]);
  assert.ok(usual.x.to >= 15 && usual.x.to < 40, "the position and the corner are seen from near");
  const does = (/** @type {string} */ key) => player.click(`[data-does="${key}"]`);
  const check = async () => {
    const drawn = await readPlane(player);
    assert.deepEqual(drawn.outcomes, await outcomesOf(player, drawn.x, drawn.y));
    return drawn;
  };
  for (let times = 0; times < 8; times++) await does("-");
  const far = await check();
  assert.deepEqual([far.x.from, far.y.from], [0, 0]);
  assert.ok(far.x.to >= 140, "more columns than one answer has");
  for (const key of ["ArrowRight", "ArrowUp", "+", "ArrowRight", "ArrowRight"]) await does(key);
  const corner = await check();
  assert.equal(corner.x.to, 200);
  assert.equal(corner.at, undefined, "the position is out of sight");
  await does("Home");
  assert.deepEqual(await readPlane(player), usual);
});

claim("on the plane the keys zoom and move, and the view stays after a move", {}, async (player) => {
  await player.open("wythoff", "20,30");
  await player.click("#map");
  await player.page.locator(".plane").focus();
  const usual = await readPlane(player);
  await player.press("+", "+");
  const near = await readPlane(player);
  assert.ok(near.x.to - near.x.from < usual.x.to - usual.x.from);
  assert.equal(near.at, "20,30", "zooming keeps the position in sight");
  await player.press("ArrowLeft");
  const moved = await readPlane(player);
  assert.ok(moved.x.from < near.x.from);
  await player.press("Home");
  assert.deepEqual(await readPlane(player), usual);
  await player.press("-");
  const far = await readPlane(player);
  await player.set("#opponent", "friend");
  await player.move("1:1");
  assert.deepEqual((await readPlane(player)).x, far.x);
});

claim("the mouse moves the plane, and the wheel zooms it with Ctrl", {}, async (player) => {
  await player.open("wythoff", "200,200");
  await player.click("#map");
  const { x, width } = (await player.page.locator(".plane").boundingBox()) ?? { x: 0, width: 0 };
  const before = await readPlane(player);
  await player.page.locator(".plane").hover();
  await player.page.mouse.down();
  await player.page.mouse.move(x + width - 60, (await player.page.locator(".plane").boundingBox())?.y ?? 0, {
    steps: 4,
  });
  await player.page.mouse.up();
  await player.settled();
  const dragged = await readPlane(player);
  assert.ok(dragged.x.from < before.x.from, `${dragged.x.from} after ${before.x.from}`);
  assert.deepEqual(dragged.outcomes, await outcomesOf(player, dragged.x, dragged.y));
  await player.page.locator(".plane").hover();
  await player.page.keyboard.down("Control");
  await player.page.mouse.wheel(0, -100);
  await player.page.keyboard.up("Control");
  await player.page
    .waitForFunction(
      (label) => document.querySelector(".plane svg")?.getAttribute("aria-label") !== label,
      await player.page.locator(".plane svg").getAttribute("aria-label"),
      { timeout: 3000 },
    )
    .catch(() => {});
  const near = await readPlane(player);
  assert.ok(near.x.to - near.x.from < dragged.x.to - dragged.x.from);
});

/** Returns the text of the file that a button saves. @param {Player} player @param {string} words @param {number} [which] */
async function saved(player, words, which = 0) {
  const button = player.page.locator("#map-panel").getByRole("button", { name: words }).nth(which);
  const [file] = await Promise.all([player.page.waitForEvent("download"), button.click()]);
  assert.match(file.suggestedFilename(), /^[a-z]+-\d{4}-\d\d-\d\d-\d{6}\.(csv|svg)$/);
  return text(await file.createReadStream());
}

const SAVED = { skip: isFirefox && "its driver reports no downloads" };
claim("the maps are saved as lists of positions and as pictures", SAVED, async (player) => {
  await player.open("wythoff", "2,3");
  await player.click("#map");
  const { x, y, outcomes } = await readPlane(player);
  const [head, ...rows] = (await saved(player, "Save as CSV")).trimEnd().split("\r\n");
  assert.equal(head, "position,outcome,depth");
  assert.equal(rows.length, (x.to + 1) * (y.to + 1));
  assert.ok(rows.includes('"0,0",loss,0') && rows.includes('"2,1",loss,2'), rows.slice(0, 60).join("; "));
  assert.equal(rows.filter((row) => row.includes(",loss,")).length, outcomes.join("").split("L").length - 1);
  for (const which of [0, 1]) {
    const picture = await saved(player, "Save as SVG", which);
    const drawn = await player.page.evaluate((picture) => {
      const { documentElement: root } = new DOMParser().parseFromString(picture, "image/svg+xml");
      const fills = [...root.querySelectorAll("path, rect")].map((one) => one.getAttribute("fill"));
      return { name: root.localName, width: Number(root.getAttribute("width")), fills };
    }, picture);
    assert.equal(drawn.name, "svg");
    assert.ok(drawn.width > 100 && drawn.fills.includes("rgb(192, 74, 0)"), "it needs no style sheet");
  }
  assert.match(await saved(player, "Save as CSV", 1), /^position,outcome,depth\r\n"2,3",win,\d\r\n/);
});

claim("after a position too large for a map of all positions, smaller ones have it again", {}, async (player) => {
  await player.open("nim", "7,6,5,4,1");
  await player.click("#map");
  assert.equal(await player.count(".game-map"), 0);
  for (const position of ["10,10", "20", "6,6,5"]) {
    await player.begin(position);
    await player.page.locator(".game-map").waitFor();
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

/** Returns the least number that is not in a list. @param {number[]} numbers */
const least = (numbers) => numbers.reduce((least) => (numbers.includes(least) ? least + 1 : least), 0);

claim("colours and numbers show the Grundy values of a game that has them", SAVED, async (player) => {
  await player.open("subtraction", "9,7,5");
  await player.click("#map");
  await player.page.locator("#colours").selectOption("value");
  await player.settled();
  /** @type {number[]} */ const values = [];
  for (let heap = 0; heap <= 60; heap++)
    values.push(least([1, 3, 4].filter((take) => take <= heap).map((take) => values[heap - take])));
  const { x, y, outcomes } = await readPlane(player);
  const numbers = await player.page
    .locator(".plane svg .number")
    .evaluateAll((all) => all.map((one) => one.textContent));
  const expected = [];
  for (let up = y.from; up <= y.to; up++)
    for (let across = x.from; across <= x.to; across++) expected.push(values[across] ^ values[up] ^ values[5]);
  assert.deepEqual(
    numbers.map(Number),
    expected.filter((value) => value > 0),
  );
  assert.equal(outcomes.length * outcomes[0].length, expected.length);
  assert.match(await player.text(".readout"), /; value 3\.$/);
  const list = await saved(player, "Save as CSV");
  assert.ok(list.startsWith("position,outcome,depth,value\r\n") && list.includes('\r\n"9,7,5",win,13,3\r\n'));
  for (const table of ["sticks", "moore", "nim-pass", "expanding"]) {
    await player.open(table);
    await player.click("#map");
    assert.equal(await player.count("#colours [value=value]"), 0, table);
  }
});

claim("the map of a small game of Expanding Nim has labels in words", {}, async (player) => {
  await player.open("expanding-resets-1", "7/3/1/1,1/-");
  await player.click("#map");
  const labels = await player.page
    .locator(".game-map .node")
    .evaluateAll((all) =>
      all.map((one) => [...one.querySelectorAll("text")].map((line) => line.textContent).join("; ")),
    );
  assert.ok(labels.includes("limit 4; resets 1, 1") && labels.includes("limit 3; resets 1, 0; after a reset"));
  const others = labels.filter((label) => !/^(limit \d+; resets \d, \d(; after a reset)?|nothing left)$/.test(label));
  assert.deepEqual(others, []);
});
