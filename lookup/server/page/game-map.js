// The map of a whole small game: each position once, on the level of its stones left; winning moves as arrows; and the
// path played.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

/**
 * Returns the function that draws the map. This module is loaded when the map is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeGameMap({
  api,
  dom: { drawingScale, html, legend, scroller, svg, swatch },
  download: { fileButtons },
  notation: { parsePosition },
  t,
}) {
  /**
   * Distances between positions, line height and width of a letter, in pixels; `bend`: how far a curve's control points are from its
   * ends, as a share of its height.
   */
  const NODE = { across: 64, up: 62, line: 13, letter: 7.2, bend: 0.45 };
  /** Maximum width of a position, as a share of the distance between neighbours; moves pass between them. */
  const MAX_NODE_SHARE = 0.8;
  const MARGIN = { left: 56, top: 26, right: 16, bottom: 26 };
  /**
   * The smallest scale at which labels are readable. On a projector and in a large window (`drawingScale()` above 1) the map is
   * enlarged, and never shrunk to fit.
   */
  const MIN_SCALE = 0.72;
  /**
   * Fetches and draws the map of the game from its start or, if that is too large, from the current position; null if both are.
   * @param {Game} game @param {boolean} fits whether there is a map from the current position
   */
  async function drawGameMap(game, fits) {
    const { table, state, plies } = game;
    // If the map from here is too large, so is the map from the start.
    if (!table || !fits) return null;
    const start = plies[0].state.position;
    const isWhole = start === state.position || (await api.map(table.name, start)).game_map;
    const map = await api.gameMap(table.name, isWhole ? start : state.position);
    return drawMap(game, isPile(table) ? { ...map, nodes: map.nodes.map(inWords(table)) } : map);
  }

  const isPile = (/** @type {Table} */ { game }) => game === "expanding";

  /** Returns a function that replaces the label of a pile by words. @param {Table} table @returns {(node: any) => any} */
  const inWords = (table) => (node) => ({ ...node, label: t.map.label(parsePosition(table, node.key).pile) });

  /** Draws the map. @param {Game} game @param {any} map */
  function drawMap(game, map) {
    const places = map.nodes.flatMap((/** @type {any} */ node) => [node.place, ...node.waypoints]);
    const least = Math.min(...places);
    const lines = Math.max(...map.nodes.map((/** @type {any} */ node) => node.label.length));
    const letters = Math.max(
      ...map.nodes.flatMap((/** @type {any} */ node) => node.label.map((/** @type {string} */ line) => line.length)),
    );
    const wide = letters * NODE.letter + 12;
    const across = Math.max(NODE.across, wide / MAX_NODE_SHARE);
    const high = lines * NODE.line + 8;
    const levelHeight = NODE.up + high - 20;
    const along = (/** @type {number} */ place) => MARGIN.left + wide / 2 + (place - least) * across;
    const x = (/** @type {any} */ node) => along(node.place);
    const y = (/** @type {any} */ node) => MARGIN.top + node.level * levelHeight;
    const width = MARGIN.left + MARGIN.right + wide + (Math.max(...places) - least) * across;
    const height = MARGIN.top + MARGIN.bottom + (map.levels.length - 1) * levelHeight;

    const path = playedMoves(game);
    const edges = map.edges.map((/** @type {any} */ edge) => {
      const [from, to] = [map.nodes[edge.from], map.nodes[edge.to]];
      const played = path.has(`${from.key} ${to.key}`);
      // An arrow goes straight down beside the positions of a level, and bends between the levels.
      const head = edge.winning ? 6 : 0;
      const passed = to.waypoints.slice(0, to.level - from.level - 1).reverse();
      const bend = (levelHeight - high) * NODE.bend;
      let [at, down, d] = [x(from), y(from) + high / 2, `M${x(from)} ${y(from) + high / 2}`];
      for (const place of [...passed, null]) {
        const next = place === null ? x(to) : along(place);
        const until = down + levelHeight - high - (place === null ? head : 0);
        d += `C${at} ${down + bend} ${next} ${until - bend} ${next} ${until}${place === null ? "" : `v${high}`}`;
        [at, down] = [next, down + levelHeight];
      }
      const line = svg("path", {
        class: `edge${edge.winning ? " winning" : ""}${played ? " played" : ""}`,
        d,
        "marker-end": edge.winning ? `url(#${played ? "arrow-played" : "arrow"})` : null,
      });
      return { line, order: (edge.winning ? 1 : 0) + (played ? 2 : 0) };
    });
    edges.sort((/** @type {any} */ a, /** @type {any} */ b) => a.order - b.order);
    const visited = new Set(game.plies.slice(0, game.at + 1).map((ply) => ply.state.key));
    const picture = svg(
      "svg",
      {
        class: "game-map",
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        role: "img",
        "aria-label": summary(game, map),
      },
      svg("defs", {}, arrow("arrow"), arrow("arrow-played")),
      ...map.levels
        .map((/** @type {string} */ name, /** @type {number} */ level) => [
          svg("line", {
            class: "level",
            x1: MARGIN.left - 8,
            x2: width - MARGIN.right,
            y1: y({ level }),
            y2: y({ level }),
          }),
          svg("text", { class: "axis end", x: MARGIN.left - 14, y: y({ level }) + 4 }, name),
        ])
        .flat(),
      ...edges.map((/** @type {any} */ edge) => edge.line),
      ...map.nodes.map((/** @type {any} */ node) =>
        drawNode(node, game, x(node), y(node), wide, high, game.state.key === node.key, visited.has(node.key)),
      ),
    );
    const times = drawingScale();
    // Shrink the map to fit while it is readable; beyond that, let it scroll.
    Object.assign(picture.style, {
      width: "100%",
      height: "auto",
      minWidth: `${Math.round(width * (times > 1 ? times : MIN_SCALE))}px`,
      maxWidth: `${Math.round(width * times)}px`,
    });
    return html(
      "div",
      {},
      html("h3", {}, t.map.every(words(game, map.position))),
      legend(
        swatch("win round", t.map.won),
        swatch("loss", t.map.lost),
        swatch("arrow-line", t.map.winningMove),
        swatch("path-line", t.map.played),
        swatch("here", t.map.here),
        game.table && isPile(game.table) ? t.map.resets : null,
      ),
      scroller(t.map.everyPosition, picture),
      html(
        "p",
        { class: "files" },
        ...fileButtons(
          game.table?.name ?? "",
          () => picture,
          () => listed(map),
        ),
      ),
    );
  }

  /** Returns a position of the game in few words. */
  const words = (/** @type {Game} */ { table }, /** @type {string} */ position) =>
    table ? t.position(parsePosition(table, position), true) : position;

  /** Returns the positions, for a file. @param {any} map */
  const listed = (map) => [
    ["position", "outcome", "depth"],
    ...map.nodes.map((/** @type {any} */ { key, outcome, depth }) => [key, outcome, depth]),
  ];

  /** Returns the moves played so far, as pairs of keys: "FROM TO". */
  function playedMoves(/** @type {Game} */ game) {
    const keys = game.plies.slice(0, game.at + 1).map((ply) => ply.state.key);
    return new Set(keys.slice(1).map((key, n) => `${keys[n]} ${key}`));
  }

  /** Returns the head of arrows. */
  function arrow(/** @type {string} */ id) {
    return svg(
      "marker",
      {
        id,
        class: id,
        viewBox: "0 0 8 8",
        refX: 1,
        refY: 4,
        markerWidth: 7,
        markerHeight: 7,
        markerUnits: "userSpaceOnUse",
        orient: "auto",
      },
      svg("path", { d: "M0 0 8 4 0 8Z" }),
    );
  }

  /** Draws a position. @param {any} node @param {Game} game @param {number} x @param {number} y @param {number} wide @param {number} high @param {boolean} here @param {boolean} visited */
  function drawNode(node, game, x, y, wide, high, here, visited) {
    const win = node.outcome === "win";
    const title = `${t.map.cell(words(game, node.key), win, node.depth)} [${node.key}]`;
    return svg(
      "g",
      {
        class: `node ${node.outcome}${here ? " here" : ""}${visited ? " visited" : ""}`,
        "data-key": node.key,
        "data-here": here,
        transform: `translate(${x} ${y})`,
      },
      svg("title", {}, title),
      here
        ? svg("rect", {
            class: "ring",
            x: -wide / 2 - 5,
            y: -high / 2 - 5,
            width: wide + 10,
            height: high + 10,
            rx: win ? high / 2 + 5 : 5,
          })
        : null,
      svg("rect", { class: "shape", x: -wide / 2, y: -high / 2, width: wide, height: high, rx: win ? high / 2 : 0 }),
      ...node.label.map((/** @type {string} */ line, /** @type {number} */ n) =>
        svg("text", { y: (n - (node.label.length - 1) / 2) * NODE.line + 4.2 }, line),
      ),
    );
  }

  /** Returns the map in words, for screen readers. @param {Game} game @param {any} map */
  function summary(game, map) {
    const lost = map.nodes.filter((/** @type {any} */ node) => node.outcome === "loss").length;
    const played = game.plies
      .slice(0, game.at + 1)
      .map((ply) => words(game, ply.state.position))
      .join(" → ");
    return t.map.whole(words(game, map.position), map.nodes.length, lost, map.edges.length, played);
  }

  return drawGameMap;
}
