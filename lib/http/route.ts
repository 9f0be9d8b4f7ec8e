import type { EndpointDefinition, HttpMethod } from "@/lib/contracts/endpoint-definition";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { EndpointContext, EndpointFunction } from "@/lib/http/endpoint";
import { errorResponse } from "@/lib/http/error-response";
import { letPagesCall } from "@/lib/http/for-pages";
import { logRefusal, type RefusedCall } from "@/lib/http/log-refusal";
import { setCommonHeaders, setContentLength, textOf } from "@/lib/http/respond";
import { observeCall } from "@/lib/metrics";

/** Serves one method of a path. */
export type RouteFunction = (request: Request, context: EndpointContext) => Promise<Response>;

/** All that a route file exports. */
export type RouteFunctions = Record<HttpMethod | "HEAD" | "OPTIONS", RouteFunction>;

/**
 * The functions of one path, for a route file:
 * `export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({ GET: listSomething });`
 * Methods that are not given answer 405 with `Allow`; HEAD answers as GET does, without the body; OPTIONS says
 * which methods there are.
 */
export function route(endpoints: Partial<Record<HttpMethod, EndpointFunction>>): RouteFunctions {
  const methods = Object.keys(endpoints) as HttpMethod[];
  const allow = [...methods, ...(endpoints.GET ? ["HEAD"] : []), "OPTIONS"].join(", ");
  const isForPages = Object.values(endpoints).some(({ definition }) => definition.isForPages);
  const refuse: RouteFunction = async ({ method, headers }) =>
    refuseMethod({ method, headers, definition: definitionOf(endpoints) }, allow);
  const { GET = refuse, POST = refuse, PUT = refuse, PATCH = refuse, DELETE = refuse } = endpoints;
  const HEAD = endpoints.GET ? withoutBody(endpoints.GET) : refuse;
  return {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE,
    HEAD,
    OPTIONS: () => Promise.resolve(optionsResponse(allow, isForPages ? allow : "")),
  };
}

/** The answer to a method that a path does not take. `allow` names those that it takes: "GET, HEAD". */
export function refuseMethod(call: RefusedCall, allow: string): Response {
  const { method } = call;
  const error = new AppError("METHOD_NOT_ALLOWED", `This path does not take ${method}. It takes ${allow}.`, {
    headers: { Allow: allow },
  });
  return refusal(error, call);
}

/**
 * The definition of any of a path's functions; undefined where none is an endpoint. What a route file says to Next beside them,
 * such as `dynamic`, is a text.
 */
export function definitionOf(
  functions: Partial<Record<string, RouteFunction | EndpointFunction | string>>,
): EndpointDefinition | undefined {
  for (const serve of Object.values(functions)) {
    if (typeof serve === "function" && "definition" in serve) return serve.definition;
  }
  return undefined;
}

/** Answers HEAD as a function answers GET. */
export function withoutBody(get: RouteFunction): RouteFunction {
  return async (request, context) => {
    const response = await get(request, context);
    const { status, headers } = response;
    const text = textOf(response);
    if (text !== undefined) setContentLength(headers, Buffer.byteLength(text));
    await response.body?.cancel();
    return new Response(null, { status, headers });
  };
}

/** An error that no endpoint answers: of no path, or of none that was reached. With the call it is in the call log. */
export function refusal(error: AppError, call?: RefusedCall): Response {
  const requestId = newId("request");
  observeCall("any", "(no endpoint)", error.status, 0);
  const response = errorResponse(error, requestId);
  if (call) void logRefusal(call, requestId, error, response);
  return setCommonHeaders(response, requestId, undefined);
}

/** As Next leads every path with a slash at its end to the one without. */
export function redirectTo(location: string): Response {
  const response = new Response(null, { status: 308, headers: { Location: location } });
  return setCommonHeaders(response, newId("request"), undefined);
}

/** The answer to OPTIONS. @param forPages those of the methods that pages of any site may call; "": none */
export function optionsResponse(allow: string, forPages: string): Response {
  const response = new Response(null, { status: 204, headers: { Allow: allow } });
  if (forPages) letPagesCall(response.headers, forPages);
  return setCommonHeaders(response, newId("request"), undefined);
}
