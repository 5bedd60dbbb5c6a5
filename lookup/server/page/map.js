// *Map*: the positions that differ from the current one in two numbers only, as a plane of cells. The reader zooms and moves
// it with buttons, keys, a wheel or fingers; parts that are missing are fetched.

/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./map-cells.js").Axis} Axis */
/** @typedef {import("./map-cells.js").Part} Part */
/** @typedef {import("./map-cells.js").View} View */
/** @typedef {ReturnType<typeof import("./map-cells.js").makeCells>} CellTools */
/** @typedef {ReturnType<typeof import("./map-axes.js").makeAxes>} AxisTools */
/** @typedef {ReturnType<typeof import("./map-picture.js").makePicture>} PictureTools */
/** @typedef {InstanceType<CellTools["Cells"]>} Cells */

/**
 * Returns the plane. This module is loaded when the map is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools & CellTools & AxisTools & PictureTools} tools
 */
export function makePlane({
  Cells,
  comparable,
  MARGIN,
  axes,
  ring,
  drawCells,
  api,
  gallery: { nameOf },
  dom: { drawingScale, html, legend, svg, swatch },
  download: { fileButtons },
  notation: { parsePosition },
  t,
  fail,
}) {
  /** Minimum and maximum side of a cell, in pixels; `usual` is the most without zooming. */
  const CELL = { least: 3, usual: 32, most: 48 };
  /** Columns and rows that are shown at least, if the table has them. */
  const MIN_SHOWN = 16;
  /** Maximum height of the cells, as a share of the window's. */
  const MAX_HIGH = 0.6;
  /** The factor by which a button, a key or a notch of the wheel zooms. */
  const ZOOM = 1.4;

  const within = (/** @type {number} */ n, /** @type {number} */ least, /** @type {number} */ most) =>
    Math.max(least, Math.min(most, n));

  class Plane {
    /** The reader's view; null as long as the reader has not changed it. @type {View | null} */
    #view = null;
    /** The first ply of the game that is shown. @type {unknown} */
    #start = null;
    #requests = 0;
    /** The fingers, or the mouse, on the plane. @type {Map<number, {x: number, y: number}>} */
    #pointers = new Map();
    /** The view and the pointers at the beginning of a gesture. @type {{view: View, at: {x: number, y: number, apart: number}} | null} */
    #grip = null;

    constructor() {
      this.readout = html("p", { class: "aside readout" });
      this.legend = html("div");
      this.plane = html("div", {
        class: "plane",
        tabindex: 0,
        role: "group",
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          const action = this.#actions[event.key];
          if (!action) return;
          event.preventDefault();
          action();
        },
        // Without Ctrl the wheel scrolls the page, as it does elsewhere.
        onwheel: (/** @type {WheelEvent} */ event) => {
          if (!event.ctrlKey) return;
          event.preventDefault();
          this.#zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, this.#place(event));
        },
        onpointerdown: (/** @type {PointerEvent} */ event) => {
          this.plane.setPointerCapture(event.pointerId);
          this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
          this.#takeGrip();
        },
        onpointermove: (/** @type {PointerEvent} */ event) => {
          if (this.#pointers.has(event.pointerId)) {
            this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
            this.#drag();
          }
          this.#read(this.#place(event));
        },
        onpointerup: (/** @type {PointerEvent} */ event) => this.#release(event),
        onpointercancel: (/** @type {PointerEvent} */ event) => this.#release(event),
        onpointerleave: () => this.#read(null),
      });
      this.controls = html("div", { class: "map-controls", role: "group" });
      this.files = html("p", { class: "files" });
      this.root = html("div", { class: "stack" }, this.legend, this.plane, this.readout, this.controls, this.files);
    }

    /** What the keys and buttons do. @type {Record<string, () => void>} */
    #actions = {
      "+": () => this.#zoom(ZOOM),
      "-": () => this.#zoom(1 / ZOOM),
      ArrowLeft: () => this.#move(-1, 0),
      ArrowRight: () => this.#move(1, 0),
      ArrowUp: () => this.#move(0, 1),
      ArrowDown: () => this.#move(0, -1),
      Home: () => this.#set(null),
    };

    /**
     * Draws the plane around the position of a game.
     * @param {Game} game @param {number} width of the panel @param {string} colours what they show: "depth", "value", or else outcomes
     * @param {{table: Table, position: string} | null} other the table to compare with, and the position there
     * @returns {Promise<Part>} the part around the position
     */
    async draw({ table, state, plies }, width, colours, other) {
      const request = ++this.#requests;
      const cells = new Cells(/** @type {Table} */ (table), state.position);
      await cells.fetch();
      const valueOf = colours === "value" ? await heapValues(/** @type {Table} */ (table)) : null;
      const others = other && (await comparable(cells, new Cells(other.table, other.position)));
      // An answer that arrives after the next request is not drawn.
      if (request !== this.#requests) return cells.parts[0];
      // Forget the reader's view if the game is another one, or if the view does not show the position.
      const [{ x, y }] = cells.parts;
      const view = this.#view;
      const sees = view && isInView(view, x.at, y?.at ?? 0);
      if (plies[0] !== this.#start || !sees) this.#view = null;
      this.#start = plies[0];
      Object.assign(this, { cells, others, other, width, valueOf, byDepth: colours === "depth" });
      this.#drawControls();
      this.#show();
      return cells.parts[0];
    }

    /** @type {Cells} */ cells = /** @type {any} */ (null);
    /** The same cells of the other table; null if there is none, or it does not have the position. @type {Cells | null} */
    others = null;
    /** @type {{table: Table} | null} */ other = null;
    width = 0;
    byDepth = false;
    /** Returns the Grundy value of a heap; null if the colours show something else. @type {((heap: number) => number | undefined) | null} */
    valueOf = null;

    #drawControls() {
      const focused = document.activeElement?.getAttribute("data-does");
      const button = (/** @type {string} */ key, /** @type {string} */ sign) =>
        html(
          "button",
          {
            type: "button",
            "aria-label": t.map.does[key],
            title: t.map.does[key],
            "data-does": key,
            onclick: this.#actions[key],
          },
          sign,
        );
      const signs = { "-": "−", "+": "+", ArrowLeft: "←", ArrowRight: "→", ArrowDown: "↓", ArrowUp: "↑", Home: "◎" };
      this.controls.setAttribute("aria-label", t.map.controls);
      this.plane.setAttribute("aria-label", t.map.plane);
      this.controls.replaceChildren(...Object.entries(signs).map(([key, sign]) => button(key, sign)));
      this.files.replaceChildren(
        ...fileButtons(
          this.cells.table.name,
          () => this.plane.querySelector("svg"),
          () => this.#rows(),
        ),
      );
      if (focused) this.controls.querySelector(`[data-does="${focused}"]`)?.focus();
    }

    /** Returns the room for cells in pixels of the drawing: its width and height. */
    get #room() {
      const times = drawingScale();
      return [this.width / times - MARGIN.left - MARGIN.right, (window.innerHeight * MAX_HIGH) / times];
    }

    /** Returns the view without the reader's changes: from the corner on, if that shows the position; otherwise around it. @returns {View} */
    #usualView() {
      const [{ x, y }] = this.cells.parts;
      const [wide, high] = this.#room;
      // A power of two, so that moves seldom change it.
      const shown = (/** @type {Axis} */ { at, most }) =>
        Math.min(most + 1, Math.max(MIN_SHOWN, 2 ** Math.ceil(Math.log2(at + 2))));
      const cell = Math.min(CELL.usual, wide / shown(x), y ? high / shown(y) : CELL.usual);
      const view = this.#fit({ x: 0, y: 0, columns: 0, rows: 0, cell });
      if (x.at >= view.columns) view.x = x.at - view.columns / 2;
      if (y && y.at >= view.rows) view.y = y.at - view.rows / 2;
      return view;
    }

    /** Returns a view with as many cells as there is room for, within the table. @param {View} view @returns {View} */
    #fit(view) {
      const [{ x, y }] = this.cells.parts;
      const [wide, high] = this.#room;
      const [across, up] = [x.most + 1, (y?.most ?? 0) + 1];
      // Do not shrink a table that is in view as a whole.
      const least = within(Math.floor(Math.min(wide / across, high / up)), CELL.least, CELL.usual);
      const cell = within(Math.floor(view.cell), least, CELL.most);
      const columns = within(Math.floor(wide / cell), 1, across);
      const rows = within(Math.floor(high / cell), 1, up);
      return {
        x: within(Math.round(view.x), 0, across - columns),
        y: within(Math.round(view.y), 0, up - rows),
        columns,
        rows,
        cell,
      };
    }

    get #shown() {
      return this.#fit(this.#view ?? this.#usualView());
    }

    /** Shows another view; null for the usual one. */
    #set(/** @type {View | null} */ view) {
      this.#view = view && this.#fit(view);
      this.#show();
    }

    /** Moves the view by half its size. @param {number} across @param {number} up */
    #move(across, up) {
      const view = this.#shown;
      this.#set({ ...view, x: view.x + (across * view.columns) / 2, y: view.y + (up * view.rows) / 2 });
    }

    /**
     * Zooms, and keeps a place where it is: the one named, or the position's, or the middle.
     * @param {number} factor @param {{x: number, y: number}} [place] in columns and rows from the corner of the view
     */
    #zoom(factor, place) {
      const view = this.#shown;
      const [{ x, y }] = this.cells.parts;
      const here = isInView(view, x.at, y?.at ?? 0)
        ? { x: x.at - view.x + 0.5, y: (y?.at ?? 0) - view.y + 0.5 }
        : { x: view.columns / 2, y: view.rows / 2 };
      const kept = place ?? here;
      const cell = factor > 1 ? Math.ceil(view.cell * factor) : Math.floor(view.cell * factor);
      const shift = 1 - view.cell / this.#fit({ ...view, cell }).cell;
      this.#set({ ...view, cell, x: view.x + kept.x * shift, y: view.y + kept.y * shift });
    }

    /** Returns the place of a pointer, in columns and rows from the corner of the view. @param {{clientX: number, clientY: number}} pointer */
    #place({ clientX, clientY }) {
      const { rows, cell } = this.#shown;
      const [times, box] = [drawingScale(), this.plane.getBoundingClientRect()];
      return {
        x: ((clientX - box.left) / times - MARGIN.left) / cell,
        y: rows - ((clientY - box.top) / times - MARGIN.top) / cell,
      };
    }

    /** The middle of the pointers, and how far apart they are. */
    get #gripNow() {
      const all = [...this.#pointers.values()];
      const [first, last] = [all[0], all[all.length - 1]];
      return {
        x: (first.x + last.x) / 2,
        y: (first.y + last.y) / 2,
        apart: Math.hypot(first.x - last.x, first.y - last.y) || 1,
      };
    }

    #takeGrip() {
      this.#grip = this.#pointers.size > 0 ? { view: this.#shown, at: this.#gripNow } : null;
    }

    #release(/** @type {PointerEvent} */ event) {
      this.#pointers.delete(event.pointerId);
      this.#takeGrip();
    }

    /** Moves and zooms the view with the pointers. */
    #drag() {
      if (!this.#grip) return;
      const { view, at } = this.#grip;
      const now = this.#gripNow;
      const cell = (view.cell * now.apart) / at.apart;
      const times = drawingScale();
      const box = this.plane.getBoundingClientRect();
      const place = {
        x: (at.x - box.left) / times - MARGIN.left,
        y: MARGIN.top + view.rows * view.cell - (at.y - box.top) / times,
      };
      const shift = 1 / view.cell - 1 / cell;
      const [dx, dy] = [(now.x - at.x) / times, (at.y - now.y) / times];
      const next = this.#fit({
        ...view,
        cell,
        x: view.x + place.x * shift - dx / cell,
        y: view.y + place.y * shift - dy / cell,
      });
      const { x, y, cell: old } = this.#shown;
      if (next.x !== x || next.y !== y || next.cell !== old) this.#set(next);
    }

    /** Says what a place shows; null for the position. @param {{x: number, y: number} | null} place */
    #read(place) {
      const { x, y, columns, rows } = this.#shown;
      const isOnCells = place && place.x >= 0 && place.y >= 0 && place.x < columns && place.y < rows;
      this.readout.textContent = isOnCells
        ? this.#words(x + Math.floor(place.x), y + Math.floor(place.y))
        : this.#hereWords;
    }

    get #hereWords() {
      const [{ x, y }] = this.cells.parts;
      return t.map.at(this.#words(x.at, y?.at ?? 0));
    }

    /** Returns the position of a cell in notation. @param {number} x @param {number} y */
    #positionAt(x, y) {
      const [first, second, ...rest] = this.cells.position.split("/");
      const [part] = this.cells.parts;
      if (part.x.row === null) return [x, y, ...rest].join("/");
      const heaps = first.split(",");
      heaps[part.x.row - 1] = String(x);
      if (part.y?.row) heaps[part.y.row - 1] = String(y);
      return second === undefined ? heaps.join() : `${heaps.join()}/${second}`;
    }

    /** Returns whether a cell has another outcome in the other table. @param {number} x @param {number} y */
    #differs(x, y) {
      const [one, other] = [this.cells.at(x, y), this.others?.at(x, y)];
      return Boolean(one && other && one.outcome !== other.outcome);
    }

    /** Returns the Grundy value of a cell: the nim-sum of the values of its heaps. @param {number} x @param {number} y */
    #value(x, y) {
      const { valueOf } = this;
      const values = valueOf && parsePosition(this.cells.table, this.#positionAt(x, y)).heaps?.map(valueOf);
      return values?.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum ^ value), 0);
    }

    /** Returns a cell in words. @param {number} x @param {number} y */
    #words(x, y) {
      const place = t.position(parsePosition(this.cells.table, this.#positionAt(x, y)), true);
      const found = this.cells.at(x, y);
      if (!found) return t.map.none(place);
      const value = this.#value(x, y);
      const cell = t.map.cell(place, found.outcome === "W", found.depth);
      const words = value === undefined ? cell : `${cell}; ${t.why.value} ${value}`;
      return this.other && this.#differs(x, y) ? `${words}; ${t.map.differs(nameOf(this.other.table))}` : words;
    }

    /** Returns the positions in view, for a file. */
    #rows() {
      const { x, y, columns, rows } = this.#shown;
      const { others, other } = this;
      const word = (/** @type {{outcome: string} | null} */ cell) => cell && (cell.outcome === "W" ? "win" : "loss");
      const found = [];
      for (let up = y; up < y + rows; up++) {
        for (let across = x; across < x + columns; across++) {
          const cell = this.cells.at(across, up);
          const more = others ? [word(others.at(across, up))] : this.valueOf ? [this.#value(across, up)] : [];
          if (cell) found.push([this.#positionAt(across, up), word(cell), cell.depth, ...more]);
        }
      }
      const more = others && other ? [`outcome in ${other.table.name}`] : this.valueOf ? ["value"] : [];
      return [["position", "outcome", "depth", ...more], ...found];
    }

    /** Draws the view, and fetches what is missing. */
    #show() {
      const view = this.#shown;
      const [part] = this.cells.parts;
      const times = drawingScale();
      const [w, h] = [view.columns * view.cell, view.rows * view.cell];
      const [wide, high] = [w + MARGIN.left + MARGIN.right, h + MARGIN.top + MARGIN.bottom];
      const at = [part.x.at, part.y?.at ?? 0];
      const axis = (/** @type {Axis} */ axis, /** @type {number} */ from, /** @type {number} */ all) => ({
        ...axis,
        from,
        to: from + all - 1,
      });
      const x = axis(part.x, view.x, view.columns);
      const y = part.y && axis(part.y, view.y, view.rows);
      const picture = svg(
        "svg",
        { class: "axes", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": this.#summary(x, y) },
        ...drawCells(view, h, {
          cells: this.cells,
          isCompared: this.others !== null,
          differs: (x, y) => this.#differs(x, y),
          byDepth: this.byDepth,
          value: this.valueOf && ((x, y) => this.#value(x, y)),
        }),
        ...axes(x, y, view.cell, w, h),
        isInView(view, at[0], at[1])
          ? ring(
              MARGIN.left + (at[0] - view.x + 0.5) * view.cell,
              MARGIN.top + h - (at[1] - view.y + 0.5) * view.cell,
              view.cell,
              part.y ? at.join() : `${at[0]}`,
            )
          : null,
      );
      this.plane.replaceChildren(picture);
      this.plane.style.setProperty("width", `${wide * times}px`);
      this.legend.replaceChildren(
        legend(
          swatch("win", t.map.won),
          swatch("loss", t.map.lost),
          swatch("here", t.map.here),
          this.byDepth ? t.map.stronger : this.valueOf ? t.map.strongerValue : null,
          this.other &&
            (this.others ? swatch("differs", t.map.differs(nameOf(this.other.table))) : t.variants.notCovered),
        ),
      );
      this.#read(null);
      for (const cells of [this.cells, this.others]) {
        const missing = cells?.missing(view);
        if (cells && missing) return void this.#load(cells, missing);
      }
    }

    /** Whether a part is being fetched. */
    #isLoading = false;

    /** Fetches the part around a cell, and draws it. @param {Cells} cells @param {number[]} cell */
    async #load(cells, cell) {
      if (this.#isLoading) return;
      this.#isLoading = true;
      try {
        await cells.fetch(...cell);
        this.#isLoading = false;
        this.#show();
      } catch (error) {
        this.#isLoading = false;
        fail(error, () => this.#show());
      }
    }

    /** Returns the map in words, for screen readers. @param {Axis} x @param {Axis | null} y */
    #summary(x, y) {
      const [, ...known] = this.#rows();
      const lost = known.filter(([, outcome]) => outcome === "loss").length;
      const range = (/** @type {Axis} */ axis) => t.map.range(t.map.axis(axis.name), axis.from, axis.to);
      return `${t.map.summary(range(x), y ? range(y) : "", lost, known.length)} ${this.#hereWords}`;
    }
  }

  /** Returns the Grundy value of a heap, as the theorem about the game says: in Nim its size. @param {Table} table @returns {Promise<(heap: number) => number | undefined>} */
  async function heapValues(table) {
    const { blocks } = await api.why(table.name, table.start);
    const theorem = blocks.find((block) => block.kind === "theorem");
    return (heap) => (theorem?.key === "nim" ? heap : theorem?.values[heap]);
  }

  /** @param {View} view @param {number} across @param {number} up */
  const isInView = ({ x, y, columns, rows }, across, up) =>
    across >= x && across < x + columns && up >= y && up < y + rows;

  return new Plane();
}
