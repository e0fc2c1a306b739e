// Sends requests to the server, and receives the events of the answers. `web/ask.js` is the variant without a server.

/** The name of this page. The program runs at most one search for each name. */
const page = crypto.randomUUID();

/**
 * Sends a request, and calls `receive` with each event of the answer. The promise is fulfilled with the last event,
 * whose name is "end". If `signal` is aborted, the program cancels the request.
 */
export async function ask(request, receive = () => {}, signal = undefined) {
  try {
    return await send(request, receive, signal);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Error(`${error.message} Start “gordian web” again if it has ended.`);
  }
}

async function send(request, receive, signal) {
  const needsPage = !["types", "check"].includes(request.ask);
  const body = JSON.stringify(needsPage ? { ...request, page } : request);
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("ask", { method: "POST", headers, body, signal });
  if (!response.ok) {
    throw new Error((await response.text()).trim());
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      throw new Error("The server has closed the connection.");
    }
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const event = JSON.parse(line);
      if (event.event === "end") {
        return event;
      }
      receive(event);
    }
  }
}
