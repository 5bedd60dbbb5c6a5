// Helpers to make elements. Strings always become text, so nothing from the server can become markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Adds attributes and children to an element.
 * @param {Element} element
 * @param {Record<string, unknown>} attributes functions are listeners (`onclick`), true is an empty attribute, null and false are left out
 * @param {(Node | string | null | undefined)[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {any}
 */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {any}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** Returns a tick in a circle for a win, or a cross in a square for a loss: the outlines differ even in greyscale and from afar. */
export function mark(/** @type {string} */ outcome) {
  const win = outcome === "win";
  return svg(
    "svg",
    { class: `mark ${outcome}`, viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
    win ? svg("circle", { cx: 8, cy: 8, r: 7.5 }) : svg("rect", { x: 1, y: 1, width: 14, height: 14, rx: 2 }),
    svg("path", { d: win ? "M4.2 8.4 7 11.2 11.9 5.2" : "M4.9 4.9 11.1 11.1M11.1 4.9 4.9 11.1" }),
  );
}

/** Returns the legend of a drawing, without its null entries. @param {(Node | string | null)[]} entries */
export function legend(...entries) {
  const spans = entries.map((entry) => (typeof entry === "string" ? html("span", {}, entry) : entry));
  return html("p", { class: "legend" }, ...spans);
}

/** Returns an entry of a legend: a swatch, which the style sheet draws, and its meaning. @param {string} name @param {string} words */
export function swatch(name, words) {
  return html("span", {}, html("span", { class: `swatch ${name}` }), words);
}

/** Returns the scale of drawings. Their letters have 12 px where those of the page have 16; on a projector both have the same size. */
export const drawingScale = () =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) /
  (document.body.classList.contains("present") ? 12 : 16);

/** Returns whether the reader prefers a page without motion. */
export function prefersNoMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Returns a function that lets `fit` run before the next frame, once however often it is called. The browser lays the page out then
 * anyway, so that reading sizes costs nothing.
 * @param {() => void} fit
 */
export function beforeFrame(fit) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      fit();
    });
  };
}

/** Shortens typed text for a message. */
export function shorten(/** @type {string} */ text) {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Returns a text for screen readers only. */
export function hiddenText(/** @type {string} */ text) {
  return html("span", { class: "unseen" }, text);
}

/** Returns a frame that scrolls sideways, also with the keyboard, so that the page itself need not. */
export function scroller(/** @type {string} */ label, /** @type {Node[]} */ ...children) {
  return html("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": label }, ...children);
}

/**
 * Returns a long table in a frame that scrolls.
 * @param {string} label
 * @param {string[]} heads the column headers; "" for none
 * @param {Node[]} rows
 */
export function scrollingTable(label, heads, rows) {
  const head = (/** @type {string} */ text) => (text ? html("th", { scope: "col" }, text) : html("td"));
  const table = html(
    "table",
    { class: "list" },
    html("thead", {}, html("tr", {}, ...heads.map(head))),
    html("tbody", {}, ...rows),
  );
  const frame = scroller(label, table);
  frame.classList.add("tall");
  return frame;
}
