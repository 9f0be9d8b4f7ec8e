import type { IncomingHttpHeaders } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";

const ROUTER_STATE = "next-router-state-tree";

/**
 * Takes off what a browser says of the page that it shows when Next cannot read it: Next answers that with a bare 500 and a
 * fault in the log, and anybody can send it. A browser is then given all of the next page, as one that shows none yet; so is
 * one whose page is of an earlier release.
 */
export function dropUnreadRouterState(headers: IncomingHttpHeaders): void {
  try {
    parseAndValidateFlightRouterState(headers[ROUTER_STATE]);
  } catch {
    delete headers[ROUTER_STATE];
  }
}
