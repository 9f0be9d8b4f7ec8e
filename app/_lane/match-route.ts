/** A route and the texts that stand for its parameters in the path. */
export interface RouteMatch {
  /** The folder of the route file: "/api/v1/chat/[sessionId]". */
  route: string;
  params: Record<string, string>;
}

interface Pattern {
  route: string;
  /** A fixed segment, or the name of a parameter. */
  segments: { fixed?: string; name?: string }[];
}

/**
 * Finds the route of a path as Next does: fixed paths first, then those with parameters, at last the one that takes all
 * that is left below it, the nearest of several. Parameters are decoded; one that cannot be decoded is none of ours and stays as it
 * was sent.
 * @param apart a path that is none of the routes', with all below it
 */
export function routeMatcher(routes: string[], apart: string): (path: string) => RouteMatch | null {
  const fixed = new Map<string, RouteMatch>();
  const patterns: Pattern[] = [];
  const below: { prefix: string; route: string }[] = [];
  for (const route of routes) {
    if (isCatchAll(route)) below.push({ prefix: route.slice(0, -CATCH_ALL.length), route });
    else if (route.includes("[")) patterns.push({ route, segments: segmentsOf(route) });
    else fixed.set(route, { route, params: {} });
  }
  below.sort((one, other) => other.prefix.length - one.prefix.length);
  return (path) =>
    isBelow(path, apart) ? null : (fixed.get(path) ?? matchPattern(patterns, path) ?? matchBelow(below, path));
}

const CATCH_ALL = "/[[...path]]";

/** Whether a route is that of all paths below its own that no other route has. */
export function isCatchAll(route: string): boolean {
  return route.endsWith(CATCH_ALL);
}

function segmentsOf(route: string): Pattern["segments"] {
  return route
    .slice(1)
    .split("/")
    .map((segment) => (segment.startsWith("[") ? { name: segment.slice(1, -1) } : { fixed: segment }));
}

function matchPattern(patterns: Pattern[], path: string): RouteMatch | null {
  const parts = path.slice(1).split("/");
  const match = patterns.find(
    ({ segments }) =>
      segments.length === parts.length &&
      segments.every(({ fixed }, index) => (fixed === undefined ? parts[index] !== "" : fixed === parts[index])),
  );
  if (!match) return null;
  const params: Record<string, string> = {};
  for (const [index, { name }] of match.segments.entries()) {
    if (name !== undefined) params[name] = decoded(parts[index] ?? "");
  }
  return { route: match.route, params };
}

function matchBelow(below: { prefix: string; route: string }[], path: string): RouteMatch | null {
  const match = below.find(({ prefix }) => isBelow(path, prefix));
  return match ? { route: match.route, params: {} } : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
