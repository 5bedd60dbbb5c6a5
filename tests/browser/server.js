// Starts the server under test, on a port of this machine.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** @typedef {{address: string, port: string, stop: () => Promise<void>}} Server */

/** Starts a server, and waits until it listens. @param {string} port @returns {Promise<Server>} */
export async function serve(port = "0") {
  const program = process.env.BOUTON_SERVER;
  assert.ok(program, "BOUTON_SERVER must name the program bouton-server; tests/browser/run sets it");
  const child = spawn(program, ["--listen", `127.0.0.1:${port}`, "--log", "error", "--solve-limit", "1000000"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const first = once(createInterface(child.stdout), "line").then(([line]) => line);
  const line = await Promise.race([first, ended.then(() => "nothing: it ended")]);
  const [, address] = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line) ?? [];
  assert.ok(address, `the server printed ${line}`);
  let stopped = false;
  ended.then(([status, signal]) => stopped || console.error(`the server ended by itself: ${status ?? signal}`));
  const orphaned = () => child.kill();
  process.once("exit", orphaned);
  const stop = async () => {
    stopped = true;
    process.off("exit", orphaned);
    child.kill("SIGTERM");
    await ended;
  };
  return { address, port: new URL(address).port, stop };
}
