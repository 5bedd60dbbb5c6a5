// *Map*: the positions around the current one that differ in two numbers only, as a heat map. A canvas shows the cells;
// the axes and the ring around the current position are an SVG over it.

import { drawingScale, html, legend, scroller, svg, swatch } from "./dom.js";
import { t } from "./language.js";

/** @typedef {{name: string, row: number | null, from: number, to: number, at: number}} Axis */

const MARGIN = { left: 46, right: 22, top: 12, bottom: 42 };
/** Minimum and maximum side of a cell, in pixels. */
const CELL = { least: 3, most: 22 };
/** Approximate width of a letter of an axis, in pixels. */
const LETTER_WIDTH = 6.4;

/** Draws a part of the table. @param {any} part @param {number} width of the panel @param {boolean} byDepth whether colours show depths */
export function drawPlane(part, width, byDepth) {
  const times = drawingScale();
  const room = width / times - MARGIN.left - MARGIN.right;
  const most = Math.max(1, Math.floor(room / CELL.least));
  const map = trim(part, most);
  const x = /** @type {Axis} */ (map.x);
  const y = /** @type {Axis} */ (map.y ?? { name: "", row: null, from: 0, to: 0, at: 0 });
  const [columns, rows] = [x.to - x.from + 1, y.to - y.from + 1];
  const cell = Math.max(CELL.least, Math.min(CELL.most, Math.floor(room / columns)));
  const [w, h] = [columns * cell, rows * cell];
  const depths = byDepth ? map.depths : undefined;
  const canvas = paintCells(map.outcomes, depths, cell, w, h, times);
  const readout = html("p", { class: "aside readout" }, hereWords(map, x, y));
  const overlay = svg(
    "svg",
    {
      class: "axes",
      viewBox: `0 0 ${w + MARGIN.left + MARGIN.right} ${h + MARGIN.top + MARGIN.bottom}`,
      role: "img",
      "aria-label": summary(map, x, y),
    },
    ...axes(x, map.y, cell, w, h),
    ring(
      MARGIN.left + (x.at - x.from + 0.5) * cell,
      MARGIN.top + h - (y.at - y.from + 0.5) * cell,
      cell,
      map.y ? `${x.at},${y.at}` : `${x.at}`,
    ),
  );
  const plane = html("div", { class: "plane" }, canvas, overlay);
  // Sizes go through the style object, which the content security policy allows; attributes would be refused.
  const px = (/** @type {number} */ length) => `${length * times}px`;
  Object.assign(plane.style, { width: px(w + MARGIN.left + MARGIN.right), height: px(h + MARGIN.top + MARGIN.bottom) });
  Object.assign(canvas.style, { left: px(MARGIN.left), top: px(MARGIN.top), width: px(w), height: px(h) });
  overlay.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    const box = overlay.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / times - MARGIN.left) / cell);
    const row = Math.floor((h - ((event.clientY - box.top) / times - MARGIN.top)) / cell);
    if (column >= 0 && column < columns && row >= 0 && row < rows)
      readout.textContent = cellWords(map, x, y, column, row);
  });
  overlay.addEventListener("pointerleave", () => {
    readout.textContent = hereWords(map, x, y);
  });
  const mapLegend = legend(
    swatch("win", t.map.won),
    swatch("loss", t.map.lost),
    swatch("here", t.map.here),
    depths ? t.map.stronger : null,
  );
  return html("div", {}, mapLegend, scroller(t.map.plane, plane), readout);
}

/** Removes the columns beyond `most`, and the rows above all positions. @param {any} map @param {number} most */
function trim(map, most) {
  const { x } = map;
  const first = Math.max(x.from, Math.min(x.at - Math.floor(most / 2), x.to - most + 1));
  const last = Math.min(x.to, first + most - 1);
  const columns = [first - x.from, last - x.from + 1];
  const cut = (/** @type {any} */ row) => row.slice(...columns);
  let outcomes = map.outcomes.map(cut);
  while (map.y && outcomes.length > 1 && /^\.*$/.test(outcomes[outcomes.length - 1])) outcomes = outcomes.slice(0, -1);
  return {
    ...map,
    x: { ...x, from: first, to: last },
    y: map.y && { ...map.y, to: map.y.from + outcomes.length - 1 },
    outcomes,
    depths: map.depths?.slice(0, outcomes.length).map(cut),
  };
}

/**
 * Paints the cells. Colour is not needed: lost cells are darker than all won ones (on a dark background lighter), and have a dot
 * if there is room.
 * @param {string[]} outcomes @param {(number | null)[][] | undefined} depths
 * @param {number} cell @param {number} w @param {number} h @param {number} times the scale of drawings
 */
function paintCells(outcomes, depths, cell, w, h, times) {
  const scale = (window.devicePixelRatio || 1) * times;
  const canvas = html("canvas", { width: Math.round(w * scale), height: Math.round(h * scale), "aria-hidden": "true" });
  const paint = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const [win, loss, dot] = [color("--map-win"), color("--map-loss"), color("--map-dot")];
  const deepest = depths
    ? depths.flat().reduce((/** @type {number} */ most, depth) => Math.max(most, depth ?? 0), 1)
    : 1;
  const gap = cell >= 6 ? 1 : 0;
  paint.scale(scale, scale);
  outcomes.forEach((row, up) =>
    [...row].forEach((outcome, across) => {
      if (outcome === ".") return;
      const [left, top] = [across * cell, h - (up + 1) * cell];
      // Scale by the square root of the depth: most positions are much less deep than the deepest.
      const least = outcome === "W" ? 0.25 : 0.6;
      const far = depths ? Math.sqrt((depths[up][across] ?? 0) / deepest) : 1;
      paint.globalAlpha = least + (1 - least) * far;
      paint.fillStyle = outcome === "W" ? win : loss;
      paint.fillRect(left, top, cell - gap, cell - gap);
      if (outcome === "L" && cell >= 8) {
        paint.globalAlpha = 1;
        paint.fillStyle = dot;
        paint.beginPath();
        paint.arc(left + (cell - gap) / 2, top + (cell - gap) / 2, cell / 7, 0, 7);
        paint.fill();
      }
    }),
  );
  return canvas;
}

/** @param {Axis} x @param {Axis | null} y @param {number} cell @param {number} w @param {number} h */
function axes(x, y, cell, w, h) {
  const marks = [];
  for (const n of roundNumbers(x, cell, 34)) {
    marks.push(
      svg(
        "text",
        { class: "axis middle-text", x: MARGIN.left + (n - x.from + 0.5) * cell, y: MARGIN.top + h + 15 },
        String(n),
      ),
    );
  }
  if (y) {
    for (const n of roundNumbers(y, cell, 18)) {
      marks.push(
        svg(
          "text",
          { class: "axis end", x: MARGIN.left - 6, y: MARGIN.top + h - (n - y.from + 0.5) * cell + 4 },
          String(n),
        ),
      );
    }
    marks.push(
      svg(
        "text",
        { class: "axis name middle-text", transform: `translate(12 ${MARGIN.top + h / 2}) rotate(-90)` },
        t.map.axis(y.name.length * LETTER_WIDTH > h ? shortName(y) : y.name),
      ),
    );
  }
  marks.push(
    svg("text", { class: "axis name middle-text", x: MARGIN.left + w / 2, y: MARGIN.top + h + 34 }, t.map.axis(x.name)),
  );
  return marks;
}

/** Returns round numbers of an axis, at least `apart` pixels from each other. @param {Axis} axis @param {number} cell @param {number} apart */
function roundNumbers(axis, cell, apart) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((step) => step * cell >= apart) ?? 1000;
  const first = Math.ceil(axis.from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((axis.to - first) / step) + 1) }, (_, n) => first + n * step);
}

/** Draws the ring around the current position. @param {number} x @param {number} y @param {number} cell @param {string} at */
function ring(x, y, cell, at) {
  const r = Math.max(6, cell * 0.72);
  return svg(
    "g",
    { "data-at": at, "data-here": true },
    svg("circle", { class: "halo", cx: x, cy: y, r }),
    svg("circle", { class: "ring", cx: x, cy: y, r }),
  );
}

/** Returns the short name of an axis. */
const shortName = (/** @type {Axis} */ axis) => axis.name.split(":")[0];

/** @param {any} map @param {Axis} x @param {Axis} y @param {number} column @param {number} row */
function cellWords(map, x, y, column, row) {
  const place = `${t.map.axis(shortName(x))} = ${x.from + column}${map.y ? `, ${t.map.axis(shortName(y))} = ${y.from + row}` : ""}`;
  const outcome = map.outcomes[row]?.[column];
  if (outcome !== "W" && outcome !== "L") return t.map.none(place);
  return t.map.cell(place, outcome === "W", map.depths?.[row]?.[column] ?? undefined);
}

const hereWords = (/** @type {any} */ map, /** @type {Axis} */ x, /** @type {Axis} */ y) =>
  t.map.at(cellWords(map, x, y, x.at - x.from, y.at - y.from));

/** @param {any} map @param {Axis} x @param {Axis} y */
function summary(map, x, y) {
  const all = map.outcomes.join("");
  const lost = all.split("L").length - 1;
  const known = lost + all.split("W").length - 1;
  const range = (/** @type {Axis} */ axis) => t.map.range(t.map.axis(axis.name), axis.from, axis.to);
  return `${t.map.summary(range(x), map.y ? range(y) : "", lost, known)} ${hereWords(map, x, y)}`;
}
