import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { NEWEST_MIGRATION } from "@/lib/db/newest-migration";
import { db, logDb } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { checkReadiness } from "@/lib/services/health/check-readiness";
import { isServiceAway } from "@/lib/services/health/is-service-away";

const database = useServiceDatabase();

/** The message of the refusal; undefined when it is ready. */
async function refusalOf(check: Promise<void>): Promise<string | undefined> {
  const error = await check.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe("SERVICE_UNAVAILABLE");
  return (error as AppError).message;
}

const runs = { isStopping: () => false, isMigrated: () => Promise.resolve(true) };

describe("readiness", () => {
  it("knows the newest migration: set NEWEST_MIGRATION in lib/db/newest-migration.ts to it", () => {
    const folders = readdirSync("prisma/migrations", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(NEWEST_MIGRATION).toBe(
      folders
        .map(({ name }) => name)
        .sort()
        .at(-1),
    );
  });

  it("is there with the database as this build wants it", async () => {
    expect(await refusalOf(checkReadiness())).toBeUndefined();
  });

  it("is gone while the newest migration is missing, after a second at the latest", async () => {
    await db().query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1", [
      NEWEST_MIGRATION,
    ]);
    await expect
      .poll(() => refusalOf(checkReadiness()), { timeout: 10_000 })
      .toBe("The database lacks migrations of this version.");
  });

  it("is gone while the database takes no changes, and calls say so too", async () => {
    const name = new URL(database.url).pathname.slice(1);
    await db().query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    const reconnect = () =>
      db().query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'service-log'",
        [name],
      );
    await reconnect();
    await expect.poll(() => refusalOf(checkReadiness()), { timeout: 10_000 }).toBe("The database takes no changes.");
    const refused = await logDb()
      .query("CREATE TABLE nothing ()")
      .catch((error: unknown) => error);
    expect(isServiceAway(refused)).toBe(true);
    await db().query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
    await reconnect();
  });

  it("is gone when the process stops, without a look at the database", async () => {
    const isMigrated = () => Promise.reject(new Error("must not be asked"));
    expect(await refusalOf(checkReadiness({ isStopping: () => true, isMigrated }))).toMatch(/is stopping/);
  });

  it("is gone when the database is away or hangs, and the cause is for the log alone", async () => {
    const isMigrated = () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.1"));
    expect(await refusalOf(checkReadiness({ ...runs, isMigrated }))).toBe("The database cannot be reached.");
    const hanging = () => new Promise<boolean>(() => {});
    expect(await refusalOf(checkReadiness({ ...runs, isMigrated: hanging }))).toBe("The database cannot be reached.");
  });
});
