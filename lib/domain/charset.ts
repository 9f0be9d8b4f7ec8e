/** The encoding that a content type states, under its one name; undefined where it states none or one that nobody knows. */
export function readCharset(contentType: string): string | undefined {
  const label = /;\s*charset\s*=\s*["']?([^\s;,"']+)/i.exec(contentType)?.[1];
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
