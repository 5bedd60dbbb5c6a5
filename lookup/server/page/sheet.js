// *Print*: worksheets of three kinds, each with its solutions on a second page, and the lost positions of a game as a list.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").State} State */
/** @typedef {import("./api.js").Table} Table */
/** What other parts of the page give. @typedef {Pick<ReturnType<typeof import("./board-queen.js").makeQueenBoard>, "drawQueen"> & Pick<ReturnType<typeof import("./challenge.js").makeChallenge>, "randomPosition">} PartTools */
/** What a worksheet asks for: winning moves, who can win, or the lost fields of a table. @typedef {"moves" | "outcomes" | "table"} Kind */

/**
 * Returns the functions that print. This module is loaded when something is first printed, and is given what it uses.
 * @param {import("./on-demand.js").Tools & PartTools} tools
 */
export function makeSheet({
  api,
  dom: { byId, html, svg },
  drawQueen,
  gallery: { nameOf },
  isQueenGame,
  notation: { parsePosition },
  randomPosition,
  t,
}) {
  /** Maximum number of sticks in a row, and of stones, that are drawn; otherwise the numbers are printed. */
  const MAX_DRAWN = { sticks: 24, stones: 60 };
  /** Distances in drawings: between rows of sticks, between sticks, and the side of a square or the distance between stones. */
  const APART = { row: 34, stick: 14, square: 22 };
  /** Size of a table to fill in: its columns and rows, and the number of fields if there is only one line. */
  const FIELDS = { columns: 10, rows: 10, line: 22, across: 6 };

  /** Prints the nodes that `make` returns. @param {() => Promise<Node[]>} make */
  async function printNodes(make) {
    const sheet = byId("sheet");
    sheet.replaceChildren(...(await make()));
    sheet.hidden = false;
    document.body.dataset.sheet = "true";
    const done = () => {
      delete document.body.dataset.sheet;
      sheet.hidden = true;
      sheet.replaceChildren();
    };
    window.addEventListener("afterprint", done, { once: true });
    window.print();
  }

  /** Prints a worksheet. @param {Game} game @param {Kind} kind */
  const printWorksheet = (game, kind) =>
    printNodes(async () => {
      const { table } = game;
      if (!table) return [];
      const [task, nodes, solutions] =
        kind === "table" ? await tableTask(table, game.state) : await positionTasks(game, table, kind);
      return [
        html(
          "article",
          {},
          html("h1", {}, nameOf(table)),
          html("p", {}, t.rules.all(table)),
          html("div", { class: "names" }, ...t.sheet.named.map(answerLine)),
          html("p", { class: "big" }, task),
          ...nodes,
        ),
        html("article", {}, html("h1", {}, t.sheet.solutions(nameOf(table))), ...solutions),
      ];
    });

  const positionText = (/** @type {Table} */ table, /** @type {State} */ { position }) =>
    t.position(parsePosition(table, position));

  /** Returns a question, and a line for its answer. */
  const answerLine = (/** @type {string} */ question) =>
    html("p", { class: "answer" }, html("span", {}, question), html("span", { class: "blank" }));

  /** Returns the question about positions, their drawings, and the solutions. @param {Game} game @param {Table} table @param {"moves" | "outcomes"} kind @returns {Promise<[string, Node[], Node[]]>} */
  async function positionTasks(game, table, kind) {
    const states = await positions(game, table, kind);
    const draw = drawingOf(table, states);
    const answer = () =>
      kind === "moves"
        ? answerLine(t.sheet.move)
        : html("p", { class: "boxes" }, ...[t.learn.first, t.learn.second].map((one) => html("span", {}, one)));
    const numbered = (/** @type {State} */ state, /** @type {number} */ n) =>
      `${n + 1}.  ${positionText(table, state)}`;
    const tasks = states.map((state, n) =>
      html(
        "section",
        { class: "task" },
        html("h2", {}, numbered(state, n)),
        html("p", { class: "facts" }, otherFacts(state)),
        draw(state),
        answer(),
      ),
    );
    const solved = states.map((state, n) =>
      html("li", {}, html("b", {}, `${numbered(state, n)}: `), t.sheet.solution(state)),
    );
    return [
      kind === "moves" ? t.sheet.moves : t.learn.guess,
      [html("div", { class: `tasks ${kind}` }, ...tasks)],
      [html("ol", { class: "solutions" }, ...solved)],
    ];
  }

  /** Returns the position on the board and random ones, from small to large: won ones or, if the question is who wins, as many lost ones. @param {Game} game @param {Table} table @param {"moves" | "outcomes"} kind */
  async function positions(game, table, kind) {
    const { heaps = [] } = game.plies[0].state;
    const lines = heaps.length > 8 ? 2 : heaps.length > 3 || isQueenGame(table) || game.state.pile ? 3 : 4;
    const many = lines * (kind === "moves" ? 2 : 3);
    /** @type {Map<string, State>} */ const found = new Map();
    let state = game.state;
    for (let tries = 0; found.size < many && tries < 8 * many; tries++) {
      if (tries > 0) state = await api.state(table.name, randomPosition(table, heaps));
      if (kind === "outcomes" && found.size % 2 === 1 && state.outcome === "win") {
        const best = state.moves.find(({ move }) => move === state.best);
        if (best) state = await api.state(table.name, best.to);
      }
      if (!state.over && (kind === "outcomes" || state.outcome === "win")) found.set(state.key, state);
    }
    const size = (/** @type {State} */ { pile, heaps = [] }) =>
      pile?.stones ?? heaps.reduce((sum, heap) => sum + heap, 0);
    return [...found.values()].sort((a, b) => size(a) - size(b));
  }

  /** Returns the function that draws positions, all to the same scale: rows of sticks to cross out, a pile, or a queen on a chessboard. @param {Table} table @param {State[]} states @returns {(state: State) => Node} */
  function drawingOf(table, states) {
    // Rows keep their numbers, which the solutions name.
    const rowsOf = (/** @type {State} */ { heaps = [] }) =>
      heaps.map((heap, n) => ({ heap, name: n + 1 })).filter(({ heap }) => heap > 0);
    const stones = Math.max(0, ...states.map(({ pile }) => pile?.stones ?? 0));
    const most = Math.max(0, ...states.flatMap(({ heaps = [] }) => heaps));
    // Without a drawing there is room to work it out.
    if (most > MAX_DRAWN.sticks || stones > MAX_DRAWN.stones) return () => html("div");
    const isQueen = isQueenGame(table);
    const { row, stick, square } = APART;
    const [wide, high] = isQueen
      ? [(most + 2) * square, (most + 2) * square]
      : stones > 0
        ? [10 * square, Math.ceil(stones / 10) * square]
        : [most * stick + 30, Math.max(...states.map((state) => rowsOf(state).length)) * row];
    return (state) =>
      svg(
        "svg",
        { class: "to-cross", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": positionText(table, state) },
        ...(isQueen
          ? squares(state.heaps ?? [], most)
          : state.pile
            ? pile(state.pile.stones)
            : rowsOf(state).flatMap(sticks)),
      );
  }

  /** Draws a pile: ten stones in a line. */
  const pile = (/** @type {number} */ stones) =>
    Array.from({ length: stones }, (_, n) =>
      svg("circle", { cx: ((n % 10) + 0.5) * APART.square, cy: (Math.floor(n / 10) + 0.5) * APART.square, r: 8 }),
    );

  /** Draws a row of sticks, with its number. @param {{heap: number, name: number}} row @param {number} n */
  const sticks = ({ heap, name }, n) => [
    svg("text", { x: 2, y: n * APART.row + 22 }, String(name)),
    ...Array.from({ length: heap }, (_, stick) =>
      svg("rect", { x: 24 + stick * APART.stick, y: n * APART.row + 4, width: 5, height: 26, rx: 2.5 }),
    ),
  ];

  /** Draws a chessboard with its coordinates and the queen. @param {number[]} queen @param {number} last the number of its last square */
  function squares([x, y], last) {
    const side = APART.square;
    const at = (/** @type {number} */ n) => (n + 1) * side;
    const up = (/** @type {number} */ n) => (last - n) * side;
    const all = Array.from({ length: last + 1 }, (_, n) => n);
    const figure = drawQueen("queen");
    for (const [name, value] of Object.entries({ x: at(x), y: up(y), width: side, height: side }))
      figure.setAttribute(name, String(value));
    return [
      ...all.flatMap((column) =>
        all.map((rank) => svg("rect", { x: at(column), y: up(rank), width: side, height: side })),
      ),
      ...all.flatMap((n) => [
        svg("text", { class: "middle-text", x: at(n) + side / 2, y: at(last) + 15 }, String(n)),
        svg("text", { class: "end", x: side - 5, y: up(n) + 15 }, String(n)),
      ]),
      figure,
    ];
  }

  /** Returns the question about a table, the empty table, and the table with its lost fields. @param {Table} table @param {State} state @returns {Promise<[string, Node[], Node[]]>} */
  async function tableTask(table, state) {
    const map = await api.map(table.name, state.position);
    const { x, y } = map;
    const isWhole = table.game === "heaps" && table.rules.bounds.length <= 2 && !table.rules.passes;
    const rest = isWhole ? "" : ` ${t.sheet.fixed(positionText(table, state))}`;
    const names = html("p", {}, [`→ ${t.map.axis(x.name)}`, ...(y ? [`↑ ${t.map.axis(y.name)}`] : [])].join("; "));
    const fields = (/** @type {boolean} */ solved) => drawFields(map, solved);
    return [
      t.sheet.table + rest,
      [names, fields(false), answerLine(t.sheet.notice), answerLine(""), answerLine("")],
      [names.cloneNode(true), fields(true)],
    ];
  }

  /** Draws the smallest fields of a map. @param {any} map @param {boolean} solved whether lost fields are shaded */
  function drawFields({ x, y, outcomes }, solved) {
    const side = APART.square;
    const columns = Math.min(x.to - x.from + 1, y ? FIELDS.columns : FIELDS.line);
    const across = y ? columns : Math.min(columns, FIELDS.across);
    const down = y ? Math.min(outcomes.length, FIELDS.rows) : Math.ceil(columns / across);
    const lines = outcomes.slice(0, y ? down : 1);
    const parts = lines.flatMap((/** @type {string} */ line, /** @type {number} */ up) =>
      [...line.slice(0, columns)].flatMap((outcome, n) => {
        if (outcome === ".") return [];
        const left = (1 + (n % across)) * side;
        const top = (y ? down - 1 - up : Math.floor(n / across)) * side;
        const field = svg("rect", {
          x: left,
          y: top,
          width: side,
          height: side,
          class: solved && outcome === "L" ? "lost" : null,
        });
        return y ? [field] : [field, svg("text", { class: "small-text", x: left + 2, y: top + 7 }, String(x.from + n))];
      }),
    );
    const numbers = y && [
      ...Array.from({ length: columns }, (_, n) =>
        svg("text", { class: "middle-text", x: (n + 1.5) * side, y: down * side + 15 }, String(x.from + n)),
      ),
      ...Array.from({ length: down }, (_, n) =>
        svg("text", { class: "end", x: side - 5, y: (down - 1 - n) * side + 15 }, String(y.from + n)),
      ),
    ];
    const size = { viewBox: `0 0 ${(across + 1.2) * side} ${(down + 1) * side}`, role: "img" };
    return svg(
      "svg",
      { ...size, class: "fields", preserveAspectRatio: "xMidYMin", "aria-label": t.map.plane },
      ...parts,
      ...(numbers ?? []),
    );
  }

  /** Returns the facts about a pile that neither the heading nor the rules say, if a move was made before. @param {State} state */
  function otherFacts({ pile }) {
    if (!pile || (pile.currentmax === 0 && !pile.imposed)) return null;
    const resets = pile.resets.map((left, n) => `${t.board.resets(n === 0 ? "first" : "second")} (${left})`);
    return [`${t.board.most}: ${pile.currentmax}`, ...resets, ...(pile.imposed ? [t.board.bound] : [])].join("; ");
  }

  /** Prints the lost positions: of a small game all, of others those on the map around the position. @param {Game} game */
  const printLost = (game) =>
    printNodes(async () => {
      const { table, state } = game;
      if (!table) return [];
      const { about, lost } = await lostPositions(table, state.position);
      const columns = html(
        "ul",
        { class: "lost" },
        ...lost.map((/** @type {string} */ position) => html("li", {}, position)),
      );
      return [
        html(
          "article",
          {},
          html("h1", {}, t.sheet.lost(nameOf(table))),
          html("p", {}, t.rules.all(table)),
          html("p", {}, about),
          columns,
        ),
      ];
    });

  /** Returns a position of the list: numbers, or the words for a pile. @param {Table} table @param {any} node */
  function lostWords(table, { key, label }) {
    const { pile } = parsePosition(table, key);
    return pile ? [t.number(pile.stones), ...t.map.label(pile)].join("; ") : label.join(" ");
  }

  /** Returns the lost positions, and a sentence about them. @param {Table} table @param {string} position */
  async function lostPositions(table, position) {
    const { x, y, outcomes, game_map } = await api.map(table.name, position);
    if (game_map) {
      const map = await api.gameMap(table.name, position);
      const lost = map.nodes.filter((/** @type {any} */ node) => node.outcome === "loss");
      return {
        about: t.sheet.lostFrom(map.position, lost.length),
        lost: lost.map((/** @type {any} */ node) => lostWords(table, node)),
      };
    }
    const lost = outcomes.flatMap((/** @type {string} */ row, /** @type {number} */ up) =>
      [...row].flatMap((outcome, n) =>
        outcome === "L" ? [y ? `${x.from + n} | ${y.from + up}` : String(x.from + n)] : [],
      ),
    );
    const axes = [x, ...(y ? [y] : [])].map(({ name }) => t.map.axis(name)).join(" | ");
    return { about: t.sheet.lostPlane(position, axes, lost.length), lost };
  }

  return { printWorksheet, printLost };
}
