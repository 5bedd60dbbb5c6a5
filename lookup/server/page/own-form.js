// The form of *Your own rules*, which makes the name of a table from what a reader types.

/** A field of the form. @typedef {{label: string, input: HTMLInputElement}} Field */

/**
 * Returns the function that makes the form. This module is loaded when *Your own rules* is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeOwnForm({ api: { ApiError }, dom: { html, shorten }, ownName, spellRules, t }) {
  /** Throws an error about the text in a field, and moves the focus there. @param {Field} field @param {string} allowed @returns {never} */
  function refuse({ label, input }, allowed) {
    input.focus();
    // Omit the examples in brackets from the label.
    throw new ApiError(400, t.own.bad(label.split(" (")[0], shorten(input.value.trim()), allowed));
  }

  /** What people write between the ends of a range, in the languages of the page. */
  const RANGE_MARK = /\s*(?:[-–—−…]|\.\.+|(?<=\s)(?:to|bis|à|al?|hasta)(?=\s))\s*/giu;
  /** What people write between the numbers of a list. */
  const LIST_MARK = /(?:\s*[,;+]\s*|\s+)(?:(?:and|or|und|oder|et|ou|y|o|u)\s+)?/iu;

  /** Reads a list of ranges as people write them: 1-3, 1 to 3, or a single number. Returns their first and last numbers; NaN for other text. */
  const readRanges = (/** @type {string} */ text) =>
    text
      .trim()
      .replace(/[,.;]$/, "")
      .replace(/^(?:from|von|del?)\s+/iu, "")
      .replace(/^(?:up to|bis(?: zu)?|jusqu.à|hasta)\s+/iu, "1-")
      .replace(RANGE_MARK, "-")
      .split(LIST_MARK)
      .map((part) => {
        const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
        return [Number(first), Number(last ?? first)];
      });

  /** Reads up to `count` whole numbers from `least` to `most`. @param {Field} field @param {number} count @param {number} least @param {number} most */
  function readNumbers(field, count, least, most) {
    // 3-4-5 are three rows, not a range.
    const all = readRanges(field.input.value.replace(/\s*[x×–—-]\s*/g, ","));
    const fits = all.length <= count && all.every(([from, to]) => from >= least && to === from && to <= most);
    return fits ? all.map(([number]) => number) : refuse(field, t.own.whole(count, least, most));
  }

  /** Reads the amounts that a move may take. Returns "any", a number n for 1 up to n, or a list, as in rulesets. @param {Field} field @param {import("./api.js").OwnLimits} limits */
  function readTake(field, limits) {
    if (field.input.value.trim() === "") return "any";
    const all = readRanges(field.input.value).sort(([a], [b]) => a - b);
    if (!all.every(([from, to]) => from >= 1 && to >= from && to <= limits.stones))
      refuse(field, t.own.takes(limits.stones));
    const last = Math.max(...all.map(([, to]) => to));
    const upTo = all.reduce((end, [from, to]) => (from > end + 1 ? end : Math.max(end, to)), 0);
    if (upTo === last && last > 1) return last;
    // Each amount takes at least two bytes in the name.
    if (all.reduce((sum, [from, to]) => sum + to - from, 0) > limits.spelling / 2) refuse(field, t.own.fewer);
    const each = all.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
    return [...new Set(each)].sort((a, b) => a - b);
  }

  /**
   * Returns the form.
   * @param {import("./api.js").OwnLimits} limits
   * @param {(name: string) => Promise<void>} play begins a game of a table
   * @param {(error: Error) => void} failed
   */
  function ownForm(limits, play, failed) {
    const labelled = (/** @type {{label: string, input: any}} */ { label, input }) =>
      html("p", {}, html("label", {}, html("span", {}, label), input));
    const text = (/** @type {string} */ label, /** @type {string} */ value) => ({
      label,
      input: html("input", { type: "text", value, autocomplete: "off", spellcheck: "false", inputmode: "text" }),
    });
    const choice = (/** @type {Record<string, string>} */ options) =>
      html("select", {}, ...Object.entries(options).map(([value, words]) => html("option", { value }, words)));
    const game = choice(t.own.games);
    const last = choice(t.own.last);
    const [heaps, take, passes] = [text(t.own.heaps, "3, 4, 5"), text(t.own.take, ""), text(t.own.passes, "0")];
    const [stones, growth, resets] = [text(t.own.stones, "100"), text(t.own.growth, "1"), text(t.own.resets, "4, 4")];
    const ofHeaps = html("div", { class: "fields" }, labelled(heaps), labelled(take), labelled(passes));
    const ofPile = html("div", { class: "fields", hidden: true }, labelled(stones), labelled(growth), labelled(resets));
    game.addEventListener("change", () => {
      ofHeaps.hidden = game.value !== "heaps";
      ofPile.hidden = game.value !== "expanding";
    });
    const rules = () => {
      const play = last.value;
      const most = limits.stones;
      if (game.value === "expanding") {
        const rules = {
          stones: readNumbers(stones, 1, 1, most)[0],
          growth: readNumbers(growth, 1, 0, most)[0],
          resets: readNumbers(resets, 2, 0, limits.resets),
          play,
        };
        return { ...rules, resets: [rules.resets[0], rules.resets.at(-1)] };
      }
      const bounds = readNumbers(heaps, limits.heaps, 1, most);
      const rules = { bounds, take: readTake(take, limits), passes: readNumbers(passes, 1, 0, limits.passes)[0], play };
      // Only the list of amounts can make the name too long.
      return spellRules(rules).length > limits.spelling ? refuse(take, t.own.fewer) : rules;
    };
    const button = html("button", { class: "primary" }, t.own.play);
    return html(
      "form",
      {
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          // Solving takes a while.
          button.disabled = true;
          try {
            await play(ownName(rules()));
          } catch (error) {
            failed(/** @type {Error} */ (error));
          }
          button.disabled = false;
        },
      },
      html(
        "div",
        { class: "fields" },
        labelled({ label: t.own.game, input: game }),
        labelled({ label: t.own.whoWins, input: last }),
      ),
      ofHeaps,
      ofPile,
      html("p", {}, button),
    );
  }

  return ownForm;
}
