// *Assignment*: a goal that a teacher sets in an address. The pupil sees the goal and the progress above the board and, once
// the goal is reached, a result to copy. Nothing is sent anywhere.

/** @typedef {import("./game.js").Game} Game */
/** The progress in an assignment: its address, the games played (or moves tried), those won, and when the goal was reached. @typedef {{of: string, games: number, won: number, reached: number}} Progress */

/**
 * Returns the functions that count the games of an assignment, show its goal, and offer to make one. This module is loaded when
 * the first assignment begins or a position is shared, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeAssignment({
  address,
  dom: { byId, html, mark },
  gallery: { nameOf },
  GOALS,
  newSavedGame,
  notation: { parsePosition },
  pageText,
  storage: { loadChoice, storeChoice },
  t,
}) {
  /** The opponents that a goal may be set against. */
  const LEVELS = /** @type {const} */ (["perfect", "medium", "easy"]);

  /** The games and moves that are counted already: *Undo* and *Redo* do not count them again. @type {WeakSet<object>} */
  const counted = new WeakSet();
  /** The name that the pupil has typed, for the result. */
  let pupil = "";

  /** The progress in the assignment that was worked on last, as it is stored: its parts in lines. @type {Progress | null} */
  let last = null;
  const [stored, ...counts] = (loadChoice("assignment") ?? "").split("\n");
  if (counts.length === 3) {
    const [games, won, reached] = counts.map(Number);
    last = { of: stored, games, won, reached };
  }

  /** Returns the progress in the assignment of the game. @returns {Progress} */
  function progressOf(/** @type {Game} */ game) {
    const of = address.formatAssignment(game.saved);
    return last?.of === of ? last : { of, games: 0, won: 0, reached: 0 };
  }

  /** Keeps the progress for later visits. */
  function store(/** @type {Progress | null} */ progress) {
    last = progress;
    storeChoice("assignment", progress && [progress.of, progress.games, progress.won, progress.reached].join("\n"));
  }

  /** Returns how many times the goal asks for a win. */
  const neededWins = (/** @type {string} */ goal) => Number(goal.split("-")[1] ?? 1);

  /**
   * Counts the game on the board if it has ended or, if the goal is a move, if that was made. Returns the sentence to announce, or "".
   * @param {Game} game @param {boolean} begins whether the game was put on the board by this, and not by a move
   */
  function recordProgress(game, begins) {
    const { assignment, plies, at, state } = game;
    if (!assignment) return "";
    const finds = assignment.goal === "find";
    const [what, isOver] = finds ? [plies[1], at === 1] : [plies[0], state.over];
    if (!isOver || counted.has(what)) return "";
    counted.add(what);
    // A game that is loaded at its end was counted when it ended.
    if (begins) return "";
    const before = progressOf(game);
    // The result stays as it was when the goal was reached.
    if (before.reached) return "";
    const isWon = finds ? state.outcome === "loss" : game.winner() === game.side;
    const won = before.won + Number(isWon);
    const isReached = won >= neededWins(assignment.goal);
    store({ ...before, games: before.games + 1, won, reached: isReached ? Date.now() : 0 });
    return isReached ? t.assignment.reached : finds && !isWon ? t.challenge.wrong : "";
  }

  /** Shows the goal and the progress; after the end, the result. @param {Game} game @param {(text: string) => void} copy */
  function showAssignment(game, copy) {
    const { assignment, table, opponent } = game;
    const place = byId("assignment");
    place.hidden = !assignment;
    document.body.classList.toggle("no-hints", assignment !== null && !assignment.hints);
    if (!assignment || !table) return;
    const { goal } = assignment;
    const { games, won, reached } = progressOf(game);
    const needed = neededWins(goal);
    const against = goal === "find" ? "" : pageText(opponent);
    const progress = goal === "find" ? (games > 0 ? t.challenge.wrong : "") : t.assignment.progress(won, needed);
    const aim = html(
      "p",
      {},
      html("b", {}, reached ? mark("win") : null, t.assignment.goals[goal]),
      html("span", {}, against),
      html("span", { class: "aside" }, reached ? "" : progress),
    );
    const restart = () => {
      // After the goal, another pupil may begin on the same device.
      if (reached) store(null);
      game.again();
    };
    const again = html("button", { type: "button", class: "quiet", onclick: restart }, pageText("restart"));
    if (!reached) return place.replaceChildren(aim, again);
    const result = () =>
      [
        pupil.trim(),
        `${t.assignment.goals[goal]}: ${t.assignment.reached}`,
        nameOf(table),
        t.position(parsePosition(table, game.plies[0].state.position)),
        against,
        assignment.hints ? "" : t.assignment.noHints,
        goal === "find" ? t.assignment.tries(games) : t.assignment.games(won, games),
        new Date(reached).toLocaleDateString(t.code, { dateStyle: "long" }),
      ]
        .filter(Boolean)
        .join(" · ");
    const said = html("output", {}, result());
    const name = html("input", {
      type: "text",
      value: pupil,
      autocomplete: "off",
      maxlength: 60,
      oninput: () => {
        pupil = name.value;
        said.textContent = result();
      },
    });
    place.replaceChildren(
      aim,
      html("label", {}, t.assignment.name, name),
      html("button", { type: "button", onclick: () => copy(result()) }, t.assignment.copy),
      again,
      said,
    );
  }

  /** Shows the form that makes an assignment from the position on the board. @param {Game} game @param {(hash: string) => void} share copies an address */
  function offerAssignment(game, share) {
    const { table, state, opponent } = game;
    const form = byId("assign");
    form.hidden = !table || state.over;
    if (!table || state.over) return;
    const choice = (/** @type {string} */ label, /** @type {[string, string][]} */ options, chosen = "") => {
      const select = html(
        "select",
        {},
        ...options.map(([value, words]) => html("option", { value, selected: value === chosen }, words)),
      );
      return { select, label: html("label", {}, label, select) };
    };
    // The pupil plays for the player who can win. Positions of heap games do not name the player to move, which is player 1.
    const isWon = state.outcome === "win";
    const mover = state.player ?? 1;
    const goals = GOALS.filter((goal) => goal !== "find" || isWon);
    const goal = choice(
      t.assignment.goal,
      goals.map((goal) => [goal, t.assignment.goals[goal]]),
    );
    const level = choice(
      pageText("opponent"),
      LEVELS.map((level) => [level, pageText(level)]),
      opponent,
    );
    const hints = html("input", { type: "checkbox" });
    const link = () =>
      address.formatAssignment({
        ...newSavedGame(table.name, state.position, [], level.select.value, isWon ? mover : mover === 1 ? 2 : 1),
        assignment: { goal: goal.select.value, hints: hints.checked },
      });
    form.onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      share(link());
    };
    form.replaceChildren(
      html("h3", {}, t.assignment.make),
      html("p", { class: "aside" }, t.assignment.about),
      goal.label,
      level.label,
      html("label", { class: "check" }, hints, t.assignment.hints),
      html("button", {}, t.assignment.link),
    );
    form.scrollIntoView({ block: "nearest" });
  }

  return { offerAssignment, recordProgress, showAssignment };
}
