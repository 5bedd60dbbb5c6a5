// The cells of *Map*: the outcomes and depths of a plane of positions, fetched part by part.

/** @typedef {import("./api.js").Table} Table */
/** The numbers on an axis of a plane. @typedef {{name: string, row: number | null, from: number, to: number, at: number, most: number}} Axis */
/** @typedef {{x: Axis, y: Axis | null, game_map: boolean, outcomes: string[], depths?: (number | null)[][]}} Part */
/** The cells in view: the first column and row, their numbers, and the side of a cell in pixels. @typedef {{x: number, y: number, columns: number, rows: number, cell: number}} View */

/**
 * Returns the class of cells, and a function that compares. This module is loaded when the map is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeCells({ api }) {
  const isWithin = (/** @type {Axis} */ { from, to }, /** @type {number} */ n) => from <= n && n <= to;

  /** The cells of a table that the page has fetched. */
  class Cells {
    /** @type {Part[]} */ parts = [];

    /** @param {Table} table @param {string} position */
    constructor(table, position) {
      this.table = table;
      this.position = position;
    }

    /** Fetches the part around a cell; without one, around the position. @param {number[]} cell */
    async fetch(...[x, y]) {
      this.parts.push(await api.map(this.table.name, this.position, x, y));
    }

    partAt(/** @type {number} */ x, /** @type {number} */ y) {
      return this.parts.find((part) => isWithin(part.x, x) && (part.y === null || isWithin(part.y, y)));
    }

    /** Returns the outcome, W or L, and the depth of a cell; null if it is no position, or was not fetched. @param {number} x @param {number} y */
    at(x, y) {
      const part = this.partAt(x, y);
      if (!part) return null;
      const [up, across] = [y - (part.y?.from ?? 0), x - part.x.from];
      const outcome = part.outcomes[up][across];
      return outcome === "." ? null : { outcome, depth: part.depths?.[up][across] ?? undefined };
    }

    /** Returns a cell in view that was not fetched; null if there is none. @param {View} view */
    missing(view) {
      const [part] = this.parts;
      const { x, y } = view;
      const columns = Math.min(view.columns, part.x.most + 1 - x);
      const rows = Math.min(view.rows, (part.y?.most ?? 0) + 1 - y);
      for (let up = y; up < y + rows;) {
        let next = y + rows;
        for (let across = x; across < x + columns;) {
          const part = this.partAt(across, up);
          if (!part) return [across, up];
          next = Math.min(next, (part.y?.to ?? up) + 1);
          across = part.x.to + 1;
        }
        up = next;
      }
      return null;
    }
  }

  /** Returns the cells of another table once its part around the position is fetched; null if it does not have that. @param {Cells} cells @param {Cells} others */
  async function comparable(cells, others) {
    try {
      await others.fetch();
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 400) return null;
      throw error;
    }
    const [one, other] = [cells, others].map(({ parts: [{ x, y }] }) => `${x.row} ${y?.row}`);
    return one === other ? others : null;
  }

  return { Cells, comparable };
}
