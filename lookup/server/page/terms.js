// Technical terms in texts: each becomes a button that opens its explanation.

import { html } from "./dom.js";
import { t } from "./language.js";

/** Number of explanations made, for their ids. */
let termCount = 0;

/** Returns a text in which the first occurrence of each technical term is a button that opens its explanation. @returns {Node[]} */
export function explainTerms(/** @type {string} */ text) {
  const words = Object.keys(t.terms).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?<!\\p{L})(${words.join("|")})(?!\\p{L})`, "giu");
  /** @type {Set<string>} */ const seen = new Set();
  return text.split(pattern).map((part, n) => {
    const meaning = n % 2 === 1 ? t.terms[part.toLowerCase()] : undefined;
    if (meaning === undefined || seen.has(meaning)) return document.createTextNode(part);
    seen.add(meaning);
    return term(part, meaning);
  });
}

/** Returns a term with its explanation. @param {string} word @param {string} meaning */
function term(word, meaning) {
  const id = `term-${++termCount}`;
  const bubble = html("span", { class: "meaning", id, popover: "auto", role: "note" }, meaning);
  const button = html("button", { type: "button", class: "term", popovertarget: id }, word);
  bubble.addEventListener("toggle", () => {
    const box = button.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - bubble.offsetWidth - 8));
    const below = box.bottom + bubble.offsetHeight + 8 < window.innerHeight;
    Object.assign(bubble.style, {
      left: `${left}px`,
      top: `${below ? box.bottom + 4 : box.top - bubble.offsetHeight - 4}px`,
    });
  });
  return html("span", { class: "with-meaning" }, button, bubble);
}
