// Files that the page makes and the browser saves: transcripts, pictures and lists.

import { html, svg } from "./dom.js";
import { t } from "./language.js";
import { isOwn } from "./own-rules.js";

/** Saves a text as a file, with the game and the time in its name, so that several files can be distinguished. @param {string} table @param {string} ending @param {string} text */
export function download(table, ending, text) {
  const at = new Date();
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(two).join("-");
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join("");
  const address = URL.createObjectURL(new Blob([text], { type: TYPES[ending] }));
  html("a", { href: address, download: `${isOwn(table) ? "own-rules" : table}-${day}-${time}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Returns buttons that save what a map shows, as a list of positions and as a picture.
 * @param {string} table its name @param {() => SVGSVGElement} picture @param {() => (string | number | null | undefined)[][]} rows
 */
export function fileButtons(table, picture, rows) {
  const button = (/** @type {string} */ words, /** @type {() => void} */ onclick) =>
    html("button", { type: "button", onclick }, words);
  return [
    button(t.map.csv, () => download(table, "csv", toCsv(rows()))),
    button(t.map.svg, () => download(table, "svg", toSvg(picture()))),
  ];
}

/** @type {Record<string, string>} */
const TYPES = { jsonl: "application/jsonl", svg: "image/svg+xml", csv: "text/csv" };

/** Returns rows of cells as CSV (RFC 4180). @param {(string | number | null | undefined)[][]} rows */
export const toCsv = (rows) =>
  rows.map((row) => `${row.map((cell) => quoted(String(cell ?? ""))).join(",")}\r\n`).join("");

const quoted = (/** @type {string} */ cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The attributes of a drawing that style sheets set. */
const ATTRIBUTES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];

/** Returns a drawing as the text of an SVG file, which needs no style sheet. @param {SVGSVGElement} drawing */
export function toSvg(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const copies = copy.querySelectorAll("*");
  drawing.querySelectorAll("*").forEach((element, n) => {
    const style = getComputedStyle(element);
    for (const name of ATTRIBUTES) copies[n].setAttribute(name, style.getPropertyValue(name));
  });
  // Outside the page, its own variables mean nothing.
  for (const element of [copy, ...copies]) element.removeAttribute("style");
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const ground = getComputedStyle(document.documentElement).getPropertyValue("--card");
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: ground }));
  return new XMLSerializer().serializeToString(copy);
}
