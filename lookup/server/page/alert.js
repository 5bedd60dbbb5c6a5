// Error messages, where everybody sees them, with a way to continue.

import { ApiError } from "./api.js";
import { byId, html } from "./dom.js";
import { t } from "./language.js";

/**
 * @param {unknown} error
 * @param {(() => void) | null} again what to retry, if it may succeed later
 */
export function fail(error, again) {
  const passing = !(error instanceof ApiError) || error.passing;
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) console.error(error);
  byId("alert").replaceChildren(
    html(
      "div",
      { class: "alert" },
      html("p", {}, text),
      html(
        "p",
        {},
        passing && again
          ? html(
              "button",
              {
                type: "button",
                onclick: () => {
                  clear();
                  again();
                },
              },
              t.error.again,
            )
          : null,
        html("button", { type: "button", class: "quiet", onclick: clear }, t.error.close),
      ),
    ),
  );
}

/** Removes the message. If it had the focus, the focus goes to the board, or to the button *Games*. */
export function clear() {
  const focused = byId("alert").contains(document.activeElement);
  byId("alert").replaceChildren();
  if (!focused) return;
  const board = byId("board").querySelector("[tabindex='0'], [tabindex='-1']");
  (board?.checkVisibility() ? board : byId("games")).focus();
}
