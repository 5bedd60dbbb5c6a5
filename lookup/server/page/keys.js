// Single-key shortcuts for the buttons. They are inactive in text fields, and do not replace the browser's shortcuts.

import { storeChoice, loadChoice } from "./storage.js";

/** Types of inputs that take text. */
const TEXT_INPUTS = new Set(["text", "number", "search", "url"]);

function takesText(/** @type {EventTarget | null} */ target) {
  if (target instanceof HTMLInputElement) return TEXT_INPUTS.has(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** Connects the box that disables single-key shortcuts, also on later visits: they disturb speech input and unsteady hands. */
export function connectShortcutBox(/** @type {HTMLInputElement} */ box) {
  box.checked = loadChoice("keys-off") === null;
  box.addEventListener("change", () => storeChoice("keys-off", box.checked ? null : "true"));
}

/**
 * @param {Record<string, () => void>} actions by key
 * @param {() => boolean} blocked whether keys do nothing now
 */
export function connectKeys(actions, blocked) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (blocked() || takesText(event.target)) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
