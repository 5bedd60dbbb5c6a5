// *Your own rules*: names of tables that spell a ruleset. The server, or the browser, solves the game on request.

/** Prefix of table names that spell rules. */
const OWN = "own:";

/** Spells a ruleset. @param {Record<string, any>} rules */
export const spellRules = (rules) =>
  Object.entries(rules)
    .map(([key, value]) => `${key}=${spellValue(value)}`)
    .join(";");

/** Returns the name of the table of a ruleset. @param {Record<string, any>} rules */
export const ownName = (rules) => OWN + spellRules(rules);

/** Spells the value of a key. A list of one number has brackets: `take=[2]` means exactly 2, `take=2` up to 2. @param {any} value */
const spellValue = (value) => (Array.isArray(value) && value.length === 1 ? `[${value}]` : String(value));

/** Returns whether a name spells own rules. */
export const isOwn = (/** @type {string} */ name) => name.startsWith(OWN);
