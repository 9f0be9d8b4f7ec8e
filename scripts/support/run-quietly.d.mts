/** Runs a program with a progress line on standard error; shows its output only when it fails. */
export function runQuietly(options: {
  label: string;
  done: string;
  file: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}): Promise<void>;

/** A line that shows that something goes on; `end` takes it away or replaces it, and returns the seconds it took. */
export function startProgress(label: string): { end(line?: string): number };
