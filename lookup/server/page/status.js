// The status line: the last moves, and whose turn it is. Screen readers get all sentences; the page shows the last ones
// that fit one line.

import { beforeFrame, byId, html } from "./dom.js";

/** The space between two sentences. (In French a no-break space precedes the mark, and none follows it.) */
const SENTENCE_GAP = /(?<=[.!?…])\s+/u;

/**
 * Shows the last sentences of a text, as many as fit one line.
 * @param {string} text
 * @param {string} heard a text for screen readers only, which the page shows elsewhere
 */
export function say(text, heard = "") {
  const sentences = text.split(SENTENCE_GAP).map((sentence) => html("span", {}, sentence));
  const rest = heard ? [html("span", { class: "heard" }, heard)] : [];
  const spaced = [...sentences, ...rest].flatMap((span, n) => (n === 0 ? [span] : [" ", span]));
  byId("status").replaceChildren(...spaced);
  fitSoon();
}

/** Hides the first sentences of the status line until the others fit. The last one always stays. */
export function fitStatus() {
  const status = byId("status");
  /** @type {HTMLElement[]} */ const shown = [...status.querySelectorAll("span:not([class='heard'])")];
  for (const span of shown) span.classList.remove("earlier");
  const line = Number.parseFloat(getComputedStyle(status).lineHeight);
  for (const span of shown.slice(0, -1)) {
    if (status.scrollHeight < 1.5 * line) return;
    span.classList.add("earlier");
  }
}

const fitSoon = beforeFrame(fitStatus);
