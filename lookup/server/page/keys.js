// Single-key shortcuts for the buttons. They are inactive in text fields, and do not replace the browser's shortcuts.

import { keep, kept } from "./storage.js";

/** Types of inputs that take text. */
const TYPED = new Set(["text", "number", "search", "url"]);

function typing(/** @type {EventTarget | null} */ target) {
  if (target instanceof HTMLInputElement) return TYPED.has(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** Connects the box that disables single-key shortcuts, also on later visits: they disturb speech input and unsteady hands. */
export function switchedBy(/** @type {HTMLInputElement} */ box) {
  box.checked = kept("keys-off") === null;
  box.addEventListener("change", () => keep("keys-off", box.checked ? null : "true"));
}

/**
 * @param {Record<string, () => void>} actions by key
 * @param {() => boolean} blocked whether keys do nothing now
 */
export function listen(actions, blocked) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (blocked() || typing(event.target)) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
