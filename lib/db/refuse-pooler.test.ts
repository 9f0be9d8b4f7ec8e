import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { type PoolerOptions, startTransactionPooler } from "@/e2e/support/transaction-pooler";
import { PoolerError, refusePooler } from "@/lib/db/refuse-pooler";
import { migrate } from "@/scripts/support/migrate";

const database = useDatabase();

async function refusalBehind(options: Omit<PoolerOptions, "databaseUrl">, look = refusePooler): Promise<unknown> {
  const pooler = await startTransactionPooler({ databaseUrl: database.url, ...options });
  try {
    return await look(pooler.url).then(
      () => undefined,
      (error: unknown) => error,
    );
  } finally {
    await pooler.close();
  }
}

describe("a pooler before the database", () => {
  it("is refused when it gives connections by transaction", async () => {
    const refusal = await refusalBehind({ ignoresOptions: true });
    expect(refusal).toBeInstanceOf(PoolerError);
    expect(refusal).toMatchObject({ message: expect.stringContaining("by transaction. Name Postgres itself") });
  });

  it("is refused when it takes no settings of a connection", async () => {
    expect(await refusalBehind({ ignoresOptions: false })).toBeInstanceOf(PoolerError);
  });

  it("ends a start with what to do, before it holds the lock of migrations for good", async () => {
    const migrated = async (url: string) => void (await migrate(url));
    expect(await refusalBehind({ ignoresOptions: true }, migrated)).toMatchObject({
      message: expect.stringMatching(/^DATABASE_URL: a pooler in between .* Name Postgres itself, not its pooler\.$/),
    });
  });

  it("is looked for by connections that end with the look", async () => {
    await refusePooler(database.url);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    const others = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    await expect.poll(async () => (await client.query(others)).rowCount).toBe(0);
  });

  it("is not seen where there is none, also with many that connect at once", async () => {
    await Promise.all(Array.from({ length: 5 }, () => refusePooler(database.url)));
  });
});
