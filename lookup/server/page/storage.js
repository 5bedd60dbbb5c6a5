// The reader's choices, stored in the browser for later visits. If the browser stores nothing, they last until
// the page is closed.

/** Returns a stored choice; null if there is none. @param {string} name */
export function loadChoice(name) {
  try {
    return localStorage.getItem(`bouton-${name}`);
  } catch {
    return null;
  }
}

/** Stores a choice, or removes it. @param {string} name @param {string | null} value null to remove it */
export function storeChoice(name, value) {
  try {
    if (value === null) localStorage.removeItem(`bouton-${name}`);
    else localStorage.setItem(`bouton-${name}`, value);
  } catch {
    // Storage is disabled: the choice lasts as long as the page.
  }
}
