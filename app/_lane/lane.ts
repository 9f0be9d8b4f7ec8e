import type { IncomingMessage, ServerResponse } from "node:http";
import { answerToFault, type TransportAnswer } from "@/app/_lane/answer-to-fault";
import { isCatchAll, routeMatcher } from "@/app/_lane/match-route";
import { addressOf, LANE_ROUTES, LEFT_TO_NEXT, type RouteModule } from "@/app/_lane/routes";
import { sendResponse } from "@/app/_lane/send-response";
import { toHeaders, toRequest } from "@/app/_lane/to-request";
import { toAppError } from "@/lib/http/error-response";
import type { RefusedCall } from "@/lib/http/log-refusal";
import { definitionOf, redirectTo, refusal, refuseMethod } from "@/lib/http/route";
import { log } from "@/lib/log";

/**
 * The fast lane (docs/decisions/0020): the API, stored files and the job endpoint, served by the functions of the route
 * files straight from node's server. Next, behind it, costs a call more than all that the service itself does.
 */

const match = routeMatcher(Object.keys(LANE_ROUTES), LEFT_TO_NEXT);
const loaded = new Map<string, Promise<RouteModule>>();

/** Serves the call if it is one of the lane's; otherwise gives false, and nothing was done. */
export function serveInLane(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const { url = "" } = incoming;
  const queryStart = url.indexOf("?");
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  const found = match(addressOf(withoutSlash(path)));
  if (!found) return false;
  if (path.length > 1 && path.endsWith("/")) {
    void sendResponse(redirectTo(withoutSlash(path) + url.slice(path.length)), outgoing);
    return true;
  }
  void serve(found.route, found.params, incoming, outgoing);
  return true;
}

/** The answer to what node's parser refuses, by node's code of what is wrong. */
export function refuseTransport(fault: string | undefined): TransportAnswer {
  return answerToFault(fault);
}

async function serve(
  route: string,
  params: Record<string, string>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const functions = await load(route);
    const { method = "GET" } = incoming;
    const answer = Object.hasOwn(functions, method) ? functions[method] : undefined;
    const response = answer
      ? await answer(toRequest(incoming), { params })
      : refuseMethod(refusedCall(route, functions, incoming), await methodsOf(functions));
    await sendResponse(response, outgoing);
  } catch (error) {
    log("error", "A call could not be served.", { path: route }, error);
    if (outgoing.headersSent) outgoing.destroy();
    else await sendResponse(refusal(toAppError(error)), outgoing);
  }
}

function load(route: string): Promise<RouteModule> {
  const known = loaded.get(route);
  if (known) return known;
  const loading = (LANE_ROUTES[route]?.() ?? Promise.resolve({})) as Promise<RouteModule>;
  loaded.set(route, loading);
  return loading;
}

/** A call with a method that the route has no function for; with its headers where the route is one of the API. */
function refusedCall(route: string, functions: RouteModule, { method = "GET", headers }: IncomingMessage): RefusedCall {
  const definition = definitionOf(functions);
  return { method, definition, ...((definition || isCatchAll(route)) && { headers: toHeaders(headers) }) };
}

/** What a route takes, in the form of `Allow`; a route that answers OPTIONS says it itself. */
async function methodsOf(functions: RouteModule): Promise<string> {
  const options = await functions.OPTIONS?.(new Request("http://localhost", { method: "OPTIONS" }), {});
  return (
    options?.headers.get("allow") ??
    Object.keys(functions)
      .filter((name) => /^[A-Z]+$/.test(name))
      .join(", ")
  );
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
