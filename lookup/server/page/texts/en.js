// The texts of the page in English. The other files of this folder have the same texts in other languages. The English texts of
// index.html are in that file itself.

/** What texts call a player; "opponent" is one who plays elsewhere. @typedef {"you" | "table" | "opponent" | "first" | "second"} Who */
/** @typedef {{row: number | null, stones: number}[]} Takes */
/** The parts of a position, as in notation.js. @typedef {import("../notation.js").ParsedPosition} Position */
/** The description of a table. @typedef {{game: "expanding" | "heaps", title: string, rules: any}} Game */

/** Avoids toLocaleString, whose first call is slow, where there is no separator. @param {number} n */
const number = (n) => (Number.isInteger(n) && n < 1000 ? String(n) : n.toLocaleString("en"));
const count = (/** @type {number} */ n, /** @type {string} */ one, many = `${one}s`) =>
  `${number(n)} ${n === 1 ? one : many}`;
const plies = (/** @type {number} */ n) => count(n, "move");
/** Returns all items of a list except the last; of a long list, the first eight. */
const before = (/** @type {(string | number)[]} */ all) =>
  (all.length > 16 ? [...all.slice(0, 8), "…"] : all.slice(0, -1)).join(", ");
const listed = (/** @type {(string | number)[]} */ all, /** @type {string} */ last) =>
  all.length < 2 ? all.join("") : `${before(all)} ${last} ${all[all.length - 1]}`;
const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
const soon = (/** @type {number | undefined} */ depth) => (depth === undefined ? "" : ` in ${plies(depth)}`);
/** Returns the ending of a verb in the third person. */
const s = (/** @type {Who} */ who) => (who === "you" ? "" : "s");
const unit = (/** @type {Game} */ { game }) => (game === "heaps" ? "stick" : "stone");

/** @type {Record<Who, string>} */
const NAMES = {
  you: "you",
  table: "the computer",
  opponent: "the opponent",
  first: "the first player",
  second: "the second player",
};
const name = (/** @type {Who} */ who) => capital(NAMES[who]);

/** Returns the stones of a move, without a verb. @param {Takes} takes @param {boolean} reset */
const taken = (takes, reset) =>
  listed(
    takes.map(({ row, stones }) => (row === null ? number(stones) : `${number(stones)} from row ${row}`)),
    "and",
  ) + (reset ? " and impose a reset" : "");

/** Returns a move as an instruction. @param {Takes} takes @param {boolean} reset */
const take = (takes, reset) => (takes.length === 0 ? "pass" : `take ${taken(takes, reset)}`);

/** Returns a move that a player made. @param {Who} who @param {Takes} takes @param {boolean} reset */
const took = (who, takes, reset) =>
  takes.length === 0
    ? `${NAMES[who]} ${who === "you" ? "pass" : "passes"}`
    : `${NAMES[who]} take${s(who)} ${taken(takes, reset).replace("impose", `impose${s(who)}`)}`;

/** Returns a move in few words, for tables and lists. @param {Takes} takes @param {boolean} reset */
const briefMove = (takes, reset) =>
  takes.length === 0
    ? "pass"
    : `${taken(takes, false).replace(/row (?=\d)/g, "row\u00a0")}${reset ? " with reset" : ""}`;

/** Returns a position in words. @param {Position} position @param {boolean} [brief] in few words, for tables */
function position({ pile, heaps = [], passes }, brief = false) {
  if (pile) {
    const stones = brief ? number(pile.stones) : count(pile.stones, "stone");
    return pile.stones === 0 ? "nothing left" : `${stones}\u00a0left, limit\u00a0${number(pile.limit)}`;
  }
  const rows =
    heaps.length === 1 ? count(heaps[0], "stick") : heaps.join(brief && heaps.join("").length < 4 ? ",\u00a0" : ", ");
  const left = passes === undefined ? "" : `; ${passes === 0 ? "no pass" : count(passes, "pass", "passes")} left`;
  return heaps.some((heap) => heap > 0) ? rows + left : "nothing left";
}

/** @param {number[]} counts */
const exactly = (counts) => (counts.length === 1 ? `exactly ${counts[0]}` : listed(counts, "or"));

/** @param {any} rules */
function mayTakeOfHeaps(rules) {
  const several = rules["heaps-per-move"] ?? 1;
  const amount =
    rules.take === "any"
      ? "any number of sticks"
      : typeof rules.take === "number"
        ? `1 to ${count(rules.take, "stick")}`
        : `${listed(rules.take, "or")} sticks`;
  const rows =
    several === 1
      ? "from one row"
      : Array.isArray(several)
        ? `from each of ${exactly(several)} rows${rules["equal-take"] ? ", the same number from each" : ""}`
        : rules["equal-take"]
          ? `from one row, or the same number from ${several === 2 ? "two" : `up to ${several}`} rows`
          : `from each of up to ${several} rows`;
  const pass = !rules.passes
    ? ""
    : rules.passes === 1
      ? " There is one pass, which either player may use as long as a move is possible."
      : ` There are ${rules.passes} passes, which both players share and may use as long as a move is possible.`;
  return `A move takes ${amount} ${rows}.${pass}`;
}

/** @param {any} rules */
function mayTakeOfPile(rules) {
  const [first, second] = rules.resets;
  const reset = ` With a move, a player may impose a reset: then the opponent may take at most ${rules["reset-limit"]}.`;
  const resets =
    first + second === 0
      ? ""
      : first === second
        ? ` Each player has ${count(first, "reset")}.${reset}`
        : ` The first player has ${count(first, "reset")}, the second ${second}.${reset}`;
  const limit =
    rules.growth === 0 ? "the most taken at once so far" : `${rules.growth} more than the most taken at once so far`;
  return `A move takes stones up to a limit: ${limit}, but at least ${rules["base-limit"]}.${resets}`;
}

/** Returns the amounts that a move may take. */
const mayTake = (/** @type {Game} */ table) =>
  table.game === "heaps" ? mayTakeOfHeaps(table.rules) : mayTakeOfPile(table.rules);

const lastOne = (/** @type {Game} */ table) =>
  `The player who takes the last ${unit(table)} ${table.rules.play === "misere" ? "loses" : "wins"}.`;

/** Turns heaps of stones into rows of sticks in a text of the service; a text without heaps stays. @param {string} text */
const onBoard = (text) =>
  /\bheaps?\b/.test(text) ? text.replace(/\bheap(s?)\b/g, "row$1").replace(/\bstone(s?)\b/g, "stick$1") : text;

/** Replaces the notation in a text of the service by words. @param {any} block @param {any} why */
function inWords({ statement, text, move, makes = [], answer }, { who, blocks, best, of }) {
  const values = blocks.some((/** @type {any} */ { key }) => key === "grundy");
  const [of2, ofAll] = values ? ["the values ", "values"] : ["", "rows"];
  let said = statement ?? text;
  if (best) {
    const leads = `The best move is to ${take(best.takes, best.reset)}. The position after it (${position(of)}) is lost`;
    said = said.replace(`${best.text} leads to ${of.text}, which is lost`, leads);
  }
  if (move && answer) {
    const answered = `If ${took(who, move.takes, move.reset)}, for example, the answer is to ${take(answer.takes, answer.reset)}.`;
    said = said.replace(`After ${move.text}, for example, the answer is ${answer.text}.`, answered);
  }
  if (makes.length > 0) {
    const becomes = makes.map((/** @type {any} */ { from, to }) => `${from} becomes ${to}`).join(", ");
    const old = makes.map((/** @type {any} */ { row, from, to }) => `${to} of ${from} in row ${row}`).join(" and ");
    said = said.replace(`${move.text} makes ${old}`, `${capital(take(move.takes, move.reset))} (${becomes})`);
  }
  return said.replace(
    /(\d+) xor (\d+) is (\d+), and the nim-sum becomes 0/,
    `the nim-sum of ${of2}$1 and $2 is $3, and the nim-sum of all ${ofAll} becomes 0`,
  );
}

export const texts = {
  code: "en",
  /** The texts of index.html, by their `data-t`; none in English, since index.html has them. @type {Record<string, string>} */
  html: {},

  number,
  capital,
  take,
  briefMove,
  position,

  status: {
    loading: "Loading …",
    nothing: "Nothing to play yet.",
    waiting: "Waiting for the answer …",
    turn: (/** @type {Who} */ who) => (who === "you" ? "Your turn." : `${name(who)}'s turn.`),
    waits: (/** @type {Who} */ who) =>
      who === "you" ? "Your turn: choose, or press Continue." : `${name(who)}'s turn. Press Continue to let it move.`,
    won: (/** @type {Who} */ who) => `The game is over. ${name(who)} win${s(who)}.`,
    empty: "No move is left. There is nothing to play.",
    deed: (/** @type {Who} */ who, /** @type {Takes} */ takes, /** @type {boolean} */ reset) =>
      capital(took(who, takes, reset)),
    start: "Back at the start.",
    at: (/** @type {number} */ at, /** @type {number} */ of) => `At move ${at} of ${of}.`,
    undone: {
      move: "",
      begin: "The earlier game is back.",
      seat: "The players are as before.",
      go: "",
      walk: "",
      line: "The earlier line is back.",
    },
    copied: "Address copied.",
    copy: "Copy it from the field below.",
    /** For a page that is a file. */
    copiedFile:
      "The address works as long as this file stays in its folder. In another copy of the file, paste the address into Start.",
    exported: "The transcript is saved.",
  },

  play: {
    take: "Take …",
    illegal: "That is not a legal move here.",
    how: (/** @type {boolean} */ pile, /** @type {boolean} */ several) =>
      pile
        ? "Choose a stone: you take it and all to its right."
        : `Choose a stick: you take it and all to its right.${several ? " You may choose in other rows too." : ""}`,
    howQueen: "Choose a square: the queen moves left (row 1), down (row 2), or diagonally (the same number from both).",
    pause: "Pause",
    go: "Continue",
    passesLeft: (/** @type {number} */ n) => `${count(n, "pass", "passes")} left`,
    /** At the end of a game: who threw the win away, and at which move. */
    thrown: (/** @type {Who} */ who, /** @type {number} */ ply) => `${name(who)} threw the win away at move ${ply}.`,
    noneThrown: "No move threw a win away: the game was won from the start.",
    look: "Look at it",
  },

  guide: {
    choose: "Choose a game; the line below its name says what you may take.",
    take: "Then press Take. You can undo everything, even a new game.",
    /** The effects of the buttons, by their `data-t`. @type {Record<string, string>} */
    buttons: {
      hint: "says where to look, not what to do.",
      show: "marks the moves that win and those that lose.",
      why: "gives the argument: the theorem, if one is known, and an answer to every move.",
      history: "shows who would win, move by move, and where a win was thrown away; saves and opens games.",
      map: "shows all positions around this one, won and lost.",
      variants: "compares with the same position under other rules.",
      challenge: "asks for winning moves, one after another.",
      table: "says how large the table is and how to cite it, and answers many positions at once.",
      learn: "teaches how to win, in ten steps.",
      settings: "set the position to start from, the opponent, and who begins; for a match elsewhere you get advice.",
      present: "fills the screen of a projector; Escape ends it.",
      share: "copies an address that opens exactly this game, or sets it as an assignment.",
      print: "makes a worksheet, or a list of lost positions.",
    },
  },

  board: {
    heaps: "Sticks",
    pile: "Stones",
    chessboard: "Chessboard, the corner is 0,0",
    queen: (/** @type {string} */ at) => `Queen on ${at}`,
    square: (/** @type {string} */ at, /** @type {string} */ take) => `to ${at}: ${take}`,
    row: (/** @type {number} */ n) => `Row ${n}`,
    aRow: (/** @type {number} */ n) => `row ${n}`,
    thePile: "Pile",
    aPile: "pile",
    holds: (/** @type {string} */ name, /** @type {number} */ n, /** @type {boolean} */ pile) =>
      `${name}: ${count(n, pile ? "stone" : "stick")}`,
    outOfReach: (/** @type {number} */ n) => `${count(n, "stone")} out of reach`,
    stick: (
      /** @type {string} */ name,
      /** @type {boolean} */ pile,
      /** @type {number} */ n,
      /** @type {number} */ of,
      /** @type {number} */ taken,
    ) =>
      `${name}, ${pile ? "stone" : "stick"} ${n} of ${of}: choose ${taken === 1 ? "the last one" : taken === of ? `all ${taken}` : `the last ${taken}`}`,
    howMany: (/** @type {string} */ name) => `How many from ${name}`,
    bar: (/** @type {string} */ name) => `How many from ${name}, as a bar`,
    fewer: (/** @type {string} */ name) => `One fewer from ${name}`,
    more: (/** @type {string} */ name) => `One more from ${name}`,
    left: "stones left",
    limit: "limit",
    bound: "after a reset",
    most: "most taken at once",
    resets: (/** @type {Who} */ who) => `resets: ${NAMES[who]}`,
    resetsLeft: (/** @type {number} */ left, /** @type {number} */ of) => `${left} of ${of} left`,
    none: "none",
    taken: "Taken",
    taker: (/** @type {Who} */ who) => capital(NAMES[who].replace("the ", "")),
    /** Beside what the player has taken who took the last one. */
    withLast: (/** @type {boolean} */ pile) => `with the last ${pile ? "stone" : "stick"}`,
  },

  match: {
    ask: (/** @type {Who} */ who) => `What ${who === "you" ? "do" : "does"} ${NAMES[who]} take?`,
    other: "You took something else?",
    resets: (/** @type {number} */ yours, /** @type {number} */ theirs) => `resets: you ${yours}, opponent ${theirs}`,
    erase: "Erase the last digit",
  },

  rules: {
    all: (/** @type {Game} */ table) => `${lastOne(table)} ${mayTake(table)}`,
    mayTake,
  },

  verdict: {
    short: (/** @type {string} */ outcome, /** @type {number | undefined} */ depth) =>
      `${outcome === "win" ? "wins" : "loses"}${soon(depth)}`,
    toMove: (/** @type {string} */ outcome, /** @type {number | undefined} */ depth) =>
      `The player to move ${outcome === "win" ? "wins" : "loses"}${soon(depth)}.`,
    wins: (/** @type {Who} */ who, /** @type {number | undefined} */ depth) =>
      `${name(who)} win${s(who)}${soon(depth)}`,
    move: (/** @type {string} */ outcome, /** @type {boolean} */ reset) =>
      `${reset ? "with a reset " : ""}${outcome === "win" ? "wins" : "loses"}`,
    left: (/** @type {number} */ n) => `${plies(n)} left after it`,
    /** The words beside the number of moves. */
    leftOf: (/** @type {number} */ n) => `${n === 1 ? "move" : "moves"} left after it`,
  },

  show: {
    over: "No move is left.",
    win: (
      /** @type {Who} */ who,
      /** @type {number | undefined} */ depth,
      /** @type {number} */ winning,
      /** @type {number} */ all,
    ) =>
      `${name(who)} can win from here${soon(depth)}: ${winning === 1 ? "one move wins" : `${number(winning)} of ${number(all)} moves win`}.`,
    loss: (/** @type {Who} */ who, /** @type {number | undefined} */ depth) =>
      `${name(who)} lose${s(who)} from here${soon(depth)} if the opponent makes no mistake: no move wins.`,
    thisWins: "this move wins",
    thisLoses: "this move loses",
    number: "number: moves left after it",
    reset: "r: with a reset",
    moves: "Possible moves",
    more: (/** @type {number} */ n) => `Show ${number(n)} more`,
  },

  hint: {
    lost: "No move wins here. Take only a few, to last longer.",
    row: (/** @type {number[]} */ rows) =>
      rows.length === 1
        ? `Look at row ${rows[0]}.`
        : `Look at ${listed(
            rows.map((row) => `row ${row}`),
            "or",
          )}.`,
    rows: (/** @type {number[]} */ rows) => `Look at rows ${listed(rows, "and")} together.`,
    pass: "What if you did not take at all?",
    reset: "Think of a reset.",
    few: "Few stones are enough.",
    many: "Take many stones.",
    over: "No move is left.",
  },

  why: {
    argument: "The argument in words",
    replies: "Moves and answers",
    each: "Each move from here, and the answer to it",
    after: (/** @type {Who} */ who, /** @type {Takes} */ takes, /** @type {boolean} */ reset) =>
      `After ${took(who, takes, reset)}: each move of the opponent, and the answer to it`,
    heads: ["move", "leads to", "answer", "leads to"],
    none: "none: no move is left",
    more: (/** @type {number} */ n) => `and ${number(n)} more moves`,
    row: "row",
    heap: "sticks",
    value: "value",
    sum: "nim-sum",
    ones: (/** @type {number} */ modulus) => `ones mod ${modulus}`,
    odd: "odd",
    now: "Now",
    move: (
      /** @type {Who} */ who,
      /** @type {Takes} */ takes,
      /** @type {boolean} */ reset,
      /** @type {"chosen" | "best" | "try"} */ which,
    ) =>
      `After ${took(who, takes, reset)}, ${{ chosen: "the chosen move", best: "the best move", try: "the best try" }[which]}`,
    even: "Then every column is even: the nim-sum is 0.",
    oddOnes: (/** @type {number} */ sum) => `Then the columns marked ▲ are odd: the nim-sum is ${sum}.`,
    /** The author of a theorem, before its statement. @param {{key: string, name: string}} block */
    theorem: ({ name }) => `${name}: `,
    /**
     * A theorem or sentence of the argument; its moves and positions are parsed, and `why.who` is to move. In English, the words
     * that come with the answer, without notation and with rows of sticks for heaps of stones.
     */
    block: (/** @type {any} */ block, /** @type {any} */ why) => onBoard(inWords(block, why)),
  },

  history: {
    curve: "The curve",
    byPly: "Curve by move",
    ply: (/** @type {number} */ n) => `move ${n}`,
    depth: "depth: moves to the end",
    whoWins: "who wins",
    wins: (/** @type {Who} */ who) => `${name(who)} win${s(who)}`,
    point: (
      /** @type {number} */ at,
      /** @type {string} */ position,
      /** @type {string} */ wins,
      /** @type {boolean} */ mistake,
    ) => `Move ${at} (${position}): ${wins}${mistake ? "; a win was thrown away" : ""}`,
    noMove: "No move has been made yet.",
    choose: "Choose a point to go back to it; Redo goes forward again. The arrow keys move along the curve.",
    noneThrown: "No move has thrown a win away.",
    thrown: (
      /** @type {number} */ ply,
      /** @type {Who} */ who,
      /** @type {Takes} */ takes,
      /** @type {boolean} */ reset,
    ) => `Move ${ply}: ${took(who, takes, reset)} and throw${s(who)} the win away.`,
    better: (/** @type {string} */ move) => `The best move was to ${move}.`,
    moves: "Moves",
    heads: ["no.", "who", "move", "position"],
    by: name,
    mistake: "threw the win away",
    variations: "Other lines of this game",
    variation: (/** @type {number} */ from, /** @type {string} */ moves) => `from move ${from}: ${moves}`,
  },

  map: {
    won: "won for the player to move",
    lost: "lost",
    here: "here",
    stronger: "stronger colour: further from the end",
    strongerValue: "stronger colour: larger value",
    plane: "The plane",
    axis: (/** @type {string} */ name) => name.replace("stones in row", "sticks in row").replace("currentmax: ", ""),
    none: (/** @type {string} */ place) => `${place}: no position`,
    cell: (/** @type {string} */ place, /** @type {boolean} */ win, /** @type {number | undefined} */ depth) =>
      `${place}: ${win ? "won" : "lost"} for the player to move${depth === undefined ? "" : `, ${plies(depth)}`}`,
    at: (/** @type {string} */ cell) => `Here: ${cell}.`,
    summary: (
      /** @type {string} */ across,
      /** @type {string} */ up,
      /** @type {number} */ lost,
      /** @type {number} */ known,
    ) => `${across}${up && ` against ${up}`}: ${lost} of ${known} positions are lost for the player to move.`,
    range: (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) =>
      `${name} from ${from} to ${to}`,
    /** What the colours show. */
    byOutcome: "won and lost",
    byDepth: "by depth",
    byValue: "by value (nim-sum)",
    against: (/** @type {string} */ name) => `compared with ${name}`,
    differs: (/** @type {string} */ name) => `another outcome in ${name}`,
    controls: "Zoom and move",
    /** What the keys and buttons of the map do. */
    does: /** @type {Record<string, string>} */ ({
      "-": "Smaller",
      "+": "Larger",
      ArrowLeft: "Move left",
      ArrowRight: "Move right",
      ArrowDown: "Move down",
      ArrowUp: "Move up",
      Home: "Back to the position",
    }),
    csv: "Save as CSV",
    svg: "Save as SVG",
    every: (/** @type {string} */ position) => `Every position from ${position}`,
    everyPosition: "Every position",
    /** A position of a pile, in lines of few letters; the level says how many stones are left. */
    label: (/** @type {Position["pile"]} */ pile) =>
      !pile?.stones
        ? ["nothing left"]
        : [`limit ${pile.limit}`, `resets ${pile.resets.join(", ")}`, ...(pile.imposed ? ["after a reset"] : [])],
    resets: "resets: first those of the player to move",
    winningMove: "winning move",
    played: "played",
    whole: (
      /** @type {string} */ position,
      /** @type {number} */ all,
      /** @type {number} */ lost,
      /** @type {number} */ moves,
      /** @type {string} */ played,
    ) =>
      `All ${all} positions from ${position} with ${moves} moves; ${lost} are lost for the player to move. Played: ${played}.`,
  },

  variants: {
    none: "There is no other table of this family of games.",
    differs: "The verdict on this position differs.",
    same: "The verdict on this position is the same in every respect.",
    sameOutcome: (/** @type {string[]} */ differing) =>
      `The same player wins. What differs: ${differing.map((key) => /** @type {Record<string, string>} */ ({ depth: "how soon", best: "the best move", winning: "the winning moves" })[key] ?? key).join(", ")}.`,
    go: "Continue under the other rules",
    best: (/** @type {string} */ move) => `Best move: ${move}`,
    bestTry: (/** @type {string} */ move) => `No move wins; the best try: ${move}`,
    win: (/** @type {number} */ n) => `${number(n)} moves win.`,
    notCovered: "The table of the other rules does not cover this position.",
    notAllowed: "not allowed",
    differ: "differs",
    moves: (/** @type {number} */ differing, /** @type {number} */ single) =>
      `${differing === 0 ? "No move has" : count(differing, "move has", "moves have")} a different outcome${single === 0 ? "." : `; ${count(single, "is", "are")} allowed under only one of the rulesets.`}`,
    both: "Moves under both rules",
    move: "move",
    more: (/** @type {number} */ n) => `and ${number(n)} more`,
  },

  table: {
    positions: "Positions",
    wins: "Won for the player to move",
    deepest: "Moves of the longest game",
    bytes: "Bytes of the file",
    digest: "Digest (BLAKE3)",
    cite: "Cite this table",
    copyText: "Copy the citation",
    copyBibtex: "Copy as BibTeX",
    copyAddress: "Copy the permanent address",
    copied: "Copied.",
    many: "Many positions at once",
    lines: "Positions, one a line",
    lookUp: "Look up",
    copyCsv: "Copy as CSV",
    invalid: "not a position of this game",
    heads: ["position", "result", "best move"],
    tooMany: (/** @type {number} */ most) => `Too many lines: give at most ${number(most)} at once.`,
  },

  error: {
    again: "Try again",
    close: "Close",
    nonsense: (/** @type {string} */ text) =>
      `The address ends with '#${text}', which this page does not understand. It may have been cut off. Choose a game.`,
    noTables: "The server has no tables yet.",
    refused: (/** @type {string} */ reasons) => `The server cannot serve its tables. ${reasons}.`,
    silent: "The server does not respond. It may have been stopped, or the network may be down.",
    cut: "The server's response was cut off.",
    part: "This part of the page could not be loaded. The network may be down, or there is a new version: then reload the page.",
    unsolved: (/** @type {string} */ why) => `The games cannot be solved in this browser: ${why}.`,
    noGames: "The list of games could not be loaded.",
    status: (/** @type {number} */ status) => `The server could not answer (status ${status}).`,
    long: "The address is too long. Begin at a later position.",
    unknown: (/** @type {string} */ parts) => `Not understood in the address: ${parts}. The rest is used.`,
    noDigest: (/** @type {{table?: string}} */ { table }) =>
      `The table with the digest ${table} is not here. Open its file, or choose a game.`,
    details: "Details",
    ofServer:
      "This page asks a server, and a server opens the tables of its own folder: put the file there (bouton-server --tables FOLDER). The page without a server opens tables too.",
    /** The messages about a file that is not a valid table, by the type of problem. */
    tables: /** @type {Record<string, (file: string) => string>} */ ({
      "urn:bouton:not-a-table": (file) =>
        `${file} is not a table of Bouton. Open a file that bouton generate has made.`,
      "urn:bouton:newer-table": (file) =>
        `${file} is a table of a kind that this page does not know. Use a newer version of the page, or make the table again.`,
      "urn:bouton:damaged-table": (file) =>
        `${file} is damaged: its content does not match its checksums. Copy the file again, or make the table again.`,
    }),
    file: (/** @type {string} */ name) =>
      `${name} is not a transcript of a game. Open a file that bouton-match or this page has saved.`,
  },

  /**
   * The messages for requests that the service refuses, by the type of problem. `start` is an example of a position; `rows` or
   * `stones`, and `passes`, are the maximum numbers of the game.
   */
  problem:
    /** @type {Record<string, (asked: {position?: string, moves?: string, table?: string, start?: string, rows?: number[], stones?: number, passes?: number}) => string>} */ ({
      "bad-position": ({ position, start, rows, stones, passes }) =>
        `'${position}' is not a position of this game. ${rows ? `${rows.length === 1 ? "It has" : "Its rows have"} up to ${listed(rows, "and")} sticks` : `It has up to ${number(stones ?? 0)} stones`}${passes ? `, and there ${passes === 1 ? "is one pass" : `are ${passes} passes`}` : ""}; ${start} is a position, for example.`,
      "bad-move": ({ moves }) => `The moves '${moves}' are not possible from this start.`,
      "bad-rules": ({ table }) =>
        `'${table}' does not describe the rules of a game. Choose a game, or make your own rules.`,
      "too-much": () =>
        "That is too much to work out here. Choose fewer or shorter rows, fewer stones, or a later position.",
      "no-such-table": ({ table }) => `There is no table '${table}' here; choose one from the list.`,
      "damaged-table": () => "The table of this game is damaged. Choose another game.",
      busy: () => "The server is busy. Try again in a moment.",
    }),

  gallery: {
    /** Plain names and a sentence for the games that come with the program, by the names of their tables. */
    games: /** @type {Record<string, [string, string]>} */ ({
      "twenty-one": ["21 sticks", "Take 1, 2 or 3. Whoever takes the last stick loses."],
      "own:bounds=21;take=3": ["21 sticks, last one wins", "Take 1, 2 or 3. Whoever takes the last stick wins."],
      sticks: ["Last stick loses", "Rows of 3, 5 and 7. Take any number from one row."],
      marienbad: ["Marienbad", "Rows of 1, 3, 5 and 7, as in the film. The last stick loses."],
      "sticks-normal": ["Last stick wins", "Rows of 3, 5 and 7 again, but now the last stick wins."],
      nim: ["Nim", "Up to five rows of up to 31 sticks. The last stick wins."],
      "nim-misere": ["Nim, last stick loses", "Up to five rows of up to 31 sticks, and the last one loses."],
      wythoff: ["Queen to the corner", "Take from one row, or the same number from both: Wythoff's game."],
      subtraction: ["One, three or four", "Take 1, 3 or 4 sticks from one row, and no other number."],
      moore: ["From two rows at once", "Take any number from one row or from each of two: Moore's game."],
      "nim-pass": [
        "Nim with one pass",
        "There is one pass in the whole game, for whoever uses it first. Nobody knows a formula for this game.",
      ],
      expanding: [
        "Expanding Nim",
        "The more is taken at once, the more may be taken next; a reset lowers the limit again.",
      ],
      "expanding-misere": ["Expanding Nim, last stone loses", "As Expanding Nim, but the last stone loses."],
      "expanding-growth-2": ["Expanding Nim, faster", "The limit grows by two instead of one."],
      "expanding-resets-1": ["Expanding Nim, one reset", "Each player has one reset only."],
    }),
    variants: (/** @type {number} */ n) => count(n, "variant"),
    lessons: [
      "Learn to win",
      "Ten short steps, from a mirror to binary numbers. After them, you win every won position of Nim.",
    ],
    match: [
      "A match elsewhere",
      "You play Expanding Nim at another table? Type what the opponent takes, and get your best move.",
    ],
    levels: { 1: "easy", 2: "medium", 3: "hard" },
    formula: "formula known",
    noFormula: "no formula known",
    opened: (/** @type {string} */ name) => `Opened: ${name}. It is in the gallery, until the page is closed.`,
    digest: (/** @type {string} */ digest) => `Digest ${digest}`,
    resume: (/** @type {string} */ name) => `Continue ${name}`,
  },

  seat: {
    line: (/** @type {string} */ opponent, /** @type {string} */ side) => [opponent, side].filter(Boolean).join(" · "),
    sides: { 1: "you play first", 2: "you play second" },
  },

  own: {
    title: "Your own rules",
    /** The error of a field: the text found, and the allowed values. */
    bad: (/** @type {string} */ label, /** @type {string} */ typed, /** @type {string} */ allowed) =>
      `${label}: ${typed && `'${typed}' is not possible; `}give ${allowed}.`,
    whole: (/** @type {number} */ many, /** @type {number} */ from, /** @type {number} */ to) =>
      `${many === 1 ? "a whole number" : `up to ${many} whole numbers`} from ${number(from)} to ${number(to)}`,
    takes: (/** @type {number} */ most) =>
      `whole numbers from 1 to ${number(most)}, or ranges of them, for example 1, 3, 4 or 1-3; or nothing, for any number`,
    fewer: "fewer numbers, or all from 1 on, for example 1-3",
    game: "Game",
    games: { heaps: "rows of sticks", expanding: "a pile, as in Expanding Nim" },
    whoWins: "The last one",
    last: { normal: "wins", misere: "loses" },
    heaps: "Sticks in each row",
    take: "A move takes (empty: any number; or 1-3, or 1, 3, 4)",
    passes: "Passes",
    stones: "Stones",
    growth: "The limit grows by",
    resets: "Resets of each player",
    play: "Play",
  },

  challenge: {
    about: "Find a winning move in each position. How many can you find in a row?",
    help: (/** @type {string[]} */ buttons) =>
      `Your streak ends if you get help (${buttons.join(", ")}) or skip a position.`,
    helpTaken: "You have had help: this position does not count, and your streak starts again.",
    helped: "Right, but with help.",
    none: "No won position was found. Try again, or choose another game.",
    begin: "Begin",
    next: "Next one",
    task: "This position is won. Find a move that wins.",
    right: (/** @type {number} */ streak) => `Right! ${streak === 1 ? "One found" : `${streak} found in a row`}.`,
    wrong: "That gives the win away.",
    better: (/** @type {string} */ move) => `A winning move was to ${move}. Your streak starts again.`,
    best: (/** @type {number} */ n) => `Your longest streak: ${n}.`,
  },

  learn: {
    step: (/** @type {number} */ n, /** @type {string} */ title, /** @type {boolean} */ done) =>
      `Step ${n}: ${title}${done ? ", done" : ""}`,
    first: "Whoever moves first",
    second: "Whoever moves second",
    right: "Right.",
    wrong: "Not quite.",
    play: (/** @type {string} */ position) => `Play from ${position}: you begin`,
    next: "Next step",
    done: "Done! You have won it against the perfect computer.",
    allDone: "Done, and with it the whole path. You can now win every won position of Nim.",
    columns: "The rows in binary",
    parity: "ones",
    odd: "odd",
    even: "even",
    chapters: ["First tricks", "Binary numbers", "Other games"],
    guess: "Who can force a win?",
    steps: {
      mirror: {
        title: "the mirror",
        text: "The last stick wins. Here are two rows of 4.",
        because:
          "Whoever moves second takes in the other row what was taken in the first: the rows are equal again, and at last both are empty.",
        task: "Now make two rows equal, and copy whatever the computer does.",
      },
      three: {
        title: "1, 2, 3",
        text: "Three rows of 1, 2 and 3; the last stick wins.",
        because:
          "Whatever the first takes, the second can leave two equal rows: 1, 2, 3 is lost for whoever must move.",
        task: "Leave the computer 1, 2, 3, and continue from there.",
      },
      fours: {
        title: "multiples of four",
        text: "One row of 8 sticks. A move takes 1, 2 or 3; the last stick wins.",
        because:
          "Whatever the first takes, the second can take what is missing to 4: then 4 are left, and then none. A row is lost if 4 divides it.",
        task: "Leave the computer a multiple of 4, every time.",
      },
      last: {
        title: "21 sticks",
        text: "The same moves, but now whoever takes the last stick loses. One row of 9.",
        because:
          "Now leave one more than a multiple of 4: 1, 5, 9, 13, 17 or 21. Whoever must move from there gets the last stick in the end.",
        task: "Here 20 of the 21 sticks are left. Leave one more than a multiple of 4.",
      },
      binary: {
        title: "ones in columns",
        text: "Write each row in binary, with 4, 2 and 1 as places, and look at the columns. Here 3 is 2 and 1; 5 is 4 and 1; 6 is 4 and 2.",
        because:
          "Each column has an even number of ones: the nim-sum is 0. Any move changes one row, and so makes a column odd; and the answer can make all columns even again.",
        task: "Find the row that you can change so that every column becomes even.",
      },
      odd: {
        title: "the odd column",
        text: "Rows of 3, 5 and 7; the last stick wins.",
        because:
          "The last column has three ones: it is odd. Look at the leftmost odd column, choose a row that has a one there, and turn over its digits in all odd columns: that is how many sticks to leave.",
        task: "Do the same here.",
      },
      sum: {
        title: "the nim-sum",
        text: "The nim-sum has a 1 for each odd column, and a 0 for each even one. Rows of 1, 2, 4 and 6; the last stick wins.",
        because:
          "Only the last column is odd: the nim-sum is 1, and not 0. Take the nim-sum of each row with this 1: that is what would have to stay there. It works only where the row gets shorter: 1 becomes 0, but 2, 4 and 6 would grow.",
        task: "Work out the nim-sum first. Only one row can get shorter by it.",
      },
      misere: {
        title: "when the last stick loses",
        text: "Now whoever takes the last stick loses: misère play. Three rows of 1.",
        because:
          "Each move takes one row, and the third is the last: the first player must take it. Play misère Nim like Nim, until a move leaves rows of one stick only; then leave an odd number of them.",
        task: "Leave an odd number of rows of one stick.",
      },
      queen: {
        title: "the queen",
        text: "A queen moves left, down or diagonally, and whoever brings her to the corner wins. She is on 1, 2.",
        because:
          "From each square that she reaches, the next move leads to the corner: 1, 2 is lost. Then come 3, 5 and 4, 7: each time the smallest number that is still missing, and a difference that grows by one.",
        task: "Bring the queen to a lost square, every time.",
      },
      table: {
        title: "no formula",
        text: "Expanding Nim: a move takes at most one more than the most taken at once so far, but always up to 3; the last stone wins. 8 stones are left.",
        because:
          "Nobody knows a formula for it. But from the end one can work out every position, and write it into a table. It says that every move from 8 has an answer that wins.",
        task: "Here are 10 stones. Press Show me, and play by the table.",
      },
    },
  },

  assignment: {
    goals: { "win-1": "Win once", "win-3": "Win 3 games", "win-5": "Win 5 games", find: "Find the winning move" },
    progress: (/** @type {number} */ n, /** @type {number} */ of) => `${n} of ${of}`,
    reached: "Goal reached.",
    name: "Your name, if you like",
    copy: "Copy the result",
    copied: "Result copied.",
    games: (/** @type {number} */ won, /** @type {number} */ games) => `${won} of ${count(games, "game")} won`,
    tries: (/** @type {number} */ n) => `found at try ${n}`,
    noHints: "without help",
    make: "As an assignment",
    about: "It begins at the position on the board. Whoever opens it plays the side that can win.",
    goal: "Goal",
    hints: "Help allowed",
    link: "Copy the assignment’s address",
  },

  transcript: {
    player: (/** @type {Who} */ who) =>
      ({ you: "you", table: "the computer", opponent: "opponent", first: "first", second: "second" })[who],
    game: (/** @type {number} */ n, /** @type {string} */ players) => `Game ${n}: ${players}`,
  },

  share: {
    scan: "For the class: scan this, or type the address.",
    code: (/** @type {string} */ address) => `QR code of ${address}`,
  },

  sheet: {
    named: ["Name:", "Date:"],
    moves: "Whoever moves can win from each of these positions. Find a winning move.",
    move: "Winning move:",
    table: "Begin with the smallest numbers. Shade every square from which whoever must move loses.",
    fixed: (/** @type {string} */ position) => `All else is as in ${position}.`,
    notice: "What do you notice?",
    solutions: (/** @type {string} */ name) => `Solutions: ${name}`,
    solution: (/** @type {import("../api.js").State} */ { outcome, winning, moves }) => {
      if (outcome === "loss") return "The second player wins: every move leads to a won position.";
      const said = moves.filter(({ move }) => winning.includes(move)).map(({ takes, reset }) => take(takes, reset));
      return `The first player wins: ${said.slice(0, 5).join("; or ")}${said.length > 5 ? "; and other moves" : ""}.`;
    },
    lost: (/** @type {string} */ name) => `Lost positions: ${name}`,
    lostFrom: (/** @type {string} */ position, /** @type {number} */ n) =>
      `Whoever must move in one of these ${number(n)} positions loses against perfect play. They are all that can be reached from ${position}; rows in another order are not listed again.`,
    lostPlane: (/** @type {string} */ position, /** @type {string} */ axes, /** @type {number} */ n) =>
      `Around ${position} these ${number(n)} positions are lost for whoever must move (${axes}); all else is as in ${position}.`,
  },

  terms: /** @type {Record<string, string>} */ ({
    moves: "The moves of both players are counted.",
    misère: "In misère play, whoever takes the last stick loses.",
    "nim-sum":
      "The nim-sum: write the rows in binary, below each other. Where a column has an odd number of ones, the nim-sum has a 1, and otherwise a 0.",
  }),
};
