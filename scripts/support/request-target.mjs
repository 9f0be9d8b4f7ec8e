/**
 * What a call asks for, as path and query. A client that takes the server for a proxy sends the whole address (RFC 9112
 * §3.2.2), which servers have to take as well; whose host it names does not matter here. Parts of a path that cannot be
 * decoded stand for themselves, letter by letter: Next has no page for them and answers with a bare 500.
 * @param {string} target of the request line
 */
export function pathOfTarget(target) {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return withDecodablePath(path.startsWith("/") || path === "*" ? path : `/${path}`);
}

/** @param {string} target */
function withDecodablePath(target) {
  const [path = ""] = target.split(/[?#]/, 1);
  if (!path.includes("%") || isDecodable(path)) return target;
  const parts = path.split("/").map((part) => (isDecodable(part) ? part : part.replaceAll("%", "%25")));
  return parts.join("/") + target.slice(path.length);
}

/** @param {string} text */
function isDecodable(text) {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The same without parameters whose names all objects know, such as `toString`: React fails at handing one on to a component of
 * the browser, and with it the page. No page has such a parameter.
 * @param {string} target as `pathOfTarget` gives it
 */
export function withoutObjectNames(target) {
  const start = target.indexOf("?");
  if (start === -1) return target;
  const query = new URLSearchParams(target.slice(start));
  const names = [...query.keys()].filter((name) => name in Object.prototype);
  for (const name of names) query.delete(name);
  if (names.length === 0) return target;
  return target.slice(0, start) + (query.size > 0 ? `?${query}` : "");
}
