// Single-key shortcuts for the buttons, and the keys that walk through the game. They are inactive in text fields, and never
// replace the browser's shortcuts.

import { byId } from "./dom.js";
import { storeChoice, loadChoice } from "./storage.js";

/** Types of inputs that take text. */
const TEXT_INPUTS = new Set(["text", "number", "search", "url"]);

/** Returns whether keys typed at an element are text or a choice. */
function takesText(/** @type {EventTarget | null} */ target) {
  if (target instanceof HTMLInputElement) return TEXT_INPUTS.has(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** Connects the box that disables single-key shortcuts, also on later visits: they disturb speech input and unsteady hands. */
export function connectShortcutBox(/** @type {HTMLInputElement} */ box) {
  box.checked = loadChoice("keys-off") === null;
  box.addEventListener("change", () => storeChoice("keys-off", box.checked ? null : "true"));
}

/** Returns whether the page may use a key, because neither an element nor the browser does. */
const isFree = (/** @type {KeyboardEvent} */ event) =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  !takesText(event.target);

/** Elements that the arrow keys move or scroll. */
const ARROWS_MOVE = 'input[type="range"], .scroller';

/**
 * Connects the keys that walk through the game: left and right, Home and End. On the board they choose sticks instead.
 * @param {(key: string) => void} walk
 * @param {() => boolean} blocked returns whether the keys are inactive now
 */
export function connectWalk(walk, blocked) {
  document.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) || !isFree(event) || event.shiftKey) return;
    if (blocked() || (event.target instanceof Element && event.target.matches(ARROWS_MOVE))) return;
    event.preventDefault();
    walk(event.key);
  });
}

/** The buttons that keys press. @type {Record<string, string>} */
const BUTTONS = {
  u: "undo",
  y: "redo",
  p: "pause",
  t: "hint",
  s: "show",
  w: "why",
  h: "history",
  m: "map",
  v: "variants",
  c: "challenge",
  d: "table",
  l: "learn",
  g: "games",
  e: "guide",
  i: "reset",
  "?": "keys",
};

/** Clicks a button, if it is visible and enabled. */
function pressButton(/** @type {string} */ id) {
  if (byId(id).checkVisibility() && !byId(id).disabled) byId(id).click();
}

/**
 * Connects the keys.
 * @param {Record<string, () => void>} actions by key, besides those that press a button
 * @param {() => boolean} blocked returns whether the keys are inactive now
 */
export function connectKeys(actions, blocked) {
  document.addEventListener("keydown", (event) => {
    if (!isFree(event) || blocked()) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const button = Object.hasOwn(BUTTONS, key) ? BUTTONS[key] : null;
    const action = button ? () => pressButton(button) : actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
