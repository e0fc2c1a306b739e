// Runs the program for one request at a time. The program is a WASI command: it reads the request from standard input,
// and writes the events of the answer to standard output, one a line.

const SUCCESS = 0;
/** The error for a file descriptor that does not exist. */
const BAD_DESCRIPTOR = 8;
const REALTIME = 0;
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

/** The exception that ends the program. */
class Exit extends Error {}

/**
 * Runs the program with a text as its standard input. Calls `line` with each line of the standard output, and `error`
 * with each text on standard error.
 */
function run(module, text, line, error) {
  let input = new TextEncoder().encode(text);
  const outputs = { [STDOUT]: lines(line), [STDERR]: decoded(error) };
  const memory = () => instance.exports.memory.buffer;
  const buffers = (address, count) => {
    const view = new DataView(memory(), address, 8 * count);
    const buffer = (_, index) => new Uint8Array(memory(), view.getUint32(8 * index, true), view.getUint32(8 * index + 4, true));
    return Array.from({ length: count }, buffer);
  };
  const write = (address, value) => new DataView(memory()).setUint32(address, value, true);
  const functions = {
    environ_sizes_get(count, size) {
      write(count, 0);
      write(size, 0);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    clock_time_get(clock, _, address) {
      const milliseconds = clock === REALTIME ? Date.now() : performance.now();
      new DataView(memory()).setBigUint64(address, BigInt(Math.round(1e6 * milliseconds)), true);
      return SUCCESS;
    },
    random_get(address, length) {
      crypto.getRandomValues(new Uint8Array(memory(), address, length));
      return SUCCESS;
    },
    fd_read(descriptor, address, count, total) {
      if (descriptor !== STDIN) {
        return BAD_DESCRIPTOR;
      }
      let read = 0;
      for (const buffer of buffers(address, count)) {
        const part = input.subarray(0, buffer.length);
        buffer.set(part);
        input = input.subarray(part.length);
        read += part.length;
      }
      write(total, read);
      return SUCCESS;
    },
    fd_write(descriptor, address, count, total) {
      const output = outputs[descriptor];
      if (output === undefined) {
        return BAD_DESCRIPTOR;
      }
      let written = 0;
      for (const buffer of buffers(address, count)) {
        output(buffer);
        written += buffer.length;
      }
      write(total, written);
      return SUCCESS;
    },
    proc_exit() {
      throw new Exit();
    },
  };
  // The program has no files, so the other functions of WASI fail.
  const imports = WebAssembly.Module.imports(module).map(({ name }) => [name, functions[name] ?? (() => BAD_DESCRIPTOR)]);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: Object.fromEntries(imports) });
  try {
    instance.exports._start();
  } catch (exception) {
    if (!(exception instanceof Exit)) {
      throw exception;
    }
  }
}

/** Returns a function that decodes bytes and calls `receive` with the text. */
function decoded(receive) {
  const decoder = new TextDecoder();
  return (bytes) => receive(decoder.decode(bytes, { stream: true }));
}

/** Returns a function that decodes bytes and calls `receive` with each complete line. */
function lines(receive) {
  let rest = "";
  return decoded((text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop();
    parts.forEach((part) => receive(part));
  });
}

/** The compiled program, which the first message contains. */
let program;

addEventListener("message", ({ data: { module, request } }) => {
  if (module) {
    program = module;
    return;
  }
  let errors = "";
  try {
    run(program, request, (line) => postMessage(line), (text) => (errors += text));
  } catch (exception) {
    // The program aborts if it panics, if it has no memory left, or if its time is over while it builds a formula.
    console.error(exception);
    postMessage(JSON.stringify({ event: "end", stopped: true, reason: errors.trim().replaceAll("\n", " ") }));
  }
});
