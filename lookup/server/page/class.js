// The address for a class: if other machines can reach the service, pupils scan its QR code with their phones.

import { byId, html, svg } from "./dom.js";
import { t } from "./language.js";
import { ask } from "./transport.js";

/** Maximum length of the address from its # on; the service makes no QR code of more. */
const MAX_HASH_BYTES = 1_200;

/** Number of requests so far: a response to an earlier one is dropped. */
let requests = 0;

/** Removes the address of an earlier position. */
export function hideAddress() {
  requests++;
  byId("class").hidden = true;
}

/** Shows the address as text and as a QR code, if the service has one for other machines. @param {string} hash the part from the # on */
export async function showAddress(hash) {
  hideAddress();
  if (hash.length > MAX_HASH_BYTES) return;
  const place = byId("class");
  const question = requests;
  const { status, body } = await ask("class", { hash });
  if (status !== 200 || !body?.address || question !== requests) return;
  const { address, size, modules } = body;
  // QR readers need a light margin around the code.
  const edge = 4;
  place.replaceChildren(
    html("p", {}, t.share.scan, html("br"), html("a", { href: address }, address)),
    svg(
      "svg",
      {
        class: "qr",
        viewBox: `${-edge} ${-edge} ${size + 2 * edge} ${size + 2 * edge}`,
        role: "img",
        "aria-label": t.share.code(address),
      },
      svg("rect", { class: "paper", x: -edge, y: -edge, width: size + 2 * edge, height: size + 2 * edge }),
      svg("path", { class: "ink", d: modules }),
    ),
  );
  place.hidden = false;
}
