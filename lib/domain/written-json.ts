/** The part of ES2025 that keeps numbers as they were written; the compiler's library has it not yet. */
const json = JSON as unknown as {
  parse(text: string, revive: (name: string, value: unknown, written: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is object;
};

/**
 * What a JSON text says, with its numbers as they were written: JavaScript keeps some 16 digits of each, and an invoice's number may
 * have twenty. Undefined for what is no JSON.
 */
export function parseWritten(text: string): unknown {
  try {
    return json.parse(text, (_name, value, { source = "" }) =>
      typeof value === "number" ? json.rawJSON(source) : value,
    );
  } catch {
    return undefined;
  }
}

/** A number of `parseWritten` as it was written; undefined for any other value. */
export function writtenNumber(value: unknown): string | undefined {
  return json.isRawJSON(value) ? JSON.stringify(value) : undefined;
}
