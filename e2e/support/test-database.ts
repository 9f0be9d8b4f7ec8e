import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { withDatabase } from "@/e2e/support/test-cluster";

/** A database of its own for one test file. */
export interface TestDatabase {
  url: string;
  /** Drops it, whoever is still connected. */
  drop(): Promise<void>;
}

/** Clones the migrated template; takes some tens of milliseconds. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(process.env.TEST_CLUSTER_TEMPLATE);
}

/** For a program that makes its own tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom("template0");
}

async function createFrom(template: string | undefined): Promise<TestDatabase> {
  const adminUrl = process.env.TEST_CLUSTER_URL;
  if (!adminUrl || !template) throw new Error("Run tests through vitest or playwright: their setup starts Postgres.");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runAsAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: withDatabase(adminUrl, name),
    drop: () => runAsAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function runAsAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
