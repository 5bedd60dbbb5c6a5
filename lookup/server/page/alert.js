// What went wrong, where everybody sees it, and with a way on.

import { ApiError } from "./api.js";
import { byId, html } from "./dom.js";

/**
 * @param {unknown} error
 * @param {(() => void) | null} again what to do once more, if it may succeed later
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
              "Try again",
            )
          : null,
        html("button", { type: "button", class: "quiet", onclick: clear }, "Close"),
      ),
    ),
  );
}

/** Takes the message away. The focus, if it was there, goes to the board, or to what can be played. */
export function clear() {
  const focused = byId("alert").contains(document.activeElement);
  byId("alert").replaceChildren();
  if (focused) (byId("board").querySelector("[tabindex='0'], [tabindex='-1']") ?? byId("game")).focus();
}
