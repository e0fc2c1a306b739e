// Runs the program in workers, and receives the events of its answers. `ask` is the same as in `src/web/ask.js`.

/** The compiled program. */
const program = compile();
/** Workers that are ready for a request. One is started ahead, because the start takes time. */
const ready = [];
/** Functions that stop the searches in progress. */
const searches = new Set();

async function compile() {
  const response = await fetch("gordian.wasm");
  if (!response.ok) {
    throw new Error(`gordian.wasm: ${response.status} ${response.statusText}`);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

function start(module) {
  const worker = new Worker("worker.js", { type: "module" });
  worker.postMessage({ module });
  return worker;
}

/**
 * Sends a request, and calls `receive` with each event of the answer. The promise is fulfilled with the last event,
 * whose name is "end". If `signal` is aborted, the request is cancelled. The request "stop" stops all searches.
 */
export async function ask(request, receive = () => {}, signal = undefined) {
  if (request.ask === "stop") {
    searches.forEach((stop) => stop());
    return { event: "end", stopped: false };
  }
  const module = await program;
  signal?.throwIfAborted();
  const worker = ready.pop() ?? start(module);
  if (ready.length === 0) {
    ready.push(start(module));
  }
  return new Promise((resolve, reject) => {
    const finish = () => {
      searches.delete(stop);
      signal?.removeEventListener("abort", abort);
    };
    const end = (settle, value) => {
      finish();
      worker.terminate();
      settle(value);
    };
    const stop = () => end(resolve, { event: "end", stopped: true });
    const abort = () => end(reject, signal.reason);
    worker.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.event === "end") {
        finish();
        ready.push(worker);
        resolve(event);
      } else {
        receive(event);
      }
    };
    worker.onerror = (event) => end(reject, new Error(event.message ?? "worker.js could not be loaded."));
    searches.add(stop);
    signal?.addEventListener("abort", abort);
    worker.postMessage({ request: JSON.stringify(request) });
  });
}
