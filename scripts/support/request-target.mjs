/**
 * What a call asks for, as path and query. A client that takes the server for a proxy sends the whole address (RFC 9112
 * §3.2.2), which servers have to take as well; whose host it names does not matter here.
 * @param {string} target of the request line
 */
export function pathOfTarget(target) {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return path.startsWith("/") || path === "*" ? path : `/${path}`;
}
