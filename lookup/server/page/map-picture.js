// The picture of *Map*: the cells in view, in the colours that the reader chose.

/** @typedef {import("./map-cells.js").View} View */
/**
 * What the colours of the cells show.
 * @typedef {object} Colours
 * @property {InstanceType<ReturnType<typeof import("./map-cells.js").makeCells>["Cells"]>} cells
 * @property {boolean} isCompared whether the table is compared with another one
 * @property {(x: number, y: number) => boolean} differs returns whether a cell has another outcome in the other table
 * @property {boolean} byDepth
 * @property {((x: number, y: number) => number | undefined) | null} value returns the Grundy value of a cell; null if the colours show something else
 */

/**
 * Returns the function that draws it. This module is loaded when the map is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools & ReturnType<typeof import("./map-axes.js").makeAxes>} tools
 */
export function makePicture({ dom: { svg }, MARGIN }) {
  /** Number of shades by depth or by value. */
  const SHADES = 8;
  /** The least side of a cell that has room for its value, in pixels. */
  const MIN_NUMBERED = 16;

  /**
   * Draws the cells of a view, with one path for each colour. The map reads without colours: lost cells are darker than all won ones (on a
   * dark ground lighter), and have a dot if there is room.
   * @param {View} view @param {number} h height of all cells @param {Colours} colours
   */
  function drawCells({ x, y, columns, rows, cell }, h, { cells, isCompared, differs, byDepth, value: valueAt }) {
    /** @type {Map<string, string>} */ const paths = new Map();
    const side = cell - (cell >= 6 ? 1 : 0);
    const deepest = Math.max(
      1,
      ...cells.parts.flatMap(({ depths }) => (depths ?? []).map((row) => Math.max(...row.map((n) => n ?? 0)))),
    );
    /** The values in view, if the colours show them. @type {(number | undefined)[]} */
    const values = valueAt
      ? Array.from({ length: rows * columns }, (_, n) => valueAt(x + (n % columns), y + Math.floor(n / columns)))
      : [];
    const largest = Math.max(1, ...values.map((value) => value ?? 0));
    /** @type {Node[]} */ const numbers = [];
    const add = (/** @type {string} */ name, /** @type {string} */ d) => paths.set(name, (paths.get(name) ?? "") + d);
    for (let up = 0; up < rows; up++) {
      for (let across = 0; across < columns; across++) {
        const found = cells.at(x + across, y + up);
        if (!found) continue;
        const [left, top] = [MARGIN.left + across * cell, MARGIN.top + h - (up + 1) * cell];
        // Scale by the square root of the depth: most positions are much less deep than the deepest.
        const isDifferent = differs(x + across, y + up);
        const value = values[up * columns + across];
        const shade = isCompared
          ? isDifferent
            ? SHADES
            : 0
          : value !== undefined
            ? Math.round((SHADES * value) / largest)
            : byDepth
              ? Math.round(SHADES * Math.sqrt((found.depth ?? 0) / deepest))
              : SHADES;
        add(`${found.outcome}${shade}`, `M${left} ${top}h${side}v${side}h-${side}z`);
        if (isDifferent)
          add(
            `differs ${found.outcome === "W" ? "win" : "loss"}`,
            crossed(left + side / 5, top + side / 5, side * 0.6),
          );
        else if (value && cell >= MIN_NUMBERED)
          numbers.push(
            svg("text", { class: "number middle-text", x: left + side / 2, y: top + side / 2 + 4 }, String(value)),
          );
        else if (found.outcome === "L" && cell >= 8) add("dots", `M${left + side / 2} ${top + side / 2}h0`);
      }
    }
    // Dots, crosses and numbers are above the cells.
    const drawn = [...paths]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, d]) => {
        if (name.startsWith("differs")) return svg("path", { class: name, d, "stroke-width": Math.max(1, side / 8) });
        if (name === "dots") return svg("path", { class: "dots", d, "stroke-width": side / 3.5 });
        const least = name[0] === "W" ? 0.25 : 0.6;
        return svg("path", {
          class: name[0] === "W" ? "cells win" : "cells loss",
          d,
          opacity: least + ((1 - least) * Number(name.slice(1))) / SHADES,
        });
      });
    return [...drawn, ...numbers];
  }

  /** Returns the path of a cross. @param {number} x @param {number} y @param {number} side */
  const crossed = (x, y, side) => `M${x} ${y}l${side} ${side}m0-${side}l-${side} ${side}`;

  return { drawCells };
}
