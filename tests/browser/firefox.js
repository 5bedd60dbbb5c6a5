// Debian's Firefox, driven by WebDriver BiDi, with features that it or Playwright lacks there: preferred colours, reduced motion
// and touch. (Playwright's own Firefox has these features, but players do not use it.)
//
// WebDriver cannot override these preferences of a page. Internal interfaces of Firefox can, and
// --remote-allow-system-access gives access to them. Names with an underscore are internals of Playwright, whose
// version package.json pins. This file can go once both programs know `emulation.setMediaFeaturesOverride` with
// `prefers-reduced-motion`, and `emulation.setTouchOverride`.

import { firefox } from "playwright-core";

/** The options to start Firefox with, except for the path of the program. */
export const options = {
  channel: "moz-firefox",
  args: ["--remote-allow-system-access"],
  firefoxUserPrefs: {
    // Firefox reaches this machine only: the proxy for all others does not exist.
    "network.proxy.type": 1,
    "network.proxy.socks": "127.0.0.1",
    "network.proxy.socks_port": 1,
    "network.proxy.socks_remote_dns": true,
    // As on a phone and in Chromium without a screen, scrollbars take no room.
    "ui.useOverlayScrollbars": 1,
  },
};

/** Wraps code that runs in the process of Firefox itself, with `page` and `values` as its variables. */
const inFirefox = (/** @type {string} */ body) => `(id, ...values) => {
  const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
  const page = NavigableManager.getBrowsingContextById(id);
  ${body}
}`;
const PREFER = inFirefox(`
  [page.prefersColorSchemeOverride, page.prefersReducedMotionOverride, page.touchEventsOverride] = values;`);
const FOCUS = inFirefox("page.topChromeWindow.focus(); page.embedderElement.focus();");

/** Returns a tap on a point of the window as WebDriver actions. */
const tapAt = (/** @type {number} */ x, /** @type {number} */ y) => ({
  type: "pointer",
  id: "finger",
  parameters: { pointerType: "touch" },
  actions: [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ],
});

/** Adds the missing features to a browser. @param {any} browser the internal object of Playwright */
async function addFeatures(browser) {
  const { _bidiPages: pages, _connection: connection } = browser;
  const ask = connection.browserSession.send.bind(connection.browserSession);
  const { contexts: windows } = await ask("browsingContext.getTree", { "moz:scope": "chrome" });

  const run = async (/** @type {string} */ functionDeclaration, /** @type {string[]} */ ...values) => {
    const { type, exceptionDetails } = await ask("script.callFunction", {
      functionDeclaration,
      arguments: values.map((value) => ({ type: "string", value })),
      awaitPromise: false,
      target: { context: windows[0].context },
    });
    if (type !== "success") throw new Error(`in Firefox itself: ${exceptionDetails.text}`);
  };

  const emulatePreferences = async (/** @type {string} */ id) => {
    const page = pages.get(id);
    const { colorScheme, reducedMotion } = page._page.emulatedMedia();
    await run(PREFER, id, colorScheme, reducedMotion, page._browserContext._options.hasTouch ? "enabled" : "none");
    page.rawTouchscreen.tap = (/** @type {any} */ _, /** @type {number} */ x, /** @type {number} */ y) =>
      ask("input.performActions", { context: id, actions: [tapAt(x, y)] });
  };

  const wrapSession = (/** @type {any} */ session) => {
    const send = session.send.bind(session);
    session.send = async (/** @type {string} */ method, /** @type {any} */ params) => {
      // Playwright sends this for a whole context before it has a page; `emulateMedia` sends it for each page.
      if (method === "emulation.setMediaFeaturesOverride")
        return Promise.all((params.contexts ?? []).map(emulatePreferences));
      const answer = await send(method, params);
      // The Tab key leads out of a page into the bars of the window; when a page comes to the front, it gets the focus again.
      if (method === "browsingContext.activate") await run(FOCUS, params.context);
      return answer;
    };
    return session;
  };
  wrapSession(connection.browserSession);
  const create = connection.createMainFrameBrowsingContextSession.bind(connection);
  connection.createMainFrameBrowsingContextSession = (/** @type {string} */ id) => wrapSession(create(id));
  return browser;
}

// Add the features to every Firefox that this process starts.
const internal = /** @type {any} */ (firefox)._connection.toImpl(firefox);
const kind = Object.getPrototypeOf(internal._bidiFirefox);
const connect = kind.connectToTransport;
kind.connectToTransport = async function (/** @type {any[]} */ ...values) {
  return addFeatures(await connect.apply(this, values));
};
