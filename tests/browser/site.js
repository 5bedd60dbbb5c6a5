// Serves the page without a server as a web host does: files of a folder, below a path.

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

/** The path of the site. It is not the root, so that only relative links work. */
const BASE_PATH = "/class/nim";
/** The path of a second version of the site; only the name of the version differs. */
const SECOND_PATH = `${BASE_PATH}/another`;

/** Whether the site was built, which needs a compiler for WebAssembly. */
export const isMade = Boolean(process.env.BOUTON_SITE);

/** The module by which the page asks for answers, and the folder of the modules that it uses. */
const TRANSPORT = new URL("../../lookup/web/site/transport.js", import.meta.url);
const SOURCES = new URL("../../lookup/server/page/", import.meta.url);

/**
 * Returns the file of a name in the folder of the site, or null. Tests may also use the name of the source: it stands for the file
 * with a digest in its name, or for a module that is a part of the page's script.
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

/** A cache of compressed files. @type {Map<string | URL, Buffer>} */ const cache = new Map();

/** Returns a file, compressed. @param {string | URL} file */
function gzipped(file) {
  const bytes = cache.get(file) ?? gzipSync(readFileSync(file));
  cache.set(file, bytes);
  return bytes;
}

/** Serves the site on a port of this machine. @returns {Promise<{address: string, stop: () => Promise<void>}>} */
export async function host() {
  const folder = process.env.BOUTON_SITE ?? "";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    const base = [SECOND_PATH, BASE_PATH].find((path) => pathname.startsWith(`${path}/`));
    const name = base === undefined ? null : normalize(pathname.slice(base.length));
    const file = name && find(folder, name);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const kind = /** @type {Record<string, string>} */ (KINDS)[extname(String(file))] ?? "application/octet-stream";
    const zipped = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    if (base === SECOND_PATH && name === "/offline.js") {
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
  return { address: `http://127.0.0.1:${port}${BASE_PATH}`, stop };
}
