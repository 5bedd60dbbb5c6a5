// What the browser keeps of the reader's choices for later visits. A browser that keeps nothing forgets them with the page.

/** @param {string} name */
export function kept(name) {
  try {
    return localStorage.getItem(`bouton-${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} value null: nothing */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`bouton-${name}`);
    else localStorage.setItem(`bouton-${name}`, value);
  } catch {
    // It is forgotten.
  }
}
