import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { NEWEST_MIGRATION } from "@/lib/db/newest-migration";
import { applyMigrations } from "@/scripts/support/apply-migrations";
import { migrate, refuseOldPostgres } from "@/scripts/support/migrate";

const FIRST = "1_first";
const SECOND = "2_second";
const MAKE_PARTS = `CREATE TABLE parts (id INT); INSERT INTO parts VALUES (1);`;

let base: string;
let folder: string;
let database: TestDatabase;
let client: Client;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "service-migrations-"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

beforeEach(async () => {
  folder = mkdtempSync(join(base, "folder-"));
  database = await createEmptyDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  write(FIRST, "CREATE TABLE things (id INT);");
  await applyMigrations(database.url, folder);
  return async () => {
    await client.end();
    await database.drop();
  };
});

function write(name: string, sql: string) {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

const apply = () => applyMigrations(database.url, folder);

/** The tables that are there, and the migrations that count as applied. */
async function state() {
  const { rows } = await client.query(
    `SELECT to_regclass('parts') IS NOT NULL AS "hasParts", array(SELECT migration_name::text FROM _prisma_migrations ORDER BY 1) AS names`,
  );
  return rows[0];
}

/** The connection of a start whose migration waits for a table that is locked. */
async function waitingStart(): Promise<number> {
  return vi.waitFor(async () => {
    const { rows } = await client.query("SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'things'::regclass");
    expect(rows).toHaveLength(1);
    return rows[0].pid;
  });
}

describe("a migration", () => {
  it("that fails leaves nothing behind, is named, and is applied whole once it can be", async () => {
    write(SECOND, `${MAKE_PARTS} SELECT 1 / 0;`);
    await expect(apply()).rejects.toThrow("The migration 2_second failed and was undone: division by zero (22012).");
    expect(await state()).toEqual({ hasParts: false, names: [FIRST] });
    write(SECOND, MAKE_PARTS);
    expect(await apply()).toEqual([SECOND]);
    expect(await state()).toEqual({ hasParts: true, names: [FIRST, SECOND] });
  });

  it("whose process ends in the midst of it is begun anew at the next start", async () => {
    write(SECOND, `${MAKE_PARTS} ALTER TABLE things ADD COLUMN name TEXT;`);
    await client.query("BEGIN");
    await client.query("LOCK TABLE things");
    const cut = expect(apply()).rejects.toThrow("The migration 2_second failed and was undone");
    const pid = await waitingStart();
    await client.query("SELECT pg_terminate_backend($1)", [pid]);
    await cut;
    await client.query("ROLLBACK");
    expect(await state()).toEqual({ hasParts: false, names: [FIRST] });
    expect(await apply()).toEqual([SECOND]);
    expect((await client.query("SELECT id FROM parts")).rows).toEqual([{ id: 1 }]);
  });

  it("whose process stands still keeps neither tables nor the lock for longer than a minute, as Postgres ends it", async () => {
    write(
      SECOND,
      `CREATE TABLE parts AS SELECT name, setting || unit AS most FROM pg_settings WHERE name LIKE 'idle%session_timeout';`,
    );
    await apply();
    expect((await client.query("SELECT name, most FROM parts ORDER BY name")).rows).toEqual([
      { name: "idle_in_transaction_session_timeout", most: "60000ms" },
      { name: "idle_session_timeout", most: "60000ms" },
    ]);
  });

  it("takes as long as it does, and waits for another start as long as that takes, whatever limits its user has", async () => {
    write(
      SECOND,
      `CREATE TABLE parts AS SELECT name, reset_val FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout');`,
    );
    const url = new URL(database.url);
    const role = url.pathname.slice(1);
    await client.query(
      `CREATE ROLE ${role} SUPERUSER LOGIN PASSWORD 'x'; ALTER ROLE ${role} SET statement_timeout = '2min'`,
    );
    await client.query(`ALTER ROLE ${role} SET lock_timeout = '10s'`);
    Object.assign(url, { username: role, password: "x" });
    await applyMigrations(url.href, folder);
    expect((await client.query("SELECT name, reset_val FROM parts ORDER BY name")).rows).toEqual([
      { name: "lock_timeout", reset_val: "0" },
      { name: "statement_timeout", reset_val: "0" },
    ]);
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it("is applied once by several starts at the same time", async () => {
    write(SECOND, MAKE_PARTS);
    const applied = await Promise.all([apply(), apply(), apply()]);
    expect(applied.flat()).toEqual([SECOND]);
  });

  it("says that it waits while another start migrates, and goes on once that one is done", async () => {
    write(SECOND, MAKE_PARTS);
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => said.mockRestore());
    await client.query("SELECT pg_advisory_lock(72707369)");
    const applied = apply();
    await vi.waitFor(() =>
      expect(said).toHaveBeenCalledWith("Another process migrates the database; waiting for it …\n"),
    );
    await client.query("SELECT pg_advisory_unlock(72707369)");
    expect(await applied).toEqual([SECOND]);
  });

  it("goes on where the database ends it because it and another server wait for each other", async () => {
    await client.query("CREATE TABLE others (id INT)");
    write(SECOND, `LOCK TABLE others; ${MAKE_PARTS} ALTER TABLE things ADD COLUMN name TEXT;`);
    // The start alone looks for such pairs: it is the one that is ended.
    await client.query("SET deadlock_timeout = '1h'");
    await client.query("BEGIN");
    await client.query("LOCK TABLE things");
    const applying = apply();
    await waitingStart();
    await client.query("LOCK TABLE others");
    await client.query("COMMIT");
    expect(await applying).toEqual([SECOND]);
  });

  it("lets servers go on with a table that it waits for, and goes on itself once it is free", async () => {
    write(SECOND, `${MAKE_PARTS} ALTER TABLE things ADD COLUMN name TEXT;`);
    // As an export does, which reads for as long as its file takes.
    await client.query("BEGIN");
    await client.query("SELECT FROM things");
    const applying = apply();
    await waitingStart();
    const server = new Client({ connectionString: database.url });
    await server.connect();
    await server.query("SELECT FROM things");
    await server.end();
    await client.query("COMMIT");
    expect(await applying).toEqual([SECOND]);
    expect(await state()).toEqual({ hasParts: true, names: [FIRST, SECOND] });
  });

  it("that an earlier version left half-done stops the start, with what to do", async () => {
    write(SECOND, MAKE_PARTS);
    await client.query("INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', '2_second')");
    await expect(apply()).rejects.toThrow(/^The migration 2_second was broken off half-way .* Restore the back-up/);
  });
});

describe("the database that is migrated at a start", () => {
  it("is made where the server has none of that name, by several starts at the same time too", async () => {
    const other = await createTestDatabase();
    await other.drop();
    const applied = await Promise.all([migrate(other.url), migrate(other.url)]);
    expect(applied.map((names) => names.length).sort()).toEqual([0, expect.any(Number)]);
    await other.drop();
    // An address that names none means, as everywhere with Postgres, the one that is called as its user.
    const url = new URL(other.url);
    const role = url.pathname.slice(1);
    await client.query(`CREATE ROLE ${role} LOGIN CREATEDB PASSWORD 'x'`);
    Object.assign(url, { username: role, password: "x", pathname: "" });
    expect(await migrate(url.href)).not.toEqual([]);
    await other.drop();
    await client.query(`DROP ROLE ${role}`);
  });

  it("is said to be an empty one where it was made: a mistyped name looked like a clean service", async () => {
    const other = await createTestDatabase();
    await other.drop();
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await migrate(other.url, true);
    const name = new URL(other.url).pathname.slice(1);
    expect(said.mock.calls).toEqual([[`DATABASE_URL: there was no database "${name}": an empty one was made.\n`]]);
    await migrate(other.url, true);
    // Of the embedded one nobody gave an address: each first start makes it.
    await other.drop();
    await migrate(other.url);
    expect(said).toHaveBeenCalledOnce();
    said.mockRestore();
    await other.drop();
  });

  it("is named where it is not there and its user may make none", async () => {
    const other = await createTestDatabase();
    await other.drop();
    const url = new URL(other.url);
    const name = url.pathname.slice(1);
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
    Object.assign(url, { username: name, password: "x" });
    await expect(migrate(url.href)).rejects.toMatchObject({
      name: "Error",
      message: `DATABASE_URL: there is no database "${name}", and it cannot be made: permission denied to create database (42501). Make it, owned by the user of the address, or set its name right.`,
    });
    await client.query(`DROP ROLE ${name}`);
  });

  it("is made under the very name that the address has, whatever signs are in it", async () => {
    const other = await createTestDatabase();
    await other.drop();
    const url = new URL(other.url);
    const name = `${url.pathname.slice(1)} "own" ü`;
    url.pathname = `/${encodeURIComponent(name)}`;
    expect(await migrate(url.href)).not.toEqual([]);
    const { rows } = await client.query("SELECT datname FROM pg_database WHERE datname = $1", [name]);
    expect(rows).toHaveLength(1);
    await client.query(`DROP DATABASE "${name.replaceAll('"', '""')}" WITH (FORCE)`);
  });

  it("is made where the address is that of a socket, which has a user and no host", async () => {
    const other = await createTestDatabase();
    await other.drop();
    const { username, password, port, pathname, searchParams } = new URL(other.url);
    const folder =
      searchParams.get("host") ?? (await client.query("SHOW unix_socket_directories")).rows[0]?.unix_socket_directories;
    const address = `postgres://${username}:${password}@${pathname}?host=${encodeURIComponent(folder)}&port=${port}`;
    expect(await migrate(address)).not.toEqual([]);
    await other.drop();
  });

  it.each([
    [
      "lets its user make no tables",
      "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
      /permission denied for schema public \(42501\)\. Make its user the owner/,
    ],
    [
      "takes no writes",
      "ALTER ROLE #role SET default_transaction_read_only = on",
      /read-only transaction \(25006\)\. Name a server that takes writes\./,
    ],
    ["lets its user not in", "ALTER ROLE #role NOLOGIN", /is not permitted to log in \(28000\)\.$/],
  ])("is named, with Postgres' own words, when it %s", async (_what, statement, words) => {
    const empty = await createEmptyDatabase();
    const url = new URL(empty.url);
    const role = url.pathname.slice(1);
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    const inside = new Client({ connectionString: empty.url });
    await inside.connect();
    await inside.query(statement.replace("#role", role));
    await inside.end();
    url.username = role;
    url.password = "x";
    await expect(migrate(url.href)).rejects.toMatchObject({
      name: "Error",
      message: expect.stringMatching(words),
    });
    await empty.drop();
    await client.query(`DROP ROLE ${role}`);
  });

  it("leads to its own log where it ends in the midst of a migration", async () => {
    const behind = await createTestDatabase();
    const inside = new Client({ connectionString: behind.url });
    await inside.connect();
    await inside.query(`DELETE FROM _prisma_migrations WHERE migration_name = '${NEWEST_MIGRATION}'`);
    const { rows: tables } = await inside.query<{ names: string }>(
      `SELECT string_agg(quote_ident(tablename), ', ') AS names FROM pg_tables
       WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
    );
    // Whichever of them the newest migration is about.
    await inside.query(`BEGIN; LOCK TABLE ${tables[0]?.names}`);
    const cut = expect(migrate(behind.url)).rejects.toThrow(/ failed and was undone: .+ DATA_DIR\/postgres\.log/);
    await vi.waitFor(async () => {
      const { rows } = await inside.query(
        "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database WHERE NOT granted AND datname = current_database()",
      );
      expect(rows).toHaveLength(1);
    });
    await cut;
    await inside.end();
    await behind.drop();
  });

  it.each([
    ["cannot be reached where the system forbids the connection", "EPERM", "the database cannot be reached (EPERM)."],
    [
      "has a certificate of its own authority",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "the certificate of the database is not trusted (SELF_SIGNED_CERT_IN_CHAIN). Name its authority: ?sslmode=verify-full&sslrootcert=",
    ],
    [
      "sends its certificate without the one between it and its authority",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "the certificate of the database is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE).",
    ],
    [
      "has a certificate for another name",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "the certificate of the database is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).",
    ],
  ])("%s", async (_what, code, words) => {
    const refused = Object.assign(new Error("connect 192.0.2.1:5432"), { code });
    const connect = vi.spyOn(Client.prototype, "connect").mockImplementation(() => Promise.reject(refused));
    const migrated = expect(migrate(database.url)).rejects;
    await migrated.toThrow(`DATABASE_URL: ${words}`).finally(() => connect.mockRestore());
  });

  it("names the authority's file when there is none", async () => {
    const url = `${database.url}${database.url.includes("?") ? "&" : "?"}sslmode=verify-full&sslrootcert=/none.pem`;
    await expect(migrate(url)).rejects.toThrow("DATABASE_URL: /none.pem cannot be read (ENOENT). Set it right.");
  });

  it("must be of a Postgres that the service runs on", () => {
    expect(() => refuseOldPostgres("18.4 (Debian)")).not.toThrow();
    expect(() => refuseOldPostgres("15beta1")).not.toThrow();
    expect(() => refuseOldPostgres("14.19")).toThrow(
      "DATABASE_URL: this is Postgres 14.19; the service needs 15 or newer.",
    );
    expect(() => refuseOldPostgres("9.6.24")).toThrow("9.6.24");
  });
});
