// *Learn*: the panel with the steps of lessons.js. In each step the reader guesses the winner, and then plays.

/** @typedef {import("./lessons.js").Step} Step */

/**
 * Returns the function that draws the panel. This module is loaded when the panel is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeLearn({
  binary: { bit, nimSum, digitPlaces },
  dom: { html, scrollingTable },
  explainTerms,
  gallery: { pileMiniature, queenMiniature, stickMiniature },
  lessons: { CHAPTERS, mastered, STEPS },
  t,
}) {
  /** Returns the picture of a step's position, and its words. @param {Step} step @returns {[Node, string]} */
  function picture({ table, guess }) {
    const [first, second] = guess;
    if (table === "wythoff") return [queenMiniature(first, second), t.board.queen(guess.join(", "))];
    // The limit of a new pile.
    if (table === "expanding")
      return [pileMiniature(first, 3), t.position({ pile: { stones: first, limit: 3, resets: [], imposed: false } })];
    return [stickMiniature(guess), t.position({ heaps: guess })];
  }

  /** The first step that is not mastered, or the last one. */
  let stepIndex = [...STEPS.keys()].find((n) => !mastered.has(STEPS[n].key)) ?? STEPS.length - 1;
  /** The reader's guess whether the step's position is won; null before the guess. @type {boolean | null} */ let guessed =
    null;

  /**
   * Returns the current step.
   * @param {(table: string, position: string) => void} play begins the game of a step
   * @param {(said: string) => void} redraw draws the step again, and announces a sentence
   */
  function drawLearn(play, redraw) {
    const step = STEPS[stepIndex];
    const { title, text, because, task } = t.learn.steps[step.key];
    const isLast = stepIndex === STEPS.length - 1;
    const isAll = mastered.size === STEPS.length;
    const goTo = (/** @type {number} */ to) => () => {
      stepIndex = to;
      guessed = null;
      redraw(t.learn.step(to + 1, t.learn.steps[STEPS[to].key].title, false));
    };
    const stepButton = (/** @type {Step} */ { key }, /** @type {number} */ n) =>
      html(
        "li",
        {},
        html(
          "button",
          {
            type: "button",
            class: mastered.has(key) ? "step-of done" : "step-of",
            "aria-current": n === stepIndex ? "step" : null,
            "aria-label": t.learn.step(n + 1, t.learn.steps[key].title, mastered.has(key)),
            onclick: goTo(n),
          },
          mastered.has(key) ? "✓" : String(n + 1),
        ),
      );
    const path = CHAPTERS.map((steps, n) =>
      html(
        "li",
        {},
        t.learn.chapters[n],
        html("ol", { class: "steps" }, ...steps.map((step) => stepButton(step, STEPS.indexOf(step)))),
      ),
    );
    const guessButton = (/** @type {boolean} */ wins) =>
      html(
        "button",
        {
          type: "button",
          "aria-pressed": String(guessed === wins),
          "data-guess": wins ? "win" : "loss",
          onclick: () => {
            guessed = wins;
            redraw(`${wins === (step.wins ?? false) ? t.learn.right : t.learn.wrong} ${because}`);
          },
        },
        wins ? t.learn.first : t.learn.second,
      );
    const isRight = guessed === (step.wins ?? false);
    const answer =
      guessed === null
        ? []
        : [
            html(
              "p",
              { class: isRight ? "note right" : "note" },
              isRight ? t.learn.right : t.learn.wrong,
              " ",
              ...explainTerms(because),
            ),
            step.binary ? binaryTable(step.guess) : null,
            html("p", {}, ...explainTerms(task)),
            html(
              "p",
              {},
              html(
                "button",
                { type: "button", class: "primary", onclick: () => play(step.table, step.play) },
                t.learn.play(step.play),
              ),
            ),
            mastered.has(step.key) ? html("p", { class: "note right" }, isAll ? t.learn.allDone : t.learn.done) : null,
            mastered.has(step.key) && !isLast && !isAll
              ? html(
                  "p",
                  {},
                  html("button", { type: "button", class: "primary", onclick: goTo(stepIndex + 1) }, t.learn.next),
                )
              : null,
          ];
    const [drawn, words] = picture(step);
    return html(
      "div",
      { class: "text" },
      html("ol", { class: "path" }, ...path),
      html("h3", {}, t.learn.step(stepIndex + 1, title, false)),
      html("p", {}, ...explainTerms(text)),
      html("div", { role: "img", class: "position", "aria-label": words }, drawn),
      html("p", {}, html("b", {}, t.learn.guess)),
      html("p", { class: "actions" }, guessButton(true), guessButton(false)),
      ...answer,
    );
  }

  /** Returns the heaps in binary, and below each column whether it has an odd number of ones. */
  function binaryTable(/** @type {number[]} */ heaps) {
    const columns = digitPlaces(Math.max(...heaps));
    const row = (
      /** @type {string} */ name,
      /** @type {string} */ first,
      /** @type {(place: number) => string} */ cell,
    ) =>
      html(
        "tr",
        {},
        html("th", { scope: "row" }, name),
        html("td", {}, first),
        ...columns.map((place) => html("td", {}, cell(place))),
      );
    return scrollingTable(
      t.learn.columns,
      [t.why.row, t.why.heap, ...columns.map((place) => String(2 ** place))],
      [
        ...heaps.map((heap, n) => row(String(n + 1), String(heap), (place) => String(bit(heap, place)))),
        row("", t.learn.parity, (place) => (bit(nimSum(heaps), place) === 1 ? `▲ ${t.learn.odd}` : t.learn.even)),
      ],
    );
  }

  return drawLearn;
}
