// *Challenge*: the reader has to find a winning move in won positions of the current game, in as many as possible
// without a mistake.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */

/**
 * Returns the functions that draw the panel, judge the reader, and choose positions. This module is loaded when the panel is first
 * opened or something is printed, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeChallenge({ api, dom: { html }, newSavedGame, pageText, storage: { loadChoice, storeChoice }, t }) {
  /** The `data-t` of the buttons that give an answer away. */
  const HELP_BUTTONS = ["hint", "show", "why", "map", "variants", "table", "print"];
  /** Maximum number of random positions to try until one is won and at least two thirds of its moves lose. */
  const MAX_TRIES = 12;

  /** Number of challenges solved in a row, without help. */
  let streak = 0;
  /**
   * The challenge on the board. `helped`: whether the reader has looked at an answer; `verdict` and `more`: the sentences on the
   * reader's move, "" before it.
   * @type {{table: string, position: string, helped: boolean, verdict: string, more: string} | null}
   */
  let task = null;

  const randomInteger = (/** @type {number} */ least, /** @type {number} */ most) =>
    least + Math.floor(Math.random() * (most - least + 1));

  /** Returns a random position that is small enough for people. @param {Table} table @param {number[]} [bounds] the most sticks of each row */
  function randomPosition({ game, rules }, bounds = rules.bounds?.slice(0, 4)) {
    if (game === "expanding") return String(randomInteger(Math.min(5, rules.stones), Math.min(40, rules.stones)));
    const most = bounds.length === 1 ? 21 : 9;
    return bounds.map((bound) => randomInteger(0, Math.min(most, bound))).join(",");
  }

  /** Returns a won position, preferably one in which most moves lose. @returns {Promise<import("./api.js").State | null>} */
  async function wonPosition(/** @type {Table} */ table) {
    let found = null;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const state = await api.state(table.name, randomPosition(table));
      if (state.outcome !== "win" || state.over) continue;
      found = state;
      if (state.moves.length > 2 && state.winning.length * 3 <= state.moves.length) break;
    }
    return found;
  }

  /** Returns whether a game is that of the challenge, and not another one from the same position. @param {Game} game */
  const isTask = ({ table, plies, opponent }) =>
    task !== null && opponent === "friend" && table?.name === task.table && plies[0].state.position === task.position;

  /** Judges the reader's move in a challenge. @returns {string[]} the verdict and further sentences to announce; empty if there is no move yet */
  function judgeAnswer(/** @type {Game} */ game) {
    if (!task || task.verdict || game.at !== 1 || !isTask(game)) return [];
    const [asked, answered] = game.plies;
    const right = answered.state.outcome === "loss";
    streak = right && !task.helped ? streak + 1 : 0;
    if (streak > Number(loadChoice("streak") ?? 0)) storeChoice("streak", String(streak));
    const best = asked.state.moves.find(({ move }) => move === asked.state.best);
    if (right) task.verdict = task.helped ? t.challenge.helped : t.challenge.right(streak);
    else
      [task.verdict, task.more] = [t.challenge.wrong, t.challenge.better(best ? t.take(best.takes, best.reset) : "")];
    return [task.verdict, task.more];
  }

  /** Records that the reader has looked at an answer. @returns {boolean} whether the challenge therefore no longer counts */
  function recordHelp(/** @type {Game} */ game) {
    if (!task || task.verdict || task.helped) return false;
    if (game.table?.name !== task.table || game.state.position !== task.position) return false;
    task.helped = true;
    streak = 0;
    return true;
  }

  /** Returns the panel's content. @param {Game} game @param {() => void} cover hides the answers that are on the page */
  function drawChallenge(game, cover) {
    const { table } = game;
    const here = isTask(game);
    const next = async () => {
      if (!table) return;
      const find = async () => {
        const found = await wonPosition(table);
        if (!found) throw new api.ApiError(404, t.challenge.none);
        // Skipping a position counts as not solved.
        if (task && !task.verdict) streak = 0;
        task = { table: table.name, position: found.position, helped: false, verdict: "", more: "" };
        cover();
        return { table, saved: newSavedGame(table.name, found.position, [], "friend") };
      };
      await game.resume(find, { once: true, panel: "challenge" });
    };
    const said = task?.verdict ? `${task.verdict} ${task.more}` : t.challenge.task;
    const longest = Number(loadChoice("streak") ?? 0);
    return html(
      "div",
      {},
      html("p", here ? { class: "big" } : {}, here ? said : t.challenge.about),
      here && task?.helped
        ? html("p", { class: "note" }, t.challenge.helpTaken)
        : html("p", { class: "aside" }, t.challenge.help(HELP_BUTTONS.map(pageText))),
      longest > 0 ? html("p", { class: "aside" }, t.challenge.best(longest)) : null,
      html(
        "p",
        {},
        html(
          "button",
          { type: "button", class: "primary", onclick: next },
          here ? t.challenge.next : t.challenge.begin,
        ),
      ),
    );
  }

  return { drawChallenge, judgeAnswer, randomPosition, recordHelp };
}
