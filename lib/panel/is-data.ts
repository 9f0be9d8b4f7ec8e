/**
 * Whether all of what a browser sent is data. React's protocol can name other things too, at whose first look a check throws:
 * functions (its own mark for what never left the browser is one) and promises. Anybody can send them.
 */
export function isData(input: unknown): boolean {
  const seen = new Set<object>();
  const left = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "function" || value instanceof Promise) return false;
    if (!isContainer(value) || seen.has(value)) continue;
    seen.add(value);
    for (const part of Object.values(value)) left.push(part);
  }
  return true;
}

/** Lists and plain objects; what is in files and bytes is not looked at one by one. */
function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
