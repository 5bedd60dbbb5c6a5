// The position in the address: /#table=sticks&position=2,5,7

/**
 * What an address asks for, or nulls.
 * @param {string} hash
 * @returns {{table: string | null, position: string | null}}
 */
export function parse(hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  return { table: asked.get("table"), position: asked.get("position") };
}

/** @param {string} table @param {string} position */
export function format(table, position) {
  // Commas and slashes need no escape after the #, and a teacher reads the address aloud.
  const plain = (/** @type {string} */ text) => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%2F", "/");
  return `#table=${plain(table)}&position=${plain(position)}`;
}

/** Whether what begins next is what the address asked for. */
let asked = true;

export function follow() {
  asked = true;
}

/**
 * Tells the address where the game is. A new game is a new step of the browser's history; the moves of one game are not,
 * since *Undo* takes them back, nor is a game that the address asked for: its step is there already.
 * @param {string} table
 * @param {string} position
 * @param {boolean} begins
 */
export function tell(table, position, begins) {
  const hash = format(table, position);
  if (hash !== location.hash) {
    if (begins && !asked) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }
  if (begins) asked = false;
}

/**
 * Copies the full address, or shows it selected in a field where copying is not allowed.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>} whether it was copied
 */
export async function share(field) {
  try {
    await navigator.clipboard.writeText(location.href);
    return true;
  } catch {
    field.hidden = false;
    field.value = location.href;
    field.focus();
    field.select();
    return false;
  }
}
