// The page's texts, as the page has them.

import { readFile } from "node:fs/promises";

/** The folder of the page. */
export const PAGE = new URL("../../lookup/server/page/", import.meta.url);

/** The texts of a language. @returns {Promise<any>} */
export async function textsIn(/** @type {string} */ language) {
  const source = await readFile(new URL(`texts/${language}.js`, PAGE), "utf8");
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)).texts;
}
