import type { FlagKind, Flags } from "@/scripts/support/command-line";

/** One operator command (contract §10). */
export interface AdminCommand {
  /** What comes after the command's name. */
  usage: string;
  flags: Readonly<Record<string, FlagKind>>;
  /**
   * Checks the flags; what it returns does the work. In two steps, so that a wrong line starts no database.
   * @throws UsageError
   */
  plan(flags: Flags): () => Promise<Record<string, unknown>>;
  /** Of a command that looks for something wrong: whether it found any. Its answer is said all the same, with exit code 2. */
  hasFound?(result: Record<string, unknown>): boolean;
}
