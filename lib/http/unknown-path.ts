import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { nearEndpoint } from "@/lib/contracts/near-endpoint";
import { AppError, notFound } from "@/lib/domain/errors";
import { type RouteFunction, type RouteFunctions, refusal, withoutBody } from "@/lib/http/route";

/** The functions of paths that do not exist: 404 in the API's own shape, with the path that may have been meant. */
export function unknownPath(): RouteFunctions {
  const refuse: RouteFunction = async ({ method, headers, url }) => refusal(errorOf(method, url), { method, headers });
  return {
    GET: refuse,
    POST: refuse,
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
    HEAD: withoutBody(refuse),
    OPTIONS: refuse,
  };
}

function errorOf(method: string, url: string): AppError {
  const { code, message } = notFound("This path");
  const near = nearEndpoint(ENDPOINTS, method, new URL(url).pathname);
  return new AppError(code, near === undefined ? message : `${message} Perhaps ${near} is meant.`);
}
