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
  /** Whether it seals what the service has to open: it does nothing with a key that is not the service's. */
  needsKey?: true;
  /** Whether it may be the first that a new service sees: it makes the database where there is none. Any other would speak of an empty one. */
  setsUp?: true;
  /** Of a command that looks for something wrong: whether it found any. Its answer is said all the same, with exit code 2. */
  hasFound?(result: Record<string, unknown>): boolean;
}

/** The command has another key than the service, as beside DATABASE_URL alone: no callback of an account would ever leave. */
export class OtherKeyError extends Error {
  constructor() {
    super(
      "ENCRYPTION_KEY is not the one of this database: the service could not open the account's callback secret. Give the command the service's own DATA_DIR, or its ENCRYPTION_KEY.",
    );
  }
}
