// *Your own rules*: a form that makes the name of a table of its own: the server solves it on the spot, or the browser does.

import { ApiError } from "./api.js";
import { html } from "./dom.js";
import { t } from "./language.js";

/** The name of the table of a ruleset. @param {Record<string, any>} rules */
export const ownName = (rules) =>
  `own:${Object.entries(rules)
    .map(([key, value]) => `${key}=${spelled(value)}`)
    .join(";")}`;

/** A list of one number stands in brackets: `take=[2]` is exactly 2, and `take=2` up to 2. @param {any} value */
const spelled = (value) => (Array.isArray(value) && value.length === 1 ? `[${value}]` : String(value));

/** Whether a table is that of own rules. */
export const isOwn = (/** @type {string} */ name) => name.startsWith("own:");

/** So many numbers a range may have. */
const RANGE = 1000;

/** Whole numbers as people write them, also as ranges like 1-3 if they are allowed. @param {string} text @param {boolean} [ranges] */
function numbers(text, ranges = false) {
  const parts = text.trim().split(ranges ? /\s*[,;+]\s*|\s+(?![-–.…])(?<![-–.…]\s+)/ : /\s*[,;+x×–-]\s*|\s+/);
  return parts.flatMap((part) => {
    const [, first, last] = /^(\d{1,9})(?:\s*(?:-|–|…|\.\.)\s*(\d{1,9}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last ?? first)];
    if (first === undefined || to < from || to - from >= RANGE) throw new ApiError(400, t.own.bad(text), "");
    return Array.from({ length: to - from + 1 }, (_, n) => from + n);
  });
}

/** The one number of a field. @param {string} text */
function number(text) {
  const [only, ...more] = numbers(text);
  if (more.length > 0) throw new ApiError(400, t.own.bad(text), "");
  return only;
}

/** What a move may take: any number, 1 up to a number, or some numbers, as rulesets have it. @param {string} text */
function taken(text) {
  if (text.trim() === "") return "any";
  const all = [...new Set(numbers(text, true))].sort((a, b) => a - b);
  return all.length > 1 && all.every((number, n) => number === n + 1) ? all.length : all;
}

/** The form. @param {(name: string) => Promise<void>} play @param {(error: Error) => void} failed */
export function ownForm(play, failed) {
  const field = (/** @type {string} */ label, /** @type {any} */ input) =>
    html("p", {}, html("label", {}, html("span", {}, label), input));
  const text = (/** @type {string} */ value) =>
    html("input", { type: "text", value, autocomplete: "off", spellcheck: "false", inputmode: "text" });
  const choice = (/** @type {Record<string, string>} */ options) =>
    html("select", {}, ...Object.entries(options).map(([value, words]) => html("option", { value }, words)));
  const game = choice(t.own.games);
  const last = choice(t.own.last);
  const [heaps, take, passes] = [text("3, 4, 5"), text(""), text("0")];
  const [stones, growth, resets] = [text("100"), text("1"), text("4, 4")];
  const ofHeaps = html(
    "div",
    { class: "fields" },
    field(t.own.heaps, heaps),
    field(t.own.take, take),
    field(t.own.passes, passes),
  );
  const ofPile = html(
    "div",
    { class: "fields", hidden: true },
    field(t.own.stones, stones),
    field(t.own.growth, growth),
    field(t.own.resets, resets),
  );
  game.addEventListener("change", () => {
    ofHeaps.hidden = game.value !== "heaps";
    ofPile.hidden = game.value !== "expanding";
  });
  const rules = () => {
    const play = last.value;
    if (game.value === "expanding") {
      const each = numbers(resets.value);
      return {
        stones: number(stones.value),
        growth: number(growth.value),
        resets: [each[0], each[1] ?? each[0]],
        play,
      };
    }
    return { bounds: numbers(heaps.value), take: taken(take.value), passes: number(passes.value), play };
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
    html("div", { class: "fields" }, field(t.own.game, game), field(t.own.whoWins, last)),
    ofHeaps,
    ofPile,
    html("p", {}, button),
  );
}
