// The page's texts in each language, read from its sources.

import { readFile } from "node:fs/promises";

/** The folder of the page's sources. */
export const PAGE = new URL("../../lookup/server/page/", import.meta.url);

/** Returns the texts of a language. @returns {Promise<any>} */
export async function textsIn(/** @type {string} */ language) {
  const source = await readFile(new URL(`texts/${language}.js`, PAGE), "utf8");
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)).texts;
}
