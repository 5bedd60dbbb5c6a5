// The language of the page: loads the texts, applies them to the page, and stores the reader's choice.

import { byId, html } from "./dom.js";
import { storeChoice, loadChoice } from "./storage.js";
import { texts as english } from "./texts/en.js";

/** @typedef {typeof english} Texts */

/** The texts in the reader's language. @type {Texts} */
export const t = { ...english };

/** The name of each language in that language. */
const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

/** Fetches the texts of a language; the English texts are part of the script. @type {Record<string, () => Promise<{texts: Texts}>>} */
const LOADERS = {
  de: () => import("./texts/de.js"),
  fr: () => import("./texts/fr.js"),
  es: () => import("./texts/es.js"),
};

/** The English texts of index.html, by their `data-t`. @type {Map<string, string>} */ const original = new Map();

/** Returns the language in the address, or the one chosen earlier, or the first known language of the browser. */
function preferredLanguage() {
  const named = new URLSearchParams(location.search).get("lang") ?? loadChoice("language");
  return [named, ...navigator.languages].map((name) => name?.slice(0, 2).toLowerCase() ?? "").find(isKnown) ?? "en";
}

const isKnown = (/** @type {string} */ name) => Object.hasOwn(LANGUAGES, name);

/** Returns a text of index.html in the reader's language, by its `data-t`. */
export const pageText = (/** @type {string} */ key) => t.html[key] ?? original.get(key) ?? "";

/** Switches to a language. If its file cannot be loaded, the page keeps the current one. */
async function applyLanguage(/** @type {string} */ name) {
  try {
    Object.assign(t, name === "en" ? english : (await LOADERS[name]()).texts);
  } catch {
    return;
  }
  document.documentElement.lang = t.code;
  for (const element of document.querySelectorAll("[data-t]")) {
    const key = element.getAttribute("data-t") ?? "";
    // A key with "@" sets the element's label, not its content.
    const label = key.startsWith("@");
    const now = label ? (element.getAttribute("aria-label") ?? "") : (element.textContent ?? "").trim();
    if (!original.has(key)) original.set(key, now);
    const text = pageText(key);
    if (text === now) continue;
    if (label) element.setAttribute("aria-label", text);
    else element.textContent = text;
  }
}

/**
 * Applies the reader's language, and connects the list of languages.
 * @param {() => void} changed called when the reader has chosen another language
 */
export async function chooseLanguage(changed) {
  const select = byId("language");
  select.replaceChildren(
    ...Object.entries(LANGUAGES).map(([code, name]) => html("option", { value: code, lang: code }, name)),
  );
  select.addEventListener("change", async () => {
    await applyLanguage(select.value);
    storeChoice("language", t.code);
    select.value = t.code;
    changed();
  });
  await applyLanguage(preferredLanguage());
  select.value = t.code;
}
