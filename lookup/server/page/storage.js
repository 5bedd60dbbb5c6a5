// The reader's choices, stored in the browser for later visits. If the browser stores nothing, they are lost with the page.

/** @param {string} name */
export function loadChoice(name) {
  try {
    return localStorage.getItem(`bouton-${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} value null: nothing */
export function storeChoice(name, value) {
  try {
    if (value === null) localStorage.removeItem(`bouton-${name}`);
    else localStorage.setItem(`bouton-${name}`, value);
  } catch {
    // Storage is disabled: the choice lasts as long as the page.
  }
}
