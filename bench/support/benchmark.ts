import type { Report } from "@/bench/support/report";

/** One file of `bench/`: measures what a goal of the product says. */
export type Benchmark = (run: BenchmarkRun) => Promise<void>;

/** What a benchmark is given. */
export interface BenchmarkRun {
  /** About 20 s instead of at most 2 minutes. */
  isShort: boolean;
  /** Figures go here, and what is not right. */
  report: Report;
  /** What must be stopped in any case; the last that was added is stopped first. */
  onEnd(stop: () => void | Promise<void>): void;
  /** Where server processes leave CPU profiles when they stop; undefined: none. */
  profileDir: string | undefined;
  /** `--name value` of the command line. */
  option(name: string, fallback: number): number;
  /** The same for words. */
  text(name: string): string | undefined;
}
