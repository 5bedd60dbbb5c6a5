// A panel: a part of the page that a button opens. It sends requests only while it is open.

import { html } from "./dom.js";
import { t } from "./language.js";
import { SCROLL_TIME, beginScroll, revealPanel } from "./reveal.js";

/** @typedef {import("./game.js").Game} Game */

export class Panel {
  #requests = 0;

  /**
   * @param {HTMLButtonElement} button opens and closes it
   * @param {(game: Game, width: number) => Promise<Node> | Node} draw returns its content for a game
   * @param {(error: unknown, again: () => void) => void} failed
   */
  constructor(button, draw, failed) {
    this.button = button;
    this.section = /** @type {HTMLElement} */ (document.getElementById(button.getAttribute("aria-controls") ?? ""));
    this.body = /** @type {HTMLElement} */ (this.section.querySelector(".body"));
    this.draw = draw;
    this.failed = failed;
  }

  get open() {
    return this.button.getAttribute("aria-expanded") === "true";
  }

  /** Opens or closes it. @param {Game} game @param {boolean} reveals whether the page scrolls to it */
  toggle(game, reveals = true) {
    const open = !this.open;
    this.button.setAttribute("aria-expanded", String(open));
    this.section.hidden = !open;
    if (open && !reveals) return void this.update(game);
    const signal = beginScroll();
    if (!open) return this.body.replaceChildren();
    // On a phone the panels are below the window. Scroll once more when the content has arrived, unless the page has scrolled
    // elsewhere by then.
    const begun = performance.now();
    revealPanel(this.section, signal);
    this.update(game).then(() => {
      const isBelow = this.section.getBoundingClientRect().top > window.innerHeight / 2;
      if (isBelow && !signal.aborted && performance.now() - begun < SCROLL_TIME) revealPanel(this.section, signal);
    });
  }

  /** Shows the current position, if the panel is open. A response that arrives after the next request is dropped. */
  async update(/** @type {Game} */ game) {
    if (!this.open || game.plies.length === 0) return;
    const request = ++this.#requests;
    if (!this.body.hasChildNodes()) this.body.append(html("p", { class: "aside" }, t.status.loading));
    try {
      const drawn = await this.draw(game, this.body.clientWidth);
      if (request !== this.#requests || !this.open) return;
      this.#replace(drawn);
    } catch (error) {
      if (request !== this.#requests || !this.open) return;
      this.body.replaceChildren(html("p", { class: "aside" }, error instanceof Error ? error.message : String(error)));
      this.failed(error, () => this.update(game));
    }
  }

  /** Replaces the content. If the focus is in it, moves the focus to the same element of the new content, or to the button. */
  #replace(/** @type {Node} */ drawn) {
    const focused = document.activeElement;
    const same = focused && this.body.contains(focused) ? selector(focused) : null;
    const alike = () => [...this.body.querySelectorAll(same ?? "no")];
    const place = focused ? alike().indexOf(focused) : -1;
    if (drawn.parentNode !== this.body) this.body.replaceChildren(drawn);
    for (const scroller of this.body.querySelectorAll(".scroller")) center(scroller);
    if (same === null) return;
    // Do not scroll: the page may be scrolling to the board.
    const again = /** @type {HTMLElement} */ (alike()[place] ?? this.button);
    again.focus({ preventScroll: true });
    if (document.activeElement !== again) this.button.focus({ preventScroll: true });
  }
}

/** Returns a selector that finds an element of a panel, perhaps with others like it, after the panel was redrawn. */
function selector(/** @type {Element} */ element) {
  const ply = element.getAttribute("data-ply");
  if (ply !== null) return `[data-ply="${ply}"]`;
  const label = element.getAttribute("aria-label");
  return label === null ? element.localName : `[aria-label="${CSS.escape(label)}"]`;
}

/** Scrolls sideways to the current position. */
function center(/** @type {Element} */ scroller) {
  const here = scroller.querySelector("[data-here]");
  if (!here) return;
  const [frame, box] = [scroller.getBoundingClientRect(), here.getBoundingClientRect()];
  scroller.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
}
