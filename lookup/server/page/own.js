// *Your own rules*: a form that makes the name of a table of its own: the server solves it on the spot, or the browser does.

import { ApiError } from "./api.js";
import { html } from "./dom.js";
import { t } from "./language.js";

/** The name of the table of a ruleset. @param {Record<string, any>} rules */
export const ownName = (rules) =>
  `own:${Object.entries(rules)
    .map(([key, value]) => `${key}=${value}`)
    .join(";")}`;

/** Whether a table is that of own rules. */
export const isOwn = (/** @type {string} */ name) => name.startsWith("own:");

/** Whole numbers as people write them. @param {string} text */
function numbers(text) {
  const found = text.match(/\d+/g) ?? [];
  if (found.length === 0 || /[^\d\s,;.+x×–-]/.test(text)) throw new ApiError(400, t.own.bad(text), "");
  return found.map(Number);
}

/** So many numbers a range may have. */
const RANGE = 1000;

/** What a move may take: any number, 1 up to a number, or numbers, as rulesets have it. @param {string} text */
function taken(text) {
  if (text.trim() === "") return "any";
  const [, first, last] = /^\s*(\d+)\s*(?:-|–|…|\.\.)\s*(\d+)\s*$/.exec(text) ?? [];
  if (first === undefined) return numbers(text);
  const [from, to] = [Number(first), Number(last)];
  if (from === 1) return to;
  if (to < from || to - from >= RANGE) throw new ApiError(400, t.own.bad(text), "");
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

/** The form. @param {(name: string) => void} play @param {(error: Error) => void} failed */
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
        stones: numbers(stones.value)[0],
        growth: numbers(growth.value)[0],
        resets: [each[0], each[1] ?? each[0]],
        play,
      };
    }
    return { bounds: numbers(heaps.value), take: taken(take.value), passes: numbers(passes.value)[0], play };
  };
  return html(
    "form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        try {
          play(ownName(rules()));
        } catch (error) {
          failed(/** @type {Error} */ (error));
        }
      },
    },
    html("div", { class: "fields" }, field(t.own.game, game), field(t.own.whoWins, last)),
    ofHeaps,
    ofPile,
    html("p", {}, html("button", { class: "primary" }, t.own.play)),
  );
}
