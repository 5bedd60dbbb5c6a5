// The axes of *Map*, and the ring around the current position.

/** @typedef {import("./map-cells.js").Axis} Axis */

/**
 * Returns the functions that draw them. This module is loaded when the map is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeAxes({ dom: { svg }, t }) {
  /** The room for the axes around the cells, in pixels. */
  const MARGIN = { left: 46, right: 22, top: 12, bottom: 42 };

  /** Draws the axes. @param {Axis} x @param {Axis | null} y @param {number} cell @param {number} w @param {number} h */
  function axes(x, y, cell, w, h) {
    const marks = [];
    // A digit is about 7 pixels wide.
    for (const n of roundNumbers(x, cell, Math.max(34, 7 * String(x.to).length + 8))) {
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
          t.map.axis(y.name),
        ),
      );
    }
    marks.push(
      svg(
        "text",
        { class: "axis name middle-text", x: MARGIN.left + w / 2, y: MARGIN.top + h + 34 },
        t.map.axis(x.name),
      ),
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

  return { MARGIN, axes, ring };
}
