// The browser in which all tests run: Debian's Chromium, as chromium-headless-shell if that is installed, or its Firefox if
// BOUTON_BROWSER_KIND is `firefox`. It reaches this machine only, not the network.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, firefox } from "playwright-core";
import * as debian from "./firefox.js";

const kind = process.env.BOUTON_BROWSER_KIND || "chromium";
if (kind !== "chromium" && kind !== "firefox")
  throw new Error(`BOUTON_BROWSER_KIND is ${kind}; it must be chromium or firefox`);

/** Whether the browser is Firefox. */
export const isFirefox = kind === "firefox";

/** Returns the first program of the path with one of these names. @param {string[]} names */
function findProgram(...names) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  }
  throw new Error(`there is no ${names[0]} on the path; tests/browser/run installs it`);
}

const type = isFirefox ? firefox : chromium;
const options = () =>
  isFirefox
    ? { executablePath: findProgram("firefox-esr"), ...debian.options }
    : {
        executablePath: findProgram("chromium-headless-shell", "chromium", "chromium-browser"),
        // Chromium needs its sandbox, except as root, where it has none.
        chromiumSandbox: process.getuid?.() !== 0,
        args: ["--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
      };

/** Starts a browser that several processes can use, by the address `wsEndpoint()`. */
export const share = () => type.launchServer(options());

/** Returns the shared browser; starts one if there is none. */
export const launch = () =>
  process.env.BOUTON_BROWSER ? type.connect(process.env.BOUTON_BROWSER) : type.launch(options());
