// The worker: solves games and answers questions with the WebAssembly program, on a thread of its own.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @type {any} */ let program;

/** Lets `started` follow the start of the program. @type {(start: Promise<void>) => void} */
let begin;
/** Whether the program has started: the page sends it when it is loaded, which may be after the first questions. */
const started = new Promise((resolve) => (begin = resolve));

/** Starts the program. @param {ArrayBuffer} bytes */
async function start(bytes) {
  const imports = {
    page: {
      report_progress: (/** @type {number} */ done, /** @type {number} */ all) => postMessage({ progress: done / all }),
    },
  };
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  program = instance.exports;
}

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

// A message is the program or a question.
self.addEventListener("message", async ({ data: { program: bytes, number, question } }) => {
  if (bytes) return begin(start(bytes));
  try {
    await started;
    postMessage({ number, answer: ask(question) });
  } catch (error) {
    const detail = `The games cannot be solved in this browser: ${error}.`;
    postMessage({ number, answer: { status: 0, body: { detail } } });
  }
});
