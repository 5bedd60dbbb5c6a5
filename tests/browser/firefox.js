// Debian's Firefox, driven by WebDriver BiDi, with features that it or Playwright lacks there: preferred colours, reduced motion
// and touch. (Playwright's own Firefox has these features, but players do not use it.)
//
// Firefox overrides the preferences of a page by means of its own, which --remote-allow-system-access opens. Names with
// an underscore are internals of Playwright, whose version package.json pins. This file can go once both programs know
// `emulation.setMediaFeaturesOverride` with `prefers-reduced-motion`, and `emulation.setTouchOverride`.

import { firefox } from "playwright-core";

/** How Firefox is started, but for the path of the program. */
export const options = {
  channel: "moz-firefox",
  args: ["--remote-allow-system-access"],
  firefoxUserPrefs: {
    // It may speak to this machine only: to others by a proxy that is not there.
    "network.proxy.type": 1,
    "network.proxy.socks": "127.0.0.1",
    "network.proxy.socks_port": 1,
    "network.proxy.socks_remote_dns": true,
    // As on a phone and in Chromium without a screen, scrollbars take no room.
    "ui.useOverlayScrollbars": 1,
  },
};

/** What runs in Firefox's own process, with the page that is named. */
const within = (/** @type {string} */ body) => `(id, ...values) => {
  const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
  const page = NavigableManager.getBrowsingContextById(id);
  ${body}
}`;
const PREFER = within(`
  [page.prefersColorSchemeOverride, page.prefersReducedMotionOverride, page.touchEventsOverride] = values;`);
const FOCUS = within("page.topChromeWindow.focus(); page.embedderElement.focus();");

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

  const run = async (/** @type {string} */ functionDeclaration, /** @type {string[]} */ ...values) => {
    const { type, exceptionDetails } = await ask("script.callFunction", {
      functionDeclaration,
      arguments: values.map((value) => ({ type: "string", value })),
      awaitPromise: false,
      target: { context: windows[0].context },
    });
    if (type !== "success") throw new Error(`in Firefox itself: ${exceptionDetails.text}`);
  };

  const prefer = async (/** @type {string} */ id) => {
    const page = pages.get(id);
    const { colorScheme, reducedMotion } = page._page.emulatedMedia();
    await run(PREFER, id, colorScheme, reducedMotion, page._browserContext._options.hasTouch ? "enabled" : "none");
    page.rawTouchscreen.tap = (/** @type {any} */ _, /** @type {number} */ x, /** @type {number} */ y) =>
      ask("input.performActions", { context: id, actions: [finger(x, y)] });
  };

  const completed = (/** @type {any} */ session) => {
    const send = session.send.bind(session);
    session.send = async (/** @type {string} */ method, /** @type {any} */ params) => {
      // Playwright sends this for a whole context before it has a page; `emulateMedia` sends it for each page.
      if (method === "emulation.setMediaFeaturesOverride") return Promise.all((params.contexts ?? []).map(prefer));
      const answer = await send(method, params);
      // The Tab key leads out of a page into the bars of the window; a page in front has the keys again.
      if (method === "browsingContext.activate") await run(FOCUS, params.context);
      return answer;
    };
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
