/** A figure beside its goal. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** What to reach; absent where the figure is a floor or explains another. */
  goal?: { atLeast: number } | { atMost: number };
}

/**
 * Collects what a benchmark finds. Figures never fail a run: machines are noisy. Violations do: something that must
 * hold on any machine did not.
 */
export class Report {
  readonly #figures: Figure[] = [];
  readonly #notes: string[] = [];
  readonly #violations: string[] = [];

  constructor(private readonly benchmark: string) {}

  figure(name: string, value: number, unit: string, goal?: Figure["goal"]): void {
    this.#figures.push({ name, value: round(value), unit, ...(goal && { goal }) });
  }

  /** A sentence under the table. */
  note(text: string): void {
    this.#notes.push(text);
  }

  /** States what must hold; when it does not, the run fails with these words. */
  mustHold(condition: boolean, otherwise: string): void {
    if (!condition) this.#violations.push(otherwise);
  }

  get hasViolations(): boolean {
    return this.#violations.length > 0;
  }

  /** The table, the notes, and one line of JSON at the end. */
  print(): void {
    const rows = this.#figures.map(toRow);
    const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 0));
    const lines = rows.map((row) =>
      row
        .map((cell, column) => (column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    );
    const violations = this.#violations.map((text) => `NOT RIGHT: ${text}`);
    console.log(["", ...lines, ...this.#notes.map((note) => `  ${note}`), ...violations, ""].join("\n"));
    console.log(JSON.stringify({ benchmark: this.benchmark, figures: this.#figures, violations: this.#violations }));
  }
}

/** The middle value; 0 of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share 0.99 for the 99th percentile */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function toRow({ name, value, unit, goal }: Figure): string[] {
  const number = `${value.toLocaleString("en-US")} ${unit}`;
  if (!goal) return [name, number, "", ""];
  const isMet = "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
  const words =
    "atLeast" in goal
      ? `at least ${goal.atLeast.toLocaleString("en-US")}`
      : `at most ${goal.atMost.toLocaleString("en-US")}`;
  return [name, number, `goal: ${words}`, isMet ? "met" : "missed"];
}

function round(value: number): number {
  const size = Math.abs(value);
  const factor = size >= 100 ? 1 : size >= 1 ? 10 : 1_000;
  return Math.round(value * factor) / factor;
}
