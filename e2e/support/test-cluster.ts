import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { applyMigrations } from "@/scripts/support/apply-migrations";
import { startPostgres } from "@/scripts/support/embedded-postgres";
import { guardedBy, startGuard } from "@/scripts/support/guard";

/** A running Postgres for one run of tests, with a migrated template from which each test file clones its own database. */
export interface TestCluster {
  /** Of the maintenance database, with a role that may create databases. */
  adminUrl: string;
  templateName: string;
  /** Ends it at once, as a crash of the machine would; for tests of what then happens. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestClusterOptions {
  /** Commits wait for the disk, as in production. */
  isDurable?: boolean;
}

/** Starts a Postgres of its own. */
export async function startTestCluster({ isDurable = false }: TestClusterOptions = {}): Promise<TestCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), "service-test-"));
  const guard = startGuard();
  const options = {
    dataDir,
    password: randomBytes(12).toString("hex"),
    isThrowaway: !isDurable,
    watcher: guardedBy(guard, ["SIGQUIT", "SIGKILL"]),
  };
  let postgres = await startPostgres(options);
  const adminUrl = withDatabase(postgres.url, "postgres");
  return {
    adminUrl,
    templateName: await ensureTemplate(adminUrl),
    kill: async () => {
      process.kill(postgres.pid, "SIGQUIT");
      await postgres.exited;
    },
    restart: async () => {
      postgres = await startPostgres(options);
    },
    stop: async () => {
      await postgres.stop();
      await guard.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The Postgres that `TEST_POSTGRES_URL` names, for quick runs of single files; else one of its own. */
export async function useTestCluster(): Promise<Pick<TestCluster, "adminUrl" | "templateName" | "stop">> {
  const given = process.env.TEST_POSTGRES_URL;
  if (!given) return startTestCluster();
  return { adminUrl: given, templateName: await ensureTemplate(given), stop: async () => {} };
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
