// A player: uses the page as a person does, and asks the server what is true.

import assert from "node:assert/strict";

/** @typedef {{move: string, words: string, to: string, outcome: "win" | "loss", depth_after: number}} Move */
/** @typedef {{move: string, outcome: string, depth: number, shape: string, color: string, seen: string, heard: string}} Hint */

export class Player {
  /** @param {import("playwright-core").Page} page @param {string} address of the page @param {string} server the address of the server, which knows the answers */
  constructor(page, address, server = address) {
    this.page = page;
    this.address = address;
    this.server = server;
  }

  // Reading the page.

  text = (/** @type {string} */ selector) => this.page.locator(selector).innerText();
  status = () => this.text("#status");
  position = () => this.page.evaluate(() => document.getElementById("board")?.dataset.position ?? "");
  turn = () => this.page.evaluate(() => document.body.dataset.turn);
  table = () => this.page.locator("#game").inputValue();
  count = (/** @type {string} */ selector) => this.page.locator(selector).count();
  /** Returns the part after the # of the address. */
  hash = () => this.page.evaluate(() => location.hash);

  /** Describes the state of the page, for messages of failed tests. */
  async where() {
    const messages = () =>
      ["status", "alert"].map((id) => document.getElementById(id)?.textContent || "-").join("; alert: ");
    try {
      return `at ${await this.page.evaluate(() => location.href)}; status: ${await this.page.evaluate(messages)}`;
    } catch (error) {
      return `the page cannot be asked: ${error}`;
    }
  }

  /** Waits until no request is open, and the computer does not move. */
  async settled() {
    await this.page.waitForFunction(() => {
      const { ready, busy, turn } = document.body.dataset;
      return ready && !busy && turn !== "table";
    });
  }

  /** Waits until no request is open. */
  async answered() {
    await this.page.waitForFunction(() => document.body.dataset.ready && !document.body.dataset.busy);
  }

  // Using the page.

  /** Opens the page at a game, and at a position if one is named. */
  async open(table = "sticks", position = "") {
    await this.page.goto(`${this.address}/#table=${table}${position && `&position=${position}`}`);
    await this.settled();
  }

  /** Opens the page as a first visitor, who sees the gallery. */
  async visit() {
    await this.page.goto(`${this.address}/`);
    await this.answered();
  }

  /** Opens *Settings* if they are closed. */
  async settings() {
    const settings = this.page.locator("#settings");
    if (!(await settings.evaluate((/** @type {HTMLDetailsElement} */ element) => element.open)))
      await settings.locator("summary").click();
  }

  /** Chooses a game in the settings, and waits for its board. */
  async choose(/** @type {string} */ table) {
    await this.set("#game", table);
    await this.settled();
  }

  /** Changes one of the settings, without waiting. */
  async set(/** @type {string} */ selector, /** @type {string} */ value) {
    await this.settings();
    await this.page.locator(selector).selectOption(value);
  }

  /** Begins the game anew. */
  async restart() {
    await this.settings();
    await this.click("#restart");
  }

  /** Begins at a position that is typed in the settings. */
  async begin(/** @type {string} */ position) {
    await this.settings();
    await this.page.locator("#start").fill(position);
    await this.page.locator("#restart").click();
    await this.settled();
  }

  /** Makes a game of own rules in the gallery. @param {Record<string, string>} fields the text or the choice for each label */
  async makeOwn(fields) {
    await this.page.locator("#own summary").click();
    for (const [label, value] of Object.entries(fields)) {
      const field = this.page.locator("#own-form").getByLabel(label);
      const isList = await field.evaluate((element) => element instanceof HTMLSelectElement);
      await (isList ? field.selectOption(value) : field.fill(value));
    }
    await this.page.locator("#own-form").getByRole("button", { name: "Play" }).click();
    await this.page.locator("#board :is([data-row], [data-takes])").first().waitFor();
    await this.settled();
  }

  async click(/** @type {string} */ selector) {
    await this.page.locator(selector).click();
    await this.settled();
  }

  async press(/** @type {string[]} */ ...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
    await this.settled();
  }

  /** Chooses a move on the board, with a mouse or a finger. */
  async pick(/** @type {string} */ move, tap = false) {
    const square = this.page.locator(`[data-takes="${move}"]`);
    if ((await square.count()) > 0) return tap ? square.tap() : square.click();
    const pile = /^\d+r?$/.test(move);
    for (const part of move.split("+")) {
      const [row, take] = pile ? [1, Number.parseInt(move, 10)] : part.split(":").map(Number);
      const sticks = this.page.locator(`[data-row="${row}"]`);
      const stick = sticks.nth((await sticks.count()) - take);
      await (tap ? stick.tap() : stick.click());
    }
    if (move.endsWith("r")) await this.page.locator("#reset").check();
  }

  /** Makes a move, and waits for the opponent's answer. */
  async move(/** @type {string} */ move) {
    if (move === "pass") return this.click("#pass");
    await this.pick(move);
    await this.click("#take");
  }

  /** Makes a move, and does not wait for the opponent. */
  async make(/** @type {string} */ move) {
    await this.pick(move);
    await this.page.locator("#take").click();
    await this.answered();
  }

  /** Opens the page at a position with a fake clock, which advances only by `runFor`. Returns the clock. */
  async openWithPausedClock(/** @type {string} */ table, /** @type {string} */ position) {
    const { clock } = this.page;
    await clock.install();
    await this.open(table, position);
    await clock.pauseAt(Date.now() + 86_400_000);
    return clock;
  }

  /** Delays the requests that match a pattern until the returned function is called. */
  async hold(/** @type {string} */ questions) {
    /** @type {() => void} */ let release = () => {};
    const released = new Promise((/** @type {(_: void) => void} */ go) => (release = go));
    await this.page.route(questions, async (route) => {
      await released;
      await route.continue();
    });
    return release;
  }

  /** Returns the moves marked by *Show me*. @returns {Promise<Hint[]>} */
  async hints() {
    const more = this.page.locator("#hints button.more");
    if ((await more.count()) > 0) await more.click();
    return this.page.locator("[data-move]").evaluateAll((elements) =>
      elements.map((element) => {
        const mark = element.querySelector("svg.mark");
        const words = [...element.querySelectorAll(":scope > span")];
        const text = (/** @type {boolean} */ unseen) =>
          words
            .filter((word) => word.classList.contains("unseen") === unseen)
            .map((word) => word.textContent)
            .join("");
        const { move, outcome, depth } = /** @type {HTMLElement} */ (element).dataset;
        return {
          move: move ?? "",
          outcome: outcome ?? "",
          depth: Number(depth),
          shape: mark?.firstElementChild?.tagName ?? "none",
          color: mark ? getComputedStyle(mark).fill : "none",
          seen: text(false),
          heard: element.textContent ?? "",
        };
      }),
    );
  }

  /** Returns the name of the focused element, the id of the part of the page around it, and whether its focus is visible. */
  focus() {
    return this.page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return { name: "body", inside: "", visible: false };
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const outlined = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
      const isInWindow =
        box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      return {
        name: element.id || element.getAttribute("aria-label") || element.textContent?.trim() || element.tagName,
        inside:
          element.closest("#board, #setup, dialog, nav, #gallery, #panels, #hints, .actions, #tools, #alert")?.id ?? "",
        visible: element.matches(":focus-visible") && outlined && isInWindow,
      };
    });
  }

  // Asking the server.

  /** Asks the server. Returns its answer, which must have status 200. @param {string} path @param {Record<string, string>} query */
  async ask(path, query = {}) {
    const answer = await fetch(`${this.server}${path}?${new URLSearchParams(query)}`);
    assert.equal(answer.status, 200, `${path} ${JSON.stringify(query)}`);
    return answer.json();
  }

  tables = async () => (await this.ask("/api/tables")).tables;
  /** Returns the suggested start of a game. */
  suggested = async (/** @type {string} */ table) => (await this.ask(`/api/tables/${table}`)).suggested;

  /** Asks the server about a position, by default the one on the board. */
  async of(/** @type {string} */ question, position = "", table = "") {
    const asked = { position: position || (await this.position()) };
    return this.ask(`/api/tables/${table || (await this.table())}/${question}`, asked);
  }

  state = (position = "", table = "") => this.of("state", position, table);
}
