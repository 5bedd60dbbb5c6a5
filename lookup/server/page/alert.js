// Messages above the board: errors with a way to continue, and notes.

import { ApiError } from "./api.js";
import { byId, html } from "./dom.js";
import { t } from "./language.js";

/**
 * Shows an error, with a button to retry if that may succeed.
 * @param {unknown} error
 * @param {(() => void) | null} again retries
 */
export function fail(error, again) {
  const known = error instanceof ApiError;
  const text = error instanceof Error ? error.message : String(error);
  if (!known) console.error(error);
  const retry = () => {
    clear();
    again?.();
  };
  const button =
    again && (!known || error.isTemporary) ? html("button", { type: "button", onclick: retry }, t.error.again) : null;
  byId("alert").replaceChildren(showMessage("", text, known ? error.detail : "", button));
}

/** Adds a note to the messages that are shown. */
export function note(/** @type {string} */ text) {
  byId("alert").append(showMessage("noted", text, "", null));
}

/**
 * Shows a message, with the service's own words under *Details*.
 * @param {string} kind @param {string} text @param {string} detail @param {Node | null} button
 */
function showMessage(kind, text, detail, button) {
  const more = html(
    "details",
    {},
    html("summary", {}, t.error.details),
    html("p", { class: "aside", lang: "en" }, detail),
  );
  return html(
    "div",
    { class: `alert ${kind}` },
    html("div", {}, html("p", {}, text), detail && detail !== text ? more : null),
    html("p", {}, button, html("button", { type: "button", class: "quiet", onclick: clear }, t.error.close)),
  );
}

/** Removes the messages. If one of them had the focus, moves it to the board or, in the gallery, to the button *Games*. */
export function clear() {
  const focused = byId("alert").contains(document.activeElement);
  byId("alert").replaceChildren();
  if (!focused) return;
  const board = byId("board").querySelector("[tabindex='0'], [tabindex='-1']");
  (board?.checkVisibility() ? board : byId("games")).focus();
}
