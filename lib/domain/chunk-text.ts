/**
 * Makes the deltas of a model safe to store and to join: JSON in Postgres takes neither NUL nor half a
 * surrogate pair, and a model may cut its text between the two halves.
 */
export class DeltaCleaner {
  #heldHigh = "";

  /** The part of the delta that may be stored now; a high surrogate at its end waits for its other half. */
  push(delta: string): string {
    const text = this.#heldHigh + delta;
    const isSplit = /[\uD800-\uDBFF]$/.test(text);
    this.#heldHigh = isSplit ? text.slice(-1) : "";
    return cleanText(isSplit ? text.slice(0, -1) : text);
  }

  /** What is left at the end of the text. */
  end(): string {
    const rest = cleanText(this.#heldHigh);
    this.#heldHigh = "";
    return rest;
  }
}

/** The text without NUL characters and with lone surrogates replaced. */
export function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
