// The page reports a server that is stopped, fails or answers late, and goes on when the server is back.

import assert from "node:assert/strict";
import { claim } from "./harness.js";
import { serve } from "./server.js";

/** @typedef {import("./player.js").Player} Player */

const STOPPED = { expects: [/ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|ERR_NETWORK/] };

/** Runs a test with a server of its own, which the test may stop and start again. */
async function withServer(
  /** @type {Player} */ player,
  /** @type {(stop: () => Promise<void>, restart: () => Promise<void>) => Promise<void>} */ body,
) {
  let server = await serve();
  const { port } = server;
  player.address = server.address;
  let running = true;
  const stop = async () => {
    if (running) await server.stop();
    running = false;
  };
  const restart = async () => {
    server = await serve(port);
    running = true;
  };
  try {
    await body(stop, restart);
  } finally {
    await stop();
  }
}

/** Waits for an alert: without `says`, that the server does not respond. */
async function waitForAlert(/** @type {Player} */ player, says = /The server does not respond\./) {
  const alert = player.page.locator("#alert");
  await alert.getByRole("button", { name: "Try again" }).waitFor();
  assert.equal(await alert.getAttribute("role"), "alert");
  assert.match(await alert.innerText(), says);
}

const tryAgain = (/** @type {Player} */ player) => player.page.getByRole("button", { name: "Try again" }).click();

claim(
  "a server stopped in the middle of a game is reported, and the game goes on once it is back",
  STOPPED,
  async (player) => {
    await withServer(player, async (stop, restart) => {
      await player.open("sticks", "3,5,7");
      await player.move("1:1");
      const before = await player.position();
      const { best, moves } = await player.state();
      await stop();
      await player.pick(best);
      await player.page.locator("#take").click();
      await waitForAlert(player);
      assert.equal(await player.position(), before);
      assert.equal(await player.turn(), "person");
      await tryAgain(player);
      await waitForAlert(player);
      await restart();
      await tryAgain(player);
      await player.settled();
      assert.equal(await player.text("#alert"), "");
      const { words } = moves.find((/** @type {any} */ { move }) => move === best);
      assert.ok((await player.status()).startsWith(`You ${words}.`));
      while ((await player.turn()) === "person") await player.move((await player.state()).best);
      assert.match(await player.status(), /The game is over\. You win\.$/);
    });
  },
);

claim("after the alert is closed, moves are possible again", STOPPED, async (player) => {
  await withServer(player, async (stop, restart) => {
    await player.open("sticks", "3,5,7");
    await stop();
    await player.pick("1:1");
    await player.page.locator("#take").click();
    await waitForAlert(player);
    await player.page.locator("#alert").getByRole("button", { name: "Close" }).click();
    await restart();
    await player.pick("2:1");
    await player.click("#take");
    assert.match(await player.status(), /^You take 1 from row 2\./);
  });
});

for (const how of ["Try again", "Continue"]) {
  claim(
    `a server stopped while the computer is to move is reported, and ${how} lets it move`,
    { ...STOPPED, unhurried: true },
    async (player) => {
      await withServer(player, async (stop, restart) => {
        const clock = await player.openWithPausedClock("sticks", "3,5,7");
        await player.make("1:1");
        assert.equal(await player.turn(), "table");
        await stop();
        await clock.runFor(1000);
        await waitForAlert(player);
        await restart();
        if (how === "Continue") await player.page.locator("#alert").getByRole("button", { name: "Close" }).click();
        await player.page.getByRole("button", { name: how }).click();
        await clock.runFor(1000);
        await player.settled();
        assert.match(await player.status(), /Your turn\.$/);
        assert.equal(await player.text("#alert"), "");
        // The computer's next turn needs no retry.
        await player.make("2:1");
        await clock.runFor(1000);
        await player.settled();
        assert.match(await player.status(), /Your turn\.$/);
      });
    },
  );
}

claim(
  "errors of a panel and of a new game are shown, and both load when the server is back",
  STOPPED,
  async (player) => {
    await withServer(player, async (stop, restart) => {
      await player.open("sticks", "3,5,7");
      await stop();
      await player.page.locator("#why").click();
      await waitForAlert(player, /This part of the page could not be loaded\./);
      assert.equal(await player.count("#why-panel .text"), 0);
      await player.set("#game", "nim-pass");
      await waitForAlert(player);
      assert.equal(await player.position(), "3,5,7", "the old game stays");
      await restart();
      await tryAgain(player);
      await player.settled();
      assert.deepEqual(
        [await player.table(), await player.position()],
        ["nim-pass", await player.suggested("nim-pass")],
      );
      assert.equal(await player.count("#why-panel .text"), 1);
    });
  },
);

for (const [hash, position] of [
  ["#table=sticks", "3,5,7"],
  ["#table=sticks&position=1,2,3", "1,2,3"],
]) {
  claim(`the first requests of ${hash} can be repeated after they failed`, STOPPED, async (player) => {
    // The preload and the page send one request each, or share one.
    await player.page.route("**/api/**", (route) => route.abort("connectionrefused"));
    await player.page.goto(`${player.address}/${hash}`);
    await waitForAlert(player);
    assert.match(await player.status(), /Nothing to play yet\./);
    await player.page.unroute("**/api/**");
    await tryAgain(player);
    await player.settled();
    assert.equal(await player.position(), position);
    assert.equal(await player.text("#alert"), "");
  });
}

claim("the reason why a server has no table is shown", STOPPED, async (player) => {
  const refused = [{ name: "mine", reason: "it is not a table" }];
  const body = JSON.stringify({ tables: [], refused });
  await player.page.route("**/api/tables", (route) => route.fulfill({ contentType: "application/json", body }), {
    times: 1,
  });
  await player.page.goto(`${player.address}/#table=sticks`);
  await player.page.locator("#alert").getByRole("button", { name: "Try again" }).waitFor();
  assert.match(await player.page.locator("#alert").innerText(), /cannot serve its tables\. mine: it is not a table\./);
  await tryAgain(player);
  await player.settled();
  assert.equal(await player.position(), "3,5,7");
});

claim("the server's own message is shown unchanged under Details", { expects: [/503|500/] }, async (player) => {
  const detail = "The table's file was changed: <b>replace</b> it & ask again.";
  await player.open("sticks", "3,5,7");
  const body = JSON.stringify({
    type: "urn:bouton:damaged-table",
    title: "Damaged",
    status: 503,
    detail,
    request: "a-1",
  });
  await player.page.route(
    "**/state?**",
    (route) => route.fulfill({ status: 503, contentType: "application/problem+json", body }),
    { times: 1 },
  );
  await player.pick("1:1");
  await player.page.locator("#take").click();
  await player.page.locator("#alert p").first().waitFor();
  assert.match(await player.text("#alert p >> nth=0"), /^The table of this game is damaged\./);
  await player.page.locator("#alert summary").click();
  assert.equal(await player.text("#alert details p"), detail);
  await tryAgain(player);
  await player.settled();
  assert.match(await player.status(), /^You take 1 from row 1\./);
  await player.page.route("**/why?**", (route) => route.fulfill({ status: 500, body: "<html>" }), { times: 1 });
  await player.page.locator("#why").click();
  await player.page.locator("#alert p").first().waitFor();
  assert.match(await player.text("#alert"), /status 500/);
});

claim("an answer that comes late does not replace a newer one", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.set("#opponent", "friend");
  /** @type {(() => void)[]} */ const answer = [];
  /** @type {(() => void)[]} */ const asked = [];
  const both = [0, 1].map((n) => new Promise((/** @type {(_: void) => void} */ done) => (asked[n] = done)));
  await player.page.route("**/why?**", async (route) => {
    await new Promise((/** @type {(_: void) => void} */ go) => {
      asked[answer.push(go) - 1]();
    });
    await route.continue();
  });
  await player.page.locator("#why").click();
  await both[0];
  await player.pick("1:1");
  await player.page.locator("#take").click();
  await both[1];
  // The later question is answered first.
  const answers = [
    player.page.waitForResponse("**/why?position=2*"),
    player.page.waitForResponse("**/why?position=3*"),
  ];
  answer[1]();
  await answers[0];
  answer[0]();
  await answers[1];
  await player.settled();
  assert.match(
    await player.text("#why-panel .text"),
    /The nim-sum is 0, and no move keeps it at 0/,
    "the answer about 2,5,7",
  );
});

claim("a truncated answer is reported, and can be requested again", {}, async (player) => {
  await player.open("sticks", "3,5,7");
  await player.page.route("**/state?**", (route) => route.fulfill({ status: 200, body: '{"position":' }));
  await player.set("#opponent", "friend");
  await player.make("1:1");
  assert.match(await player.text("#alert"), /cut off/);
  await player.page.unrouteAll();
  await player.page.getByRole("button", { name: "Try again" }).click();
  await player.page.waitForFunction(() => document.getElementById("board")?.dataset.position === "2,5,7");
  assert.equal(await player.text("#alert"), "");
});
