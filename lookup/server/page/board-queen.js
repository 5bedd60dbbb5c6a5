// The board of Wythoff's game: a queen on a chessboard. Her column is the first heap, her row the second, and she moves
// towards the corner: left, down, or both at once.

/** @typedef {import("./sticks.js").StickRow} StickRow */

/** @typedef {import("./api.js").Move} Move */
/** @typedef {import("./api.js").State} State */
/** A square, or the numbers of sticks that a move takes from each heap. @typedef {[number, number]} Pair */

/**
 * Returns the board, and the function that draws a queen. This module is loaded when a game of the queen first begins, and is
 * given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeQueenBoard({ dom: { html, hiddenText, svg }, HeapBoard, showOutcomes, t }) {
  /** Largest heap that fits on a chessboard; larger ones are rows of sticks. */
  const MAX_HEAP = 60;
  /** Largest heap whose squares have room for marks and for all coordinates. */
  const MAX_MARKED = 24;
  /** Side of the smallest square for a finger, in pixels. Boards with smaller squares have number fields too. */
  const MIN_TARGET = 24;
  /** Distance in squares within which a click beside small squares chooses the nearest one. */
  const SNAP_DISTANCE = 3;

  class QueenBoard extends HeapBoard {
    /** The chessboard; null if the position is shown as rows of sticks. @type {Chessboard | null} */ #chessboard =
      null;

    /**
     * Puts a position on the board.
     * @param {State} state
     * @param {State} start the first state of the game; the board ends at its squares
     * @param {boolean} enabled whether a move can be chosen
     * @param {Move[]} moves the last moves, which leave a trace
     */
    show(state, start, enabled, moves) {
      const [queen, first] = [pair(state.heaps), pair(start.heaps)];
      /** @type {Pair} */ const last = [Math.max(queen[0], first[0]), Math.max(queen[1], first[1])];
      if (Math.max(...last) > MAX_HEAP) {
        this.#chessboard = null;
        this.root.classList.remove("fine");
        return super.show(state, start, enabled, moves);
      }
      this.enabled = enabled;
      this.takesFromSeveral = true;
      // The number fields of small boards; the style sheet hides them on others.
      const rows = queen.map((heap, n) => this.makeRow(n + 1, heap, Infinity));
      const choose = (/** @type {Pair} */ takes) => {
        const [left, down] = this.#takes;
        this.#choosePair(left === takes[0] && down === takes[1] ? [0, 0] : takes);
      };
      this.#chessboard = new Chessboard(this.root, queen, last, state.moves, trace(queen, moves), choose);
      this.showRows(rows, this.#chessboard.element);
    }

    get label() {
      return this.#chessboard ? t.board.chessboard : super.label;
    }

    get how() {
      return this.#chessboard ? t.play.howQueen : super.how;
    }

    /** The numbers of sticks chosen from each heap. @returns {Pair} */
    get #takes() {
      const taken = new Map(this.chosen);
      return [taken.get(1) ?? 0, taken.get(2) ?? 0];
    }

    #choosePair(/** @type {Pair} */ takes) {
      this.chooseAll(takes.map((taken, n) => /** @type {Pair} */ ([n + 1, taken])).filter(([, taken]) => taken > 0));
    }

    choose(/** @type {StickRow} */ row, /** @type {number} */ taken) {
      super.choose(row, taken);
      this.#chessboard?.paint(this.#takes, this.enabled);
    }

    chooseAll(/** @type {[number, number][]} */ takes) {
      super.chooseAll(takes);
      this.#chessboard?.paint(this.#takes, this.enabled);
    }

    paint() {
      super.paint();
      this.#chessboard?.paint(this.#takes, this.enabled);
    }

    focus() {
      if (this.#chessboard) (this.#chessboard.tabStop ?? this.root).focus();
      else super.focus();
    }

    /** Chooses with a key: the square beside the chosen one in this direction. */
    arrow(/** @type {string} */ key) {
      if (!this.#chessboard) return super.arrow(key);
      if (!this.enabled) return;
      this.#choosePair(nextChoice(this.#takes, this.#chessboard.queen, key));
      this.focus();
    }

    /**
     * Marks each square with the outcome of the move to it. Returns the moves that are not marked on the board.
     * @param {Move[]} moves empty to remove the marks
     */
    hint(moves) {
      return this.#chessboard ? this.#chessboard.hint(moves) : super.hint(moves);
    }
  }

  /** The drawing of a position: squares, coordinates, the queen, and a button on each square that she reaches. */
  class Chessboard {
    /** The button that the Tab key reaches. @type {HTMLButtonElement | undefined} */ tabStop;
    /** The buttons, and their squares, by the move in notation. @type {Map<string, {button: HTMLButtonElement, takes: Pair}>} */
    #squares = new Map();
    #last;
    #way = svg("path", { class: "way" });
    #ghost = drawQueen("ghost");

    /**
     * @param {HTMLElement} root the board; gets the class `fine` if the squares are small
     * @param {Pair} queen her square
     * @param {Pair} last the square at the upper right
     * @param {Move[]} moves the possible moves
     * @param {Pair[]} path the squares of the last moves; the last one is the queen's
     * @param {(takes: Pair) => void} choose called when a square is chosen
     */
    constructor(root, queen, last, moves, path, choose) {
      this.queen = queen;
      this.#last = last;
      for (const move of moves) {
        const takes = takesOf(move);
        if (takes[0] + takes[1] === 0) continue;
        const button = html(
          "button",
          { type: "button", class: "square", tabindex: -1, "data-takes": move.move, onclick: () => choose(takes) },
          hiddenText(t.board.square(this.#target(takes).join(), t.take(move.takes, false))),
        );
        this.#squares.set(move.move, { button: this.#put(button, this.#target(takes)), takes });
      }
      const [columns, ranks] = [last[0] + 1, last[1] + 1];
      const area = { viewBox: `0 0 ${columns} ${ranks}`, "aria-hidden": "true", focusable: "false" };
      const figure = drawQueen("queen", t.board.queen(queen.join()));
      const goal = svg(
        "svg",
        { ...FIGURE, class: "goal", "aria-hidden": "true" },
        svg("path", { d: STAR }),
        svg("circle", { cx: 24, cy: 24, r: 19 }),
      );
      const board = html(
        "div",
        { class: "chessboard" },
        html("div", { class: "wood" }),
        ...this.#coordinates(),
        this.#put(goal, [0, 0]),
        svg(
          "svg",
          { ...area, class: "lines" },
          svg("path", { class: "trace", d: this.#line(path) }),
          ...path
            .slice(0, -1)
            .map(([x, y]) => svg("circle", { class: "trace", cx: x + 0.5, cy: ranks - y - 0.5, r: 0.16 })),
        ),
        ...[...this.#squares.values()].map(({ button }) => button),
        svg("svg", { ...area, class: "lines" }, this.#way),
        this.#put(figure, queen),
        this.#ghost,
      );
      // The style sheet sizes the squares by these numbers.
      board.style.setProperty("--columns", String(columns));
      board.style.setProperty("--ranks", String(ranks));
      board.addEventListener("click", (/** @type {MouseEvent} */ event) => {
        if (root.classList.contains("fine")) this.#snap(event, choose);
      });
      this.element = html("div", { class: "chess" }, board);
      this.tabStop = [...this.#squares.values()][0]?.button;
      const letter = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const wood = board.firstElementChild;
      new ResizeObserver(() => {
        const side = wood.getBoundingClientRect().width / columns;
        if (wood.isConnected) root.classList.toggle("fine", side < Math.max(MIN_TARGET, 1.1 * letter()) - 0.5);
      }).observe(wood);
    }

    /** Returns the square to which a move goes. @param {Pair} takes @returns {Pair} */
    #target = ([left, down]) => [this.queen[0] - left, this.queen[1] - down];

    /** Puts an element on a square. @template {HTMLElement | SVGElement} T @param {T} element @param {Pair} square @returns {T} */
    #put(element, [x, y]) {
      element.style.gridArea = `${this.#last[1] - y + 1} / ${x + 2}`;
      return element;
    }

    /** Returns the line through the centres of squares. */
    #line(/** @type {Pair[]} */ squares) {
      return squares.map(([x, y], n) => `${n ? "L" : "M"}${x + 0.5} ${this.#last[1] - y + 0.5}`).join("");
    }

    /** Returns the coordinates at the edges, and the names of the heaps. */
    #coordinates() {
      const most = Math.max(...this.#last);
      const step = most > 40 ? 10 : most > MAX_MARKED ? 5 : 1;
      const name = (/** @type {number} */ n) =>
        html(
          "span",
          { class: `heap-name ${n ? "upward" : "across"}`, "aria-hidden": "true" },
          t.board.row(n + 1),
          html("b", {}, t.number(this.queen[n])),
        );
      const numbers = [0, 1].flatMap((axis) =>
        Array.from({ length: Math.floor(this.#last[axis] / step) + 1 }, (_, n) => {
          const at = n * step;
          const classes = ["coordinate", axis ? "upward" : "across"];
          if (at % 5 === 0) classes.push("fifth");
          if (at === this.queen[axis]) classes.push("here");
          const number = html("span", { class: classes.join(" "), "aria-hidden": "true" }, String(at));
          number.style.gridArea = axis ? `${this.#last[1] - at + 1} / 1` : `${this.#last[1] + 2} / ${at + 2}`;
          return number;
        }),
      );
      return [name(1), name(0), ...numbers];
    }

    /** Shows the chosen move, and whether one can be chosen. */
    paint(/** @type {Pair} */ chosen, /** @type {boolean} */ enabled) {
      let target = null;
      for (const { button, takes } of this.#squares.values()) {
        const pressed = takes[0] === chosen[0] && takes[1] === chosen[1];
        button.setAttribute("aria-pressed", String(pressed));
        button.setAttribute("aria-disabled", String(!enabled));
        if (pressed) target = button;
      }
      if (this.tabStop) this.tabStop.tabIndex = -1;
      this.tabStop = target ?? this.tabStop;
      if (this.tabStop) this.tabStop.tabIndex = 0;
      this.#ghost.toggleAttribute("hidden", !target);
      this.#way.setAttribute("d", target ? this.#line([this.queen, this.#target(chosen)]) : "");
      if (target) this.#put(this.#ghost, this.#target(chosen));
    }

    hint(/** @type {Move[]} */ moves) {
      const byName = new Map(moves.map((move) => [move.move, move]));
      const marked = Math.max(...this.#last) <= MAX_MARKED;
      for (const [name, { button }] of this.#squares) {
        const move = byName.get(name);
        showOutcomes(button, move ? [move] : [], marked);
        if (marked) byName.delete(name);
      }
      return [...byName.values()];
    }

    /** Chooses the square nearest to a click that missed the small squares. @param {MouseEvent} event @param {(takes: Pair) => void} choose */
    #snap(event, choose) {
      if (event.target instanceof Element && event.target.closest("button")) return;
      const distance = (/** @type {HTMLElement} */ button) => {
        const box = button.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY];
        return Math.hypot(x, y) / box.width;
      };
      const [nearest] = [...this.#squares.values()]
        .map(({ button, takes }) => ({ takes, distance: distance(button) }))
        .sort((a, b) => a.distance - b.distance);
      if (nearest && nearest.distance <= SNAP_DISTANCE) choose(nearest.takes);
    }
  }

  /** Returns both heaps of a position. @param {number[] | undefined} heaps @returns {Pair} */
  const pair = (heaps) => [heaps?.[0] ?? 0, heaps?.[1] ?? 0];

  /** Returns the numbers of sticks that a move takes from each heap. @param {Move} move @returns {Pair} */
  function takesOf(move) {
    /** @type {Pair} */ const takes = [0, 0];
    for (const { row, stones } of move.takes) if (row) takes[row - 1] += stones;
    return takes;
  }

  /** Returns the squares that the last moves led through, up to the queen's. @param {Pair} queen @param {Move[]} moves */
  function trace(queen, moves) {
    /** @type {Pair[]} */ const path = [queen];
    for (const move of moves.toReversed()) {
      const [[x, y], [left, down]] = [path[0], takesOf(move)];
      path.unshift([x + left, y + down]);
    }
    return path;
  }

  /**
   * Returns the choice after a key. Left and down choose one square more, right and up one fewer. From the row, down leads to the
   * diagonal, as left does from the column; from the first square of the diagonal, up leads back to the row, right to the column.
   * @param {Pair} chosen the numbers of sticks chosen from each heap
   * @param {Pair} heaps
   * @param {string} key
   * @returns {Pair}
   */
  function nextChoice([left, down], [first, second], key) {
    const diagonal = Math.min(first, second);
    const isDiagonal = left > 0 && down > 0;
    if (key === "Home" || key === "End") {
      const far = key === "Home";
      if (isDiagonal) return far ? [diagonal, diagonal] : [1, 1];
      if (down > 0 || first === 0) return [0, Math.min(second, far ? second : 1)];
      return [far ? first : 1, 0];
    }
    const across = key === "ArrowLeft" || key === "ArrowRight";
    const step = key === "ArrowLeft" || key === "ArrowDown" ? 1 : -1;
    if (isDiagonal) {
      const both = Math.min(Math.max(left, down) + step, diagonal);
      return both > 0 ? [both, both] : across ? [0, 1] : [1, 0];
    }
    if (left + down > 0 && across !== left > 0) {
      const both = step > 0 ? Math.min(left + down, diagonal) : 0;
      return both > 0 ? [both, both] : [left, down];
    }
    const limit = (/** @type {number} */ taken, /** @type {number} */ heap) => Math.max(0, Math.min(heap, taken));
    return across ? [limit(left + step, first), 0] : [0, limit(down + step, second)];
  }

  const FIGURE = { viewBox: "0 0 48 48", focusable: "false" };
  const STAR = "M24 11.5 27.4 19.7 36.3 20.4 29.5 26.2 31.6 34.8 24 30.1 16.4 34.8 18.5 26.2 11.7 20.4 20.6 19.7Z";

  /** Draws a queen: a crown with five points on a foot. @param {string} name its class @param {string} [label] what screen readers say */
  function drawQueen(name, label) {
    const heard = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
    const points = [
      [6.5, 15],
      [15, 9.5],
      [24, 7],
      [33, 9.5],
      [41.5, 15],
    ];
    return svg(
      "svg",
      { ...FIGURE, class: `figure ${name}`, ...heard },
      svg("path", {
        d: "M12.5 34C11.5 28.5 9.5 23 6.5 16.5L14.5 25 15.2 11 20 23.5 24 8.5 28 23.5 32.8 11 33.5 25 41.5 16.5C38.5 23 36.5 28.5 35.5 34 36 36 37.5 38 38 41.5 33 44.3 15 44.3 10 41.5 10.5 38 12 36 12.5 34Z",
      }),
      ...points.map(([cx, cy]) => svg("circle", { cx, cy, r: 2.6 })),
      svg("path", { class: "detail", d: "M13.5 34C19 31.8 29 31.8 34.5 34M13 38.3C19 36.6 29 36.6 35 38.3" }),
    );
  }

  return { drawQueen, QueenBoard };
}
