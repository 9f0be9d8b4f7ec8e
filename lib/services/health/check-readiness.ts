import { NEWEST_MIGRATION } from "@/lib/db/newest-migration";
import { logDb } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { processSingleton } from "@/lib/process-singleton";
import { isStopping } from "@/lib/stopping";

/** The looks that a readiness check takes; tests put others in their place. */
export interface ReadinessLooks {
  isStopping(): boolean;
  /** Whether the database has all migrations of this build; rejects when it is away or takes no changes. */
  isMigrated(): Promise<boolean>;
}

const DATABASE_WAIT_MS = 2_000;
/** Anybody may ask; the database is asked once in this time. */
const KEPT_MS = 1_000;

/**
 * Passes when this process can serve calls right now.
 * @throws AppError SERVICE_UNAVAILABLE that says why not: it stops, the database is away or read-only, or it lacks migrations
 */
export async function checkReadiness({ isStopping, isMigrated }: ReadinessLooks = LOOKS): Promise<void> {
  if (isStopping()) throw notReady("The service is stopping. Another process takes calls.");
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The database did not answer in time.")), DATABASE_WAIT_MS);
  });
  const isComplete = await Promise.race([isMigrated(), deadline])
    .catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw notReady("The database cannot be reached.", cause);
    })
    .finally(() => clearTimeout(timer));
  if (!isComplete) throw notReady("The database lacks migrations of this version.");
}

function notReady(message: string, cause?: unknown): AppError {
  return new AppError("SERVICE_UNAVAILABLE", message, { cause });
}

const LOOKS: ReadinessLooks = { isStopping, isMigrated: keptFor(KEPT_MS, isNewestApplied) };

async function isNewestApplied(): Promise<boolean> {
  const { rows } = await logDb().query<{ isApplied: boolean; isReadOnly: boolean }>({
    name: "newest-migration",
    text: `SELECT EXISTS (SELECT FROM _prisma_migrations
             WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL) AS "isApplied",
           current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    values: [NEWEST_MIGRATION],
  });
  // After a failover, or where a provider's disk is full: every call writes something.
  if (rows[0]?.isReadOnly) throw notReady("The database takes no changes.");
  return rows[0]?.isApplied === true;
}

function keptFor<T>(milliseconds: number, look: () => Promise<T>): () => Promise<T> {
  return () => {
    const kept = processSingleton<{ at: number; answer?: Promise<T> }>("readiness", () => ({ at: 0 }));
    const isFresh = kept.answer !== undefined && performance.now() - kept.at < milliseconds;
    if (!isFresh) Object.assign(kept, { at: performance.now(), answer: look() });
    return kept.answer as Promise<T>;
  };
}
