import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestDatabase } from "@/e2e/support/test-database";
import { hashApiKey, isApiKey } from "@/lib/domain/api-key";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { sealText } from "@/lib/domain/sealed-text";
import { ADMIN_COMMANDS } from "@/scripts/support/admin-commands";
import { parseFlags, UsageError } from "@/scripts/support/command-line";
import { loadSecrets, writeRuntimeNote } from "@/scripts/support/data-dir";
import { isPidAlive } from "@/scripts/support/process-identity";
import { acquireLock } from "@/scripts/support/service-lock";

interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Whole processes, each with its own start: on a busy machine they take their time. */
const PROCESS_TIMEOUT_MS = 90_000;

let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "service-admin-"));
  chmodSync(dataDir, 0o711);
});
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
const database = useServiceDatabase({ ENCRYPTION_KEY });

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function run(file: string, args: string[], variables: Record<string, string>): Promise<Answer> {
  const { PATH, HOME } = process.env;
  const child = spawn(file, args, { env: { NODE_ENV: "production", PATH, HOME, ...variables } });
  const answer = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    answer.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    answer.stderr += chunk;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...answer })));
}

function admin(args: string[], variables: Record<string, string> = { DATABASE_URL: database.url }): Promise<Answer> {
  return run(process.execPath, ["--import", "tsx", "scripts/admin.ts", ...args], { DATA_DIR: dataDir, ...variables });
}

/** The command as the process would run it, in this process. */
async function command(line: string) {
  return (await plan(line)()) as Record<string, string>;
}

function plan(line: string) {
  const [name = "", ...args] = line.split(" ");
  const found = ADMIN_COMMANDS[name];
  if (!found) throw new UsageError("no such command");
  return found.plan(parseFlags(args, found.flags));
}

async function one(sql: string, values: unknown[]) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows[0];
  } finally {
    await client.end();
  }
}

describe("the operator commands", () => {
  it("answer with what the contract names, and nothing else", async () => {
    const account = (await command("create-account --company Acme --email a@acme.example --verified --credits 7"))
      .accountId;
    expect(await command(`add-credits --account ${account} --amount 5 --reason paid`)).toEqual({
      accountId: account,
      plan: "growth",
      credits: 12,
    });
    for (const _time of ["first", "again, because its answer was lost"]) {
      expect(await command(`add-credits --account ${account} --amount 5 --reason paid --once`)).toMatchObject({
        credits: 12,
      });
    }
    expect(await command(`set-plan --account ${account} --plan=scale --rate-limit 9`)).toEqual({
      accountId: account,
      plan: "scale",
      credits: 12,
    });
    expect(await command(`set-plan --account ${account} --plan scale --rate-limit plan`)).toMatchObject({
      plan: "scale",
    });
    const key = await command(
      `create-key --account ${account} --permissions chat,process --expires-days 2 --credits-per-month 50 --allowed-from 203.0.113.7/24,127.0.0.1,203.0.113.0/24`,
    );
    expect(Object.keys(key)).toEqual(["keyId", "apiKey", "permissions", "expiresAt"]);
    expect(key.permissions).toEqual(["chat", "process"]);
    expect(await one("SELECT credits_per_month, allowed_networks FROM api_keys WHERE id = $1", [key.keyId])).toEqual({
      credits_per_month: 50,
      allowed_networks: ["203.0.113.0/24", "127.0.0.1"],
    });
    expect(new Date(key.expiresAt ?? "").getTime() - Date.now()).toBeGreaterThan(47 * 3_600_000);
    expect(await command(`revoke-key --key ${key.keyId}`)).toEqual({ keyId: key.keyId, revokedAt: expect.any(Date) });
    for (const reason of ["abuse", "once-more"]) {
      expect(await command(`suspend --account ${account} --reason ${reason}`)).toEqual({
        accountId: account,
        verification: "suspended",
      });
    }
    const { reason } = await one("SELECT reason FROM audit_log WHERE account_id = $1 AND action = 'account.suspend'", [
      account,
    ]);
    expect(reason).toBe("abuse");
    expect(await command(`verify --account ${account}`)).toEqual({ accountId: account, verification: "verified" });
    expect(await command(`check-books --account ${account}`)).toMatchObject({
      isClean: true,
      balance: 12,
      problems: [],
    });
    expect(await command("check-books")).toMatchObject({ isClean: true, wrong: [] });
  });

  it("give a first key with all permissions to a verified account, and none to another", async () => {
    const open = await command("create-account --company B --email b@b.example --verified");
    expect(Object.keys(open)).toEqual(["accountId", "projectId", "owner", "apiKey"]);
    expect(isApiKey(open.apiKey ?? "")).toBe(true);
    const stored = await one("SELECT permissions FROM api_keys WHERE key_hash = $1", [hashApiKey(open.apiKey ?? "")]);
    expect(stored.permissions).toEqual([...PERMISSIONS]);
    const waiting = await command("create-account --company C --email c@c.example");
    expect(Object.keys(waiting)).toEqual(["accountId", "projectId", "owner"]);
    await expect(command(`create-key --account ${waiting.accountId}`)).rejects.toMatchObject({
      code: "B2B_NOT_VERIFIED",
    });
  });
});

describe("npm run admin", { timeout: PROCESS_TIMEOUT_MS }, () => {
  it("prints one object and nothing else with --json", async () => {
    const variables = { DATABASE_URL: database.url, DATA_DIR: dataDir, ENCRYPTION_KEY };
    const args = ["run", "admin", "--", "create-account", "--company", "D & Co", "--email", "d@d.example", "--json"];
    const { code, stdout } = await run("npm", args, variables);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ owner: { email: "d@d.example", password: expect.any(String) } });
  });

  it("prints a line for each value without it", async () => {
    const { stdout } = await admin(["create-staff", "--email", "s2@service.example"]);
    expect(stdout).toMatch(/^userId: usr_\w+\nemail: s2@service\.example\npassword: \w{24}\n$/);
  });

  it("prints nothing on standard output when it fails", async () => {
    const unknown = await admin(["verify", "--account", "acc_none", "--json"]);
    expect(unknown).toEqual({ code: 1, stdout: "", stderr: "The account acc_none was not found.\n" });
    const wrong = await admin(["verify", "--json"]);
    expect(wrong).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("--account is missing.") });
    const settings = await admin(["verify", "--account", "x", "--json"], { PORT: "abc" });
    expect(settings).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^PORT: .+\n$/) });
  });
});

describe("npm run admin -- create-account", { timeout: PROCESS_TIMEOUT_MS }, () => {
  const ofOtherKey = (email: string) => admin(["create-account", "--company", "F", "--email", email, "--json"]);

  it("makes none with a key that is not the service's: nothing could sign its callbacks", async () => {
    await command("create-account --company E --email e@e.example");
    const answer = await ofOtherKey("f@f.example");
    expect(answer).toMatchObject({ code: 1, stdout: "" });
    expect(answer.stderr).toMatch(
      /^ENCRYPTION_KEY is not the one of this database: .+DATA_DIR, or its ENCRYPTION_KEY\.\n$/,
    );
    expect(await one("SELECT count(*)::int AS people FROM users WHERE email = $1", ["f@f.example"])).toEqual({
      people: 0,
    });
  });

  it("makes none where it was given no key, in a database without accounts either", async () => {
    const empty = await createTestDatabase();
    const elsewhere = mkdtempSync(join(tmpdir(), "service-admin-elsewhere-"));
    const beside = { DATABASE_URL: empty.url, DATA_DIR: elsewhere };
    const account = (email: string) => ["create-account", "--company", "I", "--email", email, "--json"];
    // What one command leaves there must be no key to the next one.
    expect(await admin(["check-books"], beside)).toMatchObject({ code: 0 });
    expect(await admin(account("i@i.example"), beside)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ENCRYPTION_KEY is not the one of this database: /),
    });
    expect(await admin(account("i@i.example"), { ...beside, ENCRYPTION_KEY })).toMatchObject({ code: 0 });
    expect(await admin(account("j@j.example"), beside)).toMatchObject({ code: 1 });
    await empty.drop();
    rmSync(elsewhere, { recursive: true });
  });

  it("makes one with the key that took a lost one's place, once the service has sealed something with it", async () => {
    const { projectId } = await command("create-account --company G --email g@g.example");
    const sealed = sealText("whsec_new", loadSecrets(dataDir).encryptionKey);
    await one(
      `UPDATE projects SET callback_secret_encrypted = $2, previous_callback_secret_until = now() + interval '1 day' WHERE id = $1`,
      [projectId, sealed],
    );
    expect(await ofOtherKey("h@h.example")).toMatchObject({ code: 0 });
  });
});

describe("npm run admin, by command", () => {
  it("makes a new database for those alone that set a service up", () => {
    const setUp = Object.entries(ADMIN_COMMANDS).filter(([, { setsUp }]) => setsUp);
    expect(setUp.map(([name]) => name)).toEqual(["create-account", "create-staff"]);
  });
});

describe("npm run admin -- check-books", { timeout: PROCESS_TIMEOUT_MS }, () => {
  it("ends with 2 when books are wrong, and says whose and what, also to people", async () => {
    const { accountId } = await command("create-account --company Odd --email odd@odd.example --credits 5");
    const setBalance = (credits: number) =>
      one("UPDATE accounts SET credit_balance = $2 WHERE id = $1 RETURNING id", [accountId, credits]);
    await setBalance(6);
    const wrong = await admin(["check-books"]);
    expect(wrong).toMatchObject({ code: 2, stderr: "" });
    expect(wrong.stdout).toMatch(
      new RegExp(`^isClean: false\\naccounts: \\d+\\nwrong: \\{"accountId":"${accountId}",.*"problems":\\["`),
    );
    await setBalance(5);
    expect(await admin(["check-books", "--account", `${accountId}`, "--json"])).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("npm run admin -- rotate-encryption-key", { timeout: PROCESS_TIMEOUT_MS }, () => {
  it("ends with 2 where neither key opens something, and with 0 once each does", async () => {
    const own = await createTestDatabase();
    const [next = "", wrong = ""] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
    const made = ["create-account", "--company", "Keys", "--email", "keys@keys.example"];
    expect(await admin(made, { DATABASE_URL: own.url, ENCRYPTION_KEY })).toMatchObject({ code: 0 });
    const rotate = (ENCRYPTION_KEY_PREVIOUS: string) =>
      admin(["rotate-encryption-key", "--json"], {
        DATABASE_URL: own.url,
        ENCRYPTION_KEY: next,
        ENCRYPTION_KEY_PREVIOUS,
      });
    const missed = await rotate(wrong);
    expect(missed).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(missed.stdout)).toMatchObject({ rotated: 0, unreadable: 1 });
    const found = await rotate(ENCRYPTION_KEY);
    expect(found).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(found.stdout)).toMatchObject({ rotated: 1, unreadable: 0 });
    await own.drop();
  });
});

describe("npm run admin beside a running service", { timeout: PROCESS_TIMEOUT_MS }, () => {
  // As it is for whoever copied .env.example to .env and started on another port.
  it.each(["the database that it found", "a database that was named"])(
    "prints links to where the service runs when APP_URL is empty, with %s",
    async (which) => {
      const given = which === "a database that was named" ? { DATABASE_URL: database.url } : undefined;
      const lock = await acquireLock(dataDir, "service", 0);
      if (!("release" in lock)) throw new Error("The data directory is held already.");
      const url = "http://localhost:3999";
      const note = { databaseUrl: database.url, url, pid: process.pid, hasLocalReceivers: false };
      const removeNote = writeRuntimeNote(dataDir, note);
      try {
        const email = `linked-${given ? "named" : "found"}@service.example`;
        await command(`create-staff --email ${email}`);
        const args = ["reset-password", "--email", email, "--json"];
        const { stdout, stderr } = await admin(args, { APP_URL: "", PORT: "3000", ...given });
        expect(stderr).toBe("");
        expect(JSON.stringify(JSON.parse(stdout))).toContain(`"${url}/`);
      } finally {
        removeNote();
        lock.release();
      }
    },
  );
});

describe("npm run admin without a running service", { timeout: PROCESS_TIMEOUT_MS }, () => {
  it("starts the data directory's own Postgres for the moment and leaves no process behind", async () => {
    const args = ["create-account", "--company", "Own", "--email", "own@own.example", "--json"];
    const { code, stdout, stderr } = await admin(args, {});
    // Whoever meant the database of a service learns that this is another.
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`${dataDir} has no database yet`) });
    expect(JSON.parse(stdout)).toMatchObject({ owner: { email: "own@own.example" } });
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
    expect(readdirSync(dataDir)).not.toContain("service.lock");
    expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);

    // A second time, on what the first made.
    const again = await admin(["create-account", "--company", "Own", "--email", "own@own.example", "--json"], {});
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("belongs to a user already") });
    expect(again.stderr).not.toContain("has no database yet");
    const log = readFileSync(join(dataDir, "postgres.log"), "utf8");
    const pids = [...log.matchAll(/\[(\d+)\] LOG: {2}starting/g)].map(([, pid]) => Number(pid));
    expect(pids.filter(isPidAlive)).toEqual([]);
  });
});

describe("npm run admin that is asked for help", { timeout: PROCESS_TIMEOUT_MS }, () => {
  it.each([["--help"], ["help"], ["create-key", "-h"]])(
    "says how it is used, and starts nothing: %s",
    async (...args) => {
      const answer = await admin(args, { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
      expect(answer).toMatchObject({ code: 0, stderr: "" });
      for (const name of Object.keys(ADMIN_COMMANDS)) expect(answer.stdout).toContain(`\n  ${name} `);
    },
  );
});

describe("a wrong command line", () => {
  it.each([
    ["create-account --email a@b.example", "--company is missing."],
    ["create-account --company A", "--email is missing."],
    ["create-account --company A --email", "--email needs a value."],
    ["create-account --company --email a@b.example", "--company needs a value."],
    ["create-account --company A --email e --verified=yes", "--verified takes no value."],
    ["create-account --company A --email e --plan gold", "--plan must be one of free, starter, growth, scale"],
    ["create-account --company A --email e --credits -5", "--credits must be a whole number"],
    ["create-account --company A --email e --credits 1e3", "--credits must be a whole number"],
    ["create-account --company A --email e --rate-limit 0", "--rate-limit must be a whole number from 1"],
    ["create-account --company A --company B --email e", "--company is given twice."],
    ["create-account Acme", "Acme is not known here."],
    ["create-account --toString x", "--toString is not known here."],
    ["create-account --constructor x", "--constructor is not known here."],
    [
      "create-key --account a --permissions chat,fly",
      '--permissions takes a comma list of process, chat, templates, b2bSend, not "fly".',
    ],
    ["create-key --account a --expires-days 1.5", "--expires-days must be a whole number"],
    ["create-key --account a --credits-per-month 0", "--credits-per-month must be a whole number from 1"],
    [
      "create-key --account a --allowed-from 203.0.113.7,office",
      '--allowed-from takes a comma list of addresses and networks, not "office".',
    ],
    [
      `create-key --account a --allowed-from ${Array.from({ length: 51 }, (_, n) => `203.0.113.${n}`)}`,
      "--allowed-from takes at most 50 addresses and networks.",
    ],
    ["create-key --account a --allowed-from ,", '--allowed-from takes a comma list of addresses and networks, not "".'],
    ["add-credits --account a --reason r", "--amount is missing."],
    ["add-credits --account a --amount 0 --reason r", "--amount must be a whole number from 1"],
    ["set-plan --account a", "--plan is missing."],
    ["suspend --account a", "--reason is missing."],
    ["revoke-key", "--key is missing."],
    ["verify -account a", "-account is not known here."],
  ])("%s: is refused before anything is started", (line, message) => {
    expect(() => plan(line)).toThrow(UsageError);
    expect(() => plan(line)).toThrow(message);
  });
});
