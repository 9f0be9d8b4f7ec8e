/**
 * Prompt templates (§4.7, contract §6): `{{name}}` with spaces inside the braces allowed, names of letters, digits,
 * `_`, `-` and `.`. One pass: a value is never searched for placeholders again.
 */

// No two parts of the pattern can match the same character one after the other, so it never goes back far:
// the time grows with the length of the template and with nothing else.
const PLACEHOLDER = /\{\{[ \t]*([\p{L}\p{M}\p{N}_.-]+)[ \t]*\}\}/gu;
/** As long as somebody may take for a name, on one line. */
const IN_BRACES = /\{\{[^{}\n]{0,80}\}\}/g;
const NAME = /^[\p{L}\p{M}\p{N}_.-]+$/u;

export interface RenderedTemplate {
  text: string;
  /** Placeholders without a value, each once, in the order of the template; left standing in `text`. */
  missing: string[];
  /** Whether the text grew above `maxCharacters`; it is cut off then and of no use. */
  isTooLong: boolean;
}

/**
 * Puts values into a template.
 * @param values as `mergeValues` makes them; a `Map`, so that names like `__proto__` are names like any other
 * @param maxCharacters of the rendered text: a long value named often must not fill the memory
 */
export function renderTemplate(
  template: string,
  values: ReadonlyMap<string, string>,
  maxCharacters = Number.POSITIVE_INFINITY,
): RenderedTemplate {
  const parts: string[] = [];
  const missing = new Set<string>();
  let length = 0;
  let end = 0;
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  for (const match of template.matchAll(PLACEHOLDER)) {
    const name = match[1] ?? "";
    const value = values.get(sameName(name));
    if (value === undefined) missing.add(name);
    add(template.slice(end, match.index));
    add(value ?? match[0]);
    end = match.index + match[0].length;
    if (length > maxCharacters) break;
  }
  if (length <= maxCharacters) add(template.slice(end));
  return { text: parts.join(""), missing: [...missing], isTooLong: length > maxCharacters };
}

/** The names of a template's placeholders, each once, in order. */
export function findPlaceholders(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(PLACEHOLDER), (match) => match[1] ?? ""))];
}

/** What stands in double braces and is no placeholder, such as `{{first name}}`; each once, in order. */
export function findFailedPlaceholders(template: string): string[] {
  const inBraces = Array.from(template.matchAll(IN_BRACES), (match) => match[0]);
  return [...new Set(inBraces.filter((text) => !NAME.test(text.slice(2, -2).trim())))];
}

/** Whether a placeholder can have that name. */
export function isPlaceholderName(name: string): boolean {
  return NAME.test(name);
}

/** Values of several sources, the later before the earlier: a template's defaults, then what the call passed. */
export function mergeValues(...sources: (Readonly<Record<string, string>> | undefined)[]): Map<string, string> {
  return new Map(
    sources.flatMap((source) => Object.entries(source ?? {}).map(([name, value]) => [sameName(name), value] as const)),
  );
}

/** A name as it is looked for: "ö" in one code point and as "o" with a mark look the same, and people cannot tell them apart. */
function sameName(name: string): string {
  return name.normalize("NFC");
}
