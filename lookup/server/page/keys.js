// Single keys for the buttons. They do nothing while somebody types, and leave the browser's own shortcuts alone.

/** Types of inputs that take text. */
const TYPED = new Set(["text", "number", "search", "url"]);

function typing(/** @type {EventTarget | null} */ target) {
  if (target instanceof HTMLInputElement) return TYPED.has(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** Under this name the browser keeps that single keys are switched off: they get in the way of speech input, and of slipping fingers. */
const OFF = "bouton-keys-off";

/** Connects the box that switches single keys off, also for later visits. */
export function switchedBy(/** @type {HTMLInputElement} */ box) {
  try {
    box.checked = localStorage.getItem(OFF) === null;
    box.addEventListener("change", () => {
      if (box.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, "true");
    });
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
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
