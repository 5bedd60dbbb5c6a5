// The position in the address: /#table=sticks&position=2,5,7

/**
 * The table and the position that an address asks for; null for what it leaves out.
 * @param {string} hash
 * @returns {{table: string | null, position: string | null}}
 */
export function parse(hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  return { table: asked.get("table"), position: asked.get("position") };
}

/** @param {string} table @param {string} position */
export function format(table, position) {
  // Commas and slashes need no escape after the #, and without it the address is easier to read aloud.
  const plain = (/** @type {string} */ text) => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%2F", "/");
  return `#table=${plain(table)}&position=${plain(position)}`;
}

/** Whether the next game is the one that the address asks for. */
let asked = true;

export function follow() {
  asked = true;
}

/**
 * Writes the position into the address. A new game adds an entry to the browser's history. The moves of a game do not,
 * since *Undo* takes them back; nor does a game that the address asked for, since its entry exists already.
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
 * Copies the full address. If the browser does not allow that, shows it selected in a field.
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
