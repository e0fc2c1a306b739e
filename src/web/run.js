// Runs one search at a time.

import { ask } from "./ask.js";
import { $ } from "./state.js";

/** The controller that aborts the search in progress. */
let search = null;

/** Runs a search, which ends the last one. `receive` is called with each event, `fail` with an error of the connection. */
export async function run(request, receive, fail) {
  search?.abort();
  const own = new AbortController();
  search = own;
  $("stop").disabled = false;
  try {
    const end = await ask(request, (event) => own === search && receive(event), own.signal);
    if (own !== search) {
      return undefined;
    }
    if (end.stopped) {
      const reason = end.reason ? `: ${end.reason}` : ".";
      $("status").textContent = `${$("status").textContent.replace(/ ?…$/, "")} – stopped${reason}`;
    }
    return end;
  } catch (error) {
    if (own === search && error.name !== "AbortError") {
      fail(error);
    }
    return undefined;
  } finally {
    if (own === search) {
      search = null;
      $("stop").disabled = true;
    }
  }
}
