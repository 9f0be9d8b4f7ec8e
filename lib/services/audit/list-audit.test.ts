import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { ownAuditListQuery } from "@/lib/contracts/audit";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { getAuditRecord, listAudit } from "@/lib/services/audit/list-audit";

let account: TestAccount;
let owner: { kind: "owner"; userId: string; ip: string };

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  await bend("DELETE FROM audit_log");
  const { userId } = await prisma().member.findFirstOrThrow({ where: { accountId: account.accountId } });
  owner = { kind: "owner", userId, ip: "203.0.113.7" };
});

/** Changes what cannot be changed outside of an erasure. */
const bend = (statement: string) =>
  inTransaction(async (tx) => {
    await tx.query("SET LOCAL service.erasing = 'on'");
    await tx.query(statement);
  });

const write = (action: string, subject = "x", actor: Actor = owner, accountId: string | null = account.accountId) =>
  inTransaction((tx) => writeAudit(tx, actor, { accountId, action, subject, before: { a: 1 }, after: { a: 2 } }));

const list = (filters: Record<string, unknown> = {}) => listAudit(account, ownAuditListQuery.parse(filters));
const actions = async (filters: Record<string, unknown>) => (await list(filters)).data.map(({ action }) => action);

describe("the audit log", () => {
  it.each([
    ["changed", "UPDATE audit_log SET reason = 'another'"],
    ["deleted", "DELETE FROM audit_log"],
    ["emptied", "TRUNCATE audit_log"],
  ])("cannot be %s", async (_what, statement) => {
    await write("key.create", "kept");
    await expect(db().query(statement)).rejects.toMatchObject({ message: /audit_log is append-only/ });
    // Also where an erasure went before on the same connection.
    await bend("UPDATE audit_log SET reason = NULL");
    await expect(db().query(statement)).rejects.toMatchObject({ message: /audit_log is append-only/ });
    expect(await actions({ subject: "kept" })).toEqual(["key.create"]);
  });
});

describe("listAudit", () => {
  it("shows who did what, with the fields before and after", async () => {
    await write("key.revoke", "key_1");
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } });
    expect((await list()).data).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        actor: { kind: "owner", person: { id: owner.userId, email } },
        action: "key.revoke",
        subject: "key_1",
        reason: null,
        before: { a: 1 },
        after: { a: 2 },
        ip: "203.0.113.7",
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it("does not tell which member of staff did it, nor from where, nor when asked for one", async () => {
    const staff = { kind: "staff", userId: "usr_staff", ip: "198.51.100.1" } as const;
    await suspendAccount(staff, { accountId: account.accountId, reason: "Bills are open" });
    const page = await list();
    expect(page.data[0]).toMatchObject({
      actor: { kind: "staff", person: null },
      action: "account.suspend",
      reason: "Bills are open",
      ip: null,
      after: { verification: "suspended" },
    });
    expect(JSON.stringify(page)).not.toMatch(/usr_staff|198\.51/);
    expect(await actions({ actorId: "usr_staff" })).toEqual([]);
  });

  it("filters by action, noun, subject, person and time", async () => {
    await write("key.create", "key_1");
    await write("key.revoke", "key_1");
    await write("keyring.open", "key_2");
    await write("project.update", "prj_1", { kind: "owner", userId: "usr_other" });
    await bend("UPDATE audit_log SET created_at = '2026-01-31T12:00:00Z' WHERE action = 'key.create'");
    expect((await actions({ action: "key" })).sort()).toEqual(["key.create", "key.revoke"]);
    expect(await actions({ action: "key.revoke" })).toEqual(["key.revoke"]);
    expect(await actions({ subject: "key_2" })).toEqual(["keyring.open"]);
    expect(await actions({ actorId: "usr_other" })).toEqual(["project.update"]);
    expect(await actions({ from: "2026-01-31", to: "2026-01-31" })).toEqual(["key.create"]);
  });

  it("pages without gap or repeat, also among lines of the same moment", async () => {
    for (let index = 0; index < 11; index++) await write(`noun.verb${index}`);
    await bend("UPDATE audit_log SET created_at = now()");
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 4, cursor });
      seen.push(...page.data.map(({ action }) => action));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 11 }, (_, index) => `noun.verb${10 - index}`));
  });

  it("shows nothing of another account or of none, also when the address names one", async () => {
    const other = await createTestAccount();
    await write("key.create", "x", owner, null);
    expect(await actions({ accountId: other.accountId })).toEqual([]);
    expect((await listAudit(other, ownAuditListQuery.parse({}))).data.length).toBeGreaterThan(0);
  });
});

describe("one line of the audit log", () => {
  it("is shown to its own account alone", async () => {
    await write("project.update", account.projectId);
    const [line] = (await list()).data;
    expect(line && (await getAuditRecord(account, line.id))).toEqual(line);
    const other = await createTestAccount();
    await expect(getAuditRecord(other, line?.id ?? "")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
