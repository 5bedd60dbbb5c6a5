// The browser in which all tests run: Debian's Chromium, which may speak to this machine only.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** The first program of the path with one of these names. */
function found() {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of ["chromium", "chromium-browser"]) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  }
  throw new Error("there is no chromium on the path; tests/browser/run installs it");
}

const options = () => ({
  executablePath: found(),
  // As root Chromium has no sandbox; as anybody else it must have one.
  chromiumSandbox: process.getuid?.() !== 0,
  args: ["--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
});

/** A browser that several processes can use, by `wsEndpoint()`. */
export const share = () => chromium.launchServer(options());

/** The shared browser, or if there is none one's own. */
export const launch = () =>
  process.env.BOUTON_BROWSER ? chromium.connect(process.env.BOUTON_BROWSER) : chromium.launch(options());
