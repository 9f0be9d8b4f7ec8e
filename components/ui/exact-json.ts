const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * What a JSON text says, where it can be drawn from values without a number becoming another one: JavaScript keeps some 16 digits of
 * each, and an invoice's number may have twenty. Undefined for the others, and for what is no JSON.
 */
export function parseExactJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isExact = Array.from(text.matchAll(STRING_OR_NUMBER)).every(
    ([token]) => token.startsWith('"') || isKept(token),
  );
  return isExact ? value : undefined;
}

/** 12.50 is 12.5: only what changes the number counts. */
function isKept(written: string): boolean {
  return digitsOf(written) === digitsOf(String(Number(written)));
}

function digitsOf(number: string): string {
  return number
    .replace(/e.*$/i, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "");
}
