// Measures the processor time in which the page without a server solves each of its games, and the sizes of its files.
//   node tests/browser/solve.js SITE
// SITE is a folder that lookup/web/build made.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node solve.js SITE");
  process.exit(2);
}

const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
let total = 0;
for (const { parentPath, name } of files) {
  const bytes = gzipSync(readFileSync(join(parentPath, name)), { level: 9 }).length;
  total += bytes;
  if (bytes > 20_000) console.log(`${name}: ${(bytes / 1000).toFixed(0)} KB gzipped`);
}
console.log(`${files.length} files: ${(total / 1000).toFixed(0)} KB gzipped`);

/** Returns the content of the file with this ending; its name has a digest in it. */
const file = (/** @type {string} */ ending) => {
  const found = files.find(({ name }) => name.endsWith(ending));
  if (!found) throw new Error(`${folder} has no file ${ending}; was it made by lookup/web/build?`);
  return readFileSync(join(found.parentPath, found.name));
};

const wasm = await WebAssembly.compile(file(".wasm"));
const { rulesets } = JSON.parse(file(".json").toString());
for (const [name, ruleset] of Object.entries(rulesets)) {
  // As site/worker.js does, but with a new instance for each game, so that no game reuses the memory of another.
  const { exports } = await WebAssembly.instantiate(wasm, { page: { report_progress: () => {} } });
  const { memory, allocate, answer, answer_address } =
    /** @type {{memory: WebAssembly.Memory, allocate: (bytes: number) => number, answer: () => number, answer_address: () => number}} */ (
      /** @type {unknown} */ (exports)
    );
  const request = new TextEncoder().encode(`ask=solve\ntable=${name}\nruleset=${ruleset}`);
  const at = allocate(request.length);
  new Uint8Array(memory.buffer, at, request.length).set(request);
  const begun = process.cpuUsage();
  const length = answer();
  const { user, system } = process.cpuUsage(begun);
  const { status } = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, answer_address(), length)));
  const memoryUsed = memory.buffer.byteLength / 1e6;
  console.log(
    `${name}: ${((user + system) / 1000).toFixed(0)} ms, ${memoryUsed.toFixed(0)} MB${status === 200 ? "" : `, status ${status}`}`,
  );
}
