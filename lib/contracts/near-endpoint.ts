import { type EndpointDefinition, endpointPath } from "@/lib/contracts/endpoint-definition";

/** A part of `/api/v1` at the front of a path, or of what somebody takes for it. */
const PREFIX = /^\/(?:api|v\d+)(?=\/)/;

/**
 * The endpoint that a path which does not exist may have meant: the same one below or beside `/api/v1` (§1: webhooks are
 * registered at the host itself, which generated clients miss), with a part of that prefix alone, written in capitals, or in the plural.
 * @param method of the call; of several endpoints at one path, the one that takes it comes first
 * @returns "POST /b2b/partners/:partnerId/webhooks"; undefined: nothing is that near
 */
export function nearEndpoint(
  definitions: readonly EndpointDefinition[],
  method: string,
  pathname: string,
): string | undefined {
  const asked = partsOf(withoutPrefixes(pathname));
  const near = definitions.filter(({ path }) => isNear(partsOf(path), asked));
  const meant = near.find((definition) => definition.method === method) ?? near[0];
  return meant && `${meant.method} ${endpointPath(meant)}`;
}

/** Also where a base address that ends with one was put in front of a path that begins with one. */
function withoutPrefixes(pathname: string): string {
  let path = pathname.toLowerCase();
  while (PREFIX.test(path)) path = path.replace(PREFIX, "");
  return path;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function isNear(parts: string[], asked: string[]): boolean {
  return (
    parts.length === asked.length &&
    parts.every((part, index) => part.startsWith(":") || isSameWord(part.toLowerCase(), asked[index] ?? ""))
  );
}

/** But for the plural of either. */
function isSameWord(one: string, other: string): boolean {
  return ["", "s", "es"].some((ending) => one + ending === other || other + ending === one);
}
