// Debian's Firefox, driven by WebDriver BiDi, with what it or Playwright lacks there: preferred colours, reduced motion
// and touch. (The Firefox that Playwright patches has them all, but nobody plays in it.)
//
// Firefox overrides the preferences of a page by means of its own, which --remote-allow-system-access opens. Names with
// an underscore are internals of Playwright, whose version package.json pins. This file can go once both programs know
// `emulation.setMediaFeaturesOverride` with `prefers-reduced-motion`, and `emulation.setTouchOverride`.

import { firefox } from "playwright-core";

/** How Firefox is started, but for the path of the program. */
export const options = {
  channel: "moz-firefox",
  args: ["--remote-allow-system-access"],
  // It may speak to this machine only.
  firefoxUserPrefs: { "network.proxy.type": 0, "network.dns.disabled": true },
};

/** Runs in Firefox's own process. */
const OVERRIDE = `(id, colors, motion, touch) => {
  const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
  Object.assign(NavigableManager.getBrowsingContextById(id), {
    prefersColorSchemeOverride: colors,
    prefersReducedMotionOverride: motion,
    touchEventsOverride: touch,
  });
}`;

/** A finger that touches a point of the window, as WebDriver has it. */
const finger = (/** @type {number} */ x, /** @type {number} */ y) => ({
  type: "pointer",
  id: "finger",
  parameters: { pointerType: "touch" },
  actions: [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ],
});

/** Does what Firefox is asked and does not know. @param {any} browser as Playwright has it inside */
async function complete(browser) {
  const { _bidiPages: pages, _connection: connection } = browser;
  const ask = connection.browserSession.send.bind(connection.browserSession);
  const { contexts: windows } = await ask("browsingContext.getTree", { "moz:scope": "chrome" });

  const override = async (/** @type {string} */ id) => {
    const page = pages.get(id);
    const { colorScheme, reducedMotion } = page._page.emulatedMedia();
    const touch = page._browserContext._options.hasTouch ? "enabled" : "none";
    const { type, exceptionDetails } = await ask("script.callFunction", {
      functionDeclaration: OVERRIDE,
      arguments: [id, colorScheme, reducedMotion, touch].map((value) => ({ type: "string", value })),
      awaitPromise: false,
      target: { context: windows[0].context },
    });
    if (type !== "success") throw new Error(`Firefox does not override preferences: ${exceptionDetails.text}`);
    page.rawTouchscreen.tap = (/** @type {any} */ _, /** @type {number} */ x, /** @type {number} */ y) =>
      ask("input.performActions", { context: id, actions: [finger(x, y)] });
  };

  const completed = (/** @type {any} */ session) => {
    const send = session.send.bind(session);
    session.send = (/** @type {string} */ method, /** @type {any} */ params) =>
      method === "emulation.setMediaFeaturesOverride"
        ? // Of a whole context Playwright says it before there is a page: `emulateMedia` says it of each.
          Promise.all((params.contexts ?? []).map(override))
        : send(method, params);
    return session;
  };
  completed(connection.browserSession);
  const create = connection.createMainFrameBrowsingContextSession.bind(connection);
  connection.createMainFrameBrowsingContextSession = (/** @type {string} */ id) => completed(create(id));
  return browser;
}

// Every Firefox that this process starts is completed.
const inside = /** @type {any} */ (firefox)._connection.toImpl(firefox);
const kind = Object.getPrototypeOf(inside._bidiFirefox);
const connect = kind.connectToTransport;
kind.connectToTransport = async function (/** @type {any[]} */ ...all) {
  return complete(await connect.apply(this, all));
};
