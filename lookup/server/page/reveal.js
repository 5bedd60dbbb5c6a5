// Scrolls the board into view, after an action elsewhere on the page has put a position on the board.

import { byId, prefersNoMotion } from "./dom.js";

/** Space between the status line and the edge of the window, in pixels. */
const MARGIN = 8;

/** Returns the distance to scroll, in pixels, until status, board and the buttons below it are in view. */
function distance() {
  const buttons = byId("take").parentElement;
  const [status, board, actions] = [byId("status"), byId("board"), buttons].map((part) => part.getBoundingClientRect());
  // On a phone the buttons stick to the lower edge, over the board.
  const sticky = getComputedStyle(buttons).position === "sticky";
  const bottom = sticky ? board.bottom + actions.height : Math.max(board.bottom, actions.bottom);
  const top = status.top - MARGIN;
  // A board taller than the window is in view if it fills the window.
  if (bottom - status.top > innerHeight) return top > 0 || board.bottom < innerHeight / 2 ? top : 0;
  if (status.top < 0) return top;
  return Math.min(top, Math.max(0, bottom - innerHeight));
}

/** Returns whether status, board and buttons are in view. */
export const isBoardInView = () => Math.abs(distance()) < 1;

/** Scrolls status, board and buttons into view. @param {boolean} gliding whether to scroll smoothly, if the reader allows motion */
export function revealBoard(gliding) {
  scrollBy({ top: distance(), behavior: gliding && !prefersNoMotion() ? "smooth" : "auto" });
}
