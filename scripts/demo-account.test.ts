import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { eraseAccount } from "@/lib/services/data-rights/erase-account";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { signIn } from "@/lib/services/people/sign-in";
import { ADMIN_COMMANDS } from "@/scripts/support/admin-commands";
import {
  ensureDemoAccount,
  isDemoAccountLeft,
  readDemoCredentials,
  switchOffDemoAccount,
} from "@/scripts/support/demo-account";
import { findMissingPeople } from "@/scripts/support/find-missing-people";
import { welcomeText } from "@/scripts/support/welcome";

const URL = "http://localhost:3000";
const BROWSER = { ip: "203.0.113.7", userAgent: null, previousToken: null };

let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "demo-account-"));
});
const database = useServiceDatabase(() => ({ DATA_DIR: dataDir }));
afterAll(() => rmSync(dataDir, { recursive: true }));

const file = () => readFileSync(join(dataDir, "demo-credentials.json"), "utf8");

describe("the demo account", () => {
  it("cannot be switched off where there is none", async () => {
    await expect(switchOffDemoAccount(dataDir)).rejects.toThrow(/no demo account/);
  });

  it("is shut in the database that it was made in alone: in another its file would be forgotten, and it left open", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "demo-account-elsewhere-"));
    const person = (name: string) => ({ userId: `usr_${name}`, email: `${name}@demo.example`, password: "x" });
    const [owner, staff] = [person("owner"), person("staff")];
    const demo = { url: URL, accountId: "acc_elsewhere", projectId: "prj_elsewhere", apiKey: "x", owner, staff };
    const path = join(elsewhere, "demo-credentials.json");
    writeFileSync(path, JSON.stringify(demo));
    expect(await isDemoAccountLeft(elsewhere)).toBe(false);
    await expect(switchOffDemoAccount(elsewhere)).rejects.toThrow(
      `The demo account of ${path} is not in this database, and nothing was done: give the command the DATABASE_URL`,
    );
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(demo);
    rmSync(elsewhere, { recursive: true });
  });

  it("is shut by the operator's command: no key, no sign-in, no credentials left, and no start makes another", async () => {
    const demo = await ensureDemoAccount(dataDir, URL, database.url);
    if (!demo) throw new Error("There is no demo account.");
    expect(await ensureDemoAccount(dataDir, URL, database.url)).toEqual(demo);
    expect(await isDemoAccountLeft(dataDir)).toBe(true);
    await expect(authenticateKey(demo.apiKey)).resolves.toBeDefined();
    expect((await signIn({ ...demo.owner, code: "" }, BROWSER)).outcome).not.toBe("wrong");

    const answer = await ADMIN_COMMANDS["switch-off-demo"]?.plan({})();
    expect(answer).toMatchObject({
      accountId: demo.accountId,
      keysRevoked: 1,
      peopleDisabled: expect.arrayContaining([demo.owner.email, demo.staff.email]),
    });

    await expect(authenticateKey(demo.apiKey)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
    for (const person of [demo.owner, demo.staff]) {
      expect((await signIn({ ...person, code: "" }, BROWSER)).outcome).toBe("wrong");
    }
    for (const secret of [demo.apiKey, demo.owner.password, demo.staff.password]) expect(file()).not.toContain(secret);
    expect(await prisma().account.findUnique({ where: { id: demo.accountId } })).toMatchObject({
      verificationStatus: "suspended",
    });
    expect(readDemoCredentials(dataDir)).toBeUndefined();
    expect(await isDemoAccountLeft(dataDir)).toBe(false);
    expect(await ensureDemoAccount(dataDir, URL, database.url)).toBeUndefined();
    expect(await prisma().account.count()).toBe(1);
    const lines = await prisma().auditEntry.findMany({ where: { reason: "Demo account switched off" } });
    expect(lines.map(({ action }) => action).sort()).toEqual(["account.close", "person.disable", "person.disable"]);
  });

  it("is missed like one that never was: it is said that an account and a member of staff are to be made", async () => {
    expect(await findMissingPeople()).toEqual({ account: true, staff: true });
    const { userId } = await createStaff(OPERATOR, { email: "ann@staff.example" });
    expect(await findMissingPeople()).toEqual({ account: true, staff: false });
    await prisma().user.delete({ where: { id: userId } });
  });

  it("can be switched off again, which changes nothing", async () => {
    const before = file();
    expect(await switchOffDemoAccount(dataDir)).toEqual(JSON.parse(before));
    expect(file()).toBe(before);
  });

  it("stays the same while its key works, whatever the address, and is made anew once the key was revoked", async () => {
    const other = mkdtempSync(join(tmpdir(), "demo-account-"));
    const ensure = (url = URL) => ensureDemoAccount(other, url, database.url);
    const first = await ensure();
    if (!first) throw new Error("There is no demo account.");
    const moved = { ...first, url: "http://localhost:3001" };
    expect(await ensure(moved.url)).toEqual(moved);
    expect(readDemoCredentials(other)).toEqual(moved);
    await db().query("UPDATE api_keys SET revoked_at = now() WHERE account_id = $1", [first.accountId]);
    const second = await ensure();
    expect(second?.accountId).not.toBe(first.accountId);
    await expect(authenticateKey(second?.apiKey ?? "")).resolves.toBeDefined();
    rmSync(other, { recursive: true });
  });

  it("is shut with those before it, whose keys worked no more: their people and what they may do are still there", async () => {
    const other = mkdtempSync(join(tmpdir(), "demo-account-"));
    const demos = [];
    for (let made = 0; made < 3; made++) {
      const demo = await ensureDemoAccount(other, URL, database.url);
      if (!demo) throw new Error("There is no demo account.");
      demos.push(demo);
      await db().query("UPDATE api_keys SET revoked_at = now() WHERE account_id = $1", [demo.accountId]);
    }
    const people = demos.flatMap(({ owner, staff }) => [owner, staff]);
    for (const person of people) expect((await signIn({ ...person, code: "" }, BROWSER)).outcome).toBe("signed-in");

    const { peopleDisabled } = await switchOffDemoAccount(other);

    expect((peopleDisabled as string[]).sort()).toEqual(people.map(({ email }) => email).sort());
    for (const person of people) expect((await signIn({ ...person, code: "" }, BROWSER)).outcome).toBe("wrong");
    const accounts = await prisma().account.findMany({
      where: { id: { in: demos.map(({ accountId }) => accountId) } },
    });
    expect(accounts.map(({ verificationStatus }) => verificationStatus)).toEqual(Array(3).fill("suspended"));
    expect(await ensureDemoAccount(other, URL, database.url)).toBeUndefined();
    rmSync(other, { recursive: true });
  });

  it("is shut with whoever of its people changed their address meanwhile", async () => {
    const other = mkdtempSync(join(tmpdir(), "demo-account-"));
    const demo = await ensureDemoAccount(other, URL, database.url);
    if (!demo) throw new Error("There is no demo account.");
    const moved = { owner: "ann@example.com", staff: "bob@example.com" };
    for (const role of ["owner", "staff"] as const) {
      await prisma().user.update({ where: { email: demo[role].email }, data: { email: moved[role] } });
    }

    const { peopleDisabled } = await switchOffDemoAccount(other);

    expect((peopleDisabled as string[]).sort()).toEqual([moved.owner, moved.staff]);
    for (const { email, password } of [
      { ...demo.owner, email: moved.owner },
      { ...demo.staff, email: moved.staff },
    ]) {
      expect((await signIn({ email, password, code: "" }, BROWSER)).outcome).toBe("wrong");
    }
    rmSync(other, { recursive: true });
  });

  it("is shut by the addresses in a file that knows no ids", async () => {
    const other = mkdtempSync(join(tmpdir(), "demo-account-"));
    const demo = await ensureDemoAccount(other, URL, database.url);
    if (!demo) throw new Error("There is no demo account.");
    const [owner, staff] = [demo.owner, demo.staff].map(({ email, password }) => ({ email, password }));
    writeFileSync(join(other, "demo-credentials.json"), JSON.stringify({ ...demo, owner, staff }));
    expect(await switchOffDemoAccount(other)).toMatchObject({
      peopleDisabled: expect.arrayContaining([demo.owner.email, demo.staff.email]),
    });
    rmSync(other, { recursive: true });
  });

  it("is shut once its owner erased it, too: its member of staff is in no account", async () => {
    const other = mkdtempSync(join(tmpdir(), "demo-account-"));
    const demo = await ensureDemoAccount(other, URL, database.url);
    if (!demo) throw new Error("There is no demo account.");
    const { accountId, staff } = demo;
    await requestAccountErasure(OPERATOR, { accountId, confirmation: "Demo Company" });
    await eraseAccount(accountId);
    expect(await prisma().account.count({ where: { id: accountId } })).toBe(0);

    expect(await switchOffDemoAccount(other)).toMatchObject({ keysRevoked: 0, peopleDisabled: [staff.email] });

    expect((await signIn({ ...staff, code: "" }, BROWSER)).outcome).toBe("wrong");
    expect(await ensureDemoAccount(other, URL, database.url)).toBeUndefined();
    rmSync(other, { recursive: true });
  });

  it.each([
    [true, true, "Make an account and a member of staff:", ["create-account", "create-staff"]],
    [false, true, "Make a member of staff:", ["create-staff"]],
    [false, false, undefined, []],
  ])(
    "is not spoken of at a start without it; the words say how to make what is missing: %s, %s",
    (account, staff, words, commands) => {
      const text = welcomeText({
        serviceName: "Service",
        url: URL,
        credentials: undefined,
        credentialsPath: join(dataDir, "demo-credentials.json"),
        missing: { account, staff },
        isDemoModel: false,
        notes: [],
        seconds: 1,
      });
      expect(text).toContain(`${URL}/panel`);
      expect(text).not.toMatch(/API key {3}|Sign in|demo-credentials/);
      expect(text.match(/Make .*/)?.[0]).toBe(words);
      expect([...text.matchAll(/npm run admin -- ([\w-]+)/g)].map(([, command]) => command)).toEqual(commands);
    },
  );
});
