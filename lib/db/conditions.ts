/** The WHERE clause of a query whose filters are optional: only those that are given, so that each can use its index. */
export class Conditions {
  readonly #conditions: string[] = [];
  /** What the places stand for, in order. */
  readonly values: unknown[] = [];

  /** Adds a condition, made of the places (`$1`, `$2` ...) of its values. */
  add(condition: (...places: string[]) => string, ...values: unknown[]): this {
    this.#conditions.push(condition(...values.map((value) => this.place(value))));
    return this;
  }

  /** The same, unless the value is absent. */
  addIf<Value>(value: Value | undefined, condition: (place: string) => string): this {
    return value === undefined ? this : this.add(condition, value);
  }

  /** A place for a further value, e.g. that of LIMIT. */
  place(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** All conditions together. */
  toString(): string {
    return this.#conditions.join(" AND ") || "true";
  }
}
