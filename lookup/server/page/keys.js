// Single keys for what has a button. They do nothing while something is typed, and leave the browser its own.

/** Types of inputs into which letters go. */
const TYPED = new Set(["text", "number", "search", "url"]);

function typing(/** @type {EventTarget | null} */ target) {
  if (target instanceof HTMLInputElement) return TYPED.has(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/**
 * @param {Record<string, () => void>} actions by key
 * @param {() => boolean} blocked whether a dialog has the keys now
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
