// Single-key shortcuts for the buttons. They are inactive in text fields, and never replace the browser's shortcuts.

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

/**
 * Connects the keys.
 * @param {Record<string, () => void>} actions by key
 * @param {() => boolean} blocked returns whether the keys are inactive now
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
