// Asks a running service with the types that openapi-typescript makes: the compiler checks the requests, and this program the answers.

import createClient from "openapi-fetch";
import type { paths } from "./api.js";

// Node.js defines it; its types would need one more package.
declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

function expect(holds: boolean, what: unknown) {
  if (!holds) throw new Error(JSON.stringify(what));
}

const sticks = { name: "sticks" };

const lookup = await client.GET("/api/tables/{name}/lookup", {
  params: { path: sticks, query: { position: "3,5,7", moves: true } },
});
const answer = lookup.data;
expect(answer?.outcome === "win" && answer.winning.includes(answer.best ?? ""), lookup);
expect(answer?.moves?.[0]?.depth_after === (answer?.depth ?? 0) - 1, lookup);

const state = await client.GET("/api/tables/{name}/state", { params: { path: sticks, query: { position: "2,5,7" } } });
expect(state.data?.heaps?.[2] === 7 && state.data.moves[0]?.takes[0]?.stones !== undefined, state);

const why = await client.GET("/api/tables/{name}/why", {
  params: { path: { name: "nim" }, query: { position: "1,2,3" } },
});
const [first] = why.data?.blocks ?? [];
expect(first?.kind === "theorem" && first.name.startsWith("Bouton"), why);

const wrong = await client.GET("/api/tables/{name}/lookup", {
  params: { path: sticks, query: { position: "nonsense" } },
});
expect(wrong.error?.status === 400 && wrong.error.type === "urn:bouton:bad-position", wrong);

console.log("the client for TypeScript works");
