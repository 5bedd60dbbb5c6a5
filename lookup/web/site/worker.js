// The worker: solves games and answers questions with the WebAssembly program, on a thread of its own.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @type {any} */ let program;

const started = (async () => {
  const imports = {
    page: {
      report_progress: (/** @type {number} */ done, /** @type {number} */ all) => postMessage({ progress: done / all }),
    },
  };
  const response = await fetch(new URL("bouton.wasm", import.meta.url));
  if (!response.ok) throw new Error(`status ${response.status}`);
  // A page that is a single file embeds the compressed program.
  const compressed = response.headers.get("content-type") === "application/gzip" && response.body;
  const whole = compressed ? new Response(compressed.pipeThrough(new DecompressionStream("gzip"))) : response;
  const { instance } = await WebAssembly.instantiate(await whole.arrayBuffer(), imports);
  program = instance.exports;
})();

/** Returns a line for each parameter; line breaks in typed text become blanks. @param {Record<string, string>} question */
const linesOf = (question) =>
  Object.entries(question)
    .map(([name, value]) => `${name}=${String(value).replaceAll(/[\r\n]/g, " ")}`)
    .join("\n");

/** Answers a question, or opens the file of a table. @param {Record<string, string> | Uint8Array} question */
function ask(question) {
  const isFile = question instanceof Uint8Array;
  const request = isFile ? question : encoder.encode(linesOf(question));
  const address = program.allocate(request.length);
  new Uint8Array(program.memory.buffer, address, request.length).set(request);
  const length = isFile ? program.open() : program.answer();
  return JSON.parse(decoder.decode(new Uint8Array(program.memory.buffer, program.answer_address(), length)));
}

self.addEventListener("message", async ({ data: { number, question } }) => {
  try {
    await started;
    postMessage({ number, answer: ask(question) });
  } catch (error) {
    const detail = `The games cannot be solved in this browser: ${error}.`;
    postMessage({ number, answer: { status: 0, body: { detail } } });
  }
});
