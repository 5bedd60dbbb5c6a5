// Runs all test files, or the named ones: in one Chromium for all, or in a Firefox for each.
//   node all.js [FILE.test.js ...]

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { isFirefox, share } from "./browser.js";

const named = process.argv.slice(2);
const files = named.length > 0 ? named : readdirSync(".").filter((name) => name.endsWith(".test.js"));
// Only one window of a Firefox has the focus, and keys work fully only there.
const browser = isFirefox ? undefined : await share();
const tests = spawn(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=4", ...files], {
  stdio: "inherit",
  env: { ...process.env, BOUTON_BROWSER: browser?.wsEndpoint() ?? "" },
});
tests.on("exit", async (status) => {
  await browser?.close();
  process.exit(status ?? 1);
});
