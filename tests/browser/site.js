// The page without a server, served as a web host does: files of a folder, below a path.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, parse } from "node:path";
import { gzipSync } from "node:zlib";

const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** The path below which the site lies: links must be relative. */
const BELOW = "/class/nim";
/** The path of a second version of the site; only the name of the version differs. */
const ANOTHER = `${BELOW}/another`;

/** Whether the site was built, which needs a compiler for WebAssembly. */
export const isMade = Boolean(process.env.BOUTON_SITE);

/** The page's way to ask, as a module of its own, and the folder of the modules that it uses. */
const TRANSPORT = new URL("../../lookup/web/site/transport.js", import.meta.url);
const SOURCES = new URL("../../lookup/server/page/", import.meta.url);

/**
 * The file of a name, in the folder of the site. Tests also ask for one by the name that it has in the sources: it is then the
 * one with any digest in its name, or a module that is a part of the page's script.
 * @param {string} folder
 * @param {string} name
 */
function find(folder, name) {
  const file = join(folder, name.endsWith("/") ? `${name}index.html` : name);
  if (existsSync(file)) return statSync(file).isFile() ? file : null;
  if (name === "/page/transport.js") return TRANSPORT;
  const { dir, name: stem, ext } = parse(file);
  const names = existsSync(dir) ? readdirSync(dir) : [];
  const found = names.find((other) => other.startsWith(`${stem}-`) && other.endsWith(ext));
  if (found) return join(dir, found);
  const source = new URL(name.replace("/page/", "./"), SOURCES);
  return existsSync(source) ? source : null;
}

/** A cache of compressed files. @type {Map<string | URL, Buffer>} */ const kept = new Map();

/** A file, compressed. @param {string | URL} file */
function gzipped(file) {
  const bytes = kept.get(file) ?? gzipSync(readFileSync(file));
  kept.set(file, bytes);
  return bytes;
}

/** Serves the site. @returns {Promise<{address: string, stop: () => Promise<void>}>} */
export async function host() {
  const folder = process.env.BOUTON_SITE ?? "";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    const below = [ANOTHER, BELOW].find((path) => pathname.startsWith(`${path}/`));
    const name = below === undefined ? null : normalize(pathname.slice(below.length));
    const file = name && find(folder, name);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const kind = /** @type {Record<string, string>} */ (KINDS)[extname(String(file))] ?? "application/octet-stream";
    const zipped = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    if (below === ANOTHER && name === "/offline.js") {
      response.writeHead(200, { "content-type": kind });
      response.end(readFileSync(file, "utf8").replace(/[0-9a-f]{16}(?=";)/, "0".repeat(16)));
      return;
    }
    response.writeHead(200, { "content-type": kind, ...(zipped && { "content-encoding": "gzip" }) });
    response.end(zipped ? gzipped(file) : readFileSync(file));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(null)));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  const stop = () =>
    new Promise((/** @type {(nothing: void) => void} */ stopped) => {
      server.closeAllConnections();
      server.close(() => stopped());
    });
  return { address: `http://127.0.0.1:${port}${BELOW}`, stop };
}
