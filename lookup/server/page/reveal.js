// Scrolls the page: to the board, after an action elsewhere has put a position on it, and to a panel that was opened.

import { byId, prefersNoMotion } from "./dom.js";

/** Time after an action in which the page may still scroll by itself, in ms. */
export const SCROLL_TIME = 1000;

/** Cancels the rest of the latest scroll. */
let latest = new AbortController();

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

/** Cancels the rest of earlier scrolls. @returns {AbortSignal} the signal of the scroll that begins */
export function beginScroll() {
  latest.abort();
  latest = new AbortController();
  return latest.signal;
}

/**
 * Scrolls status, board and buttons into view, before the next frame.
 * @param {boolean} gliding whether to scroll smoothly, if the reader allows motion
 */
export function revealBoard(gliding) {
  const signal = beginScroll();
  requestAnimationFrame(() => {
    if (signal.aborted) return;
    const top = distance();
    scrollBy({ top, behavior: gliding && !prefersNoMotion() ? "smooth" : "auto" });
    // While the page scrolls, the browser may be a frame ahead of the place that was measured. A scroll by 0 stops it there, which
    // may be out of view.
    if (Math.abs(top) < 1) requestAnimationFrame(() => signal.aborted || scrollBy({ top: distance() }));
  });
}

/** Scrolls a panel into view. @param {Element} panel @param {AbortSignal} signal */
export function revealPanel(panel, signal) {
  const [begun, before] = [performance.now(), document.activeElement];
  panel.scrollIntoView({ block: "nearest", behavior: prefersNoMotion() ? "auto" : "smooth" });
  // The smooth scroll may move a newly focused element out of view: bring it back, for keyboard users.
  const follow = () => {
    const focused = document.activeElement;
    const isElsewhere = focused !== before && focused !== document.body;
    if (isElsewhere && performance.now() - begun < 2 * SCROLL_TIME) focused?.scrollIntoView({ block: "nearest" });
  };
  window.addEventListener("scrollend", follow, { once: true, signal });
}
