import { verify as verifyPassword } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { whileFailing } from "@/e2e/support/failing-statement";
import { onOtherClock } from "@/e2e/support/other-clock";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { hashApiKey, isApiKey } from "@/lib/domain/api-key";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { openText } from "@/lib/domain/sealed-text";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { createAccount, type NewAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { renameAccount } from "@/lib/services/accounts/rename-account";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { verifyAccount } from "@/lib/services/accounts/verify-account";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { revokeApiKey } from "@/lib/services/api-keys/revoke-api-key";
import { createProject } from "@/lib/services/projects/create-project";

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
const UNKNOWN_ACCOUNT = "acc_01jwz0000000000000000000";

let serial = 0;

useServiceDatabase({ ENCRYPTION_KEY });

function account(changes: Partial<NewAccount> = {}) {
  const base: NewAccount = {
    companyName: "Acme GmbH",
    email: `owner${++serial}@acme.example`,
    isVerified: true,
    planId: "growth",
    credits: 100,
  };
  return createAccount(OPERATOR, { ...base, ...changes });
}

async function rows(sql: string, values: unknown[] = []) {
  return (await db().query(sql, values)).rows;
}

async function auditActions(accountId: string): Promise<string[]> {
  const lines = await rows("SELECT action, actor_kind FROM audit_log WHERE account_id = $1 ORDER BY id", [accountId]);
  return lines.map((line) => `${line.actor_kind} ${line.action}`);
}

async function balanceAndLedger(accountId: string) {
  const [row] = await rows(
    `SELECT credit_balance AS balance, (SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE account_id = a.id) AS ledger
     FROM accounts a WHERE id = $1`,
    [accountId],
  );
  return row;
}

describe("createAccount", () => {
  it("leaves nothing where its first key cannot be made: nobody would have been told the password", async () => {
    const email = "owner@half.example";
    const { failed, outcome } = await whileFailing({ number: 1, of: /INSERT INTO .*"api_keys"/ }, "cut", () =>
      account({ email, hasKey: true }),
    );
    expect(failed).toContain("api_keys");
    expect(outcome.status).toBe("rejected");
    expect(await rows("SELECT id FROM users WHERE email = $1", [email])).toEqual([]);
    const { apiKey = "" } = await account({ email, hasKey: true });
    expect(isApiKey(apiKey)).toBe(true);
  });

  it("is verified by the database's clock, on a machine whose own is ahead", async () => {
    const { accountId } = await onOtherClock(2, () => account({ hasKey: true }));
    const [row] = await rows(
      `SELECT a.verified_at <= now() AS verified, k.created_at <= now() AS key
       FROM accounts a JOIN api_keys k ON k.account_id = a.id WHERE a.id = $1`,
      [accountId],
    );
    expect(row).toEqual({ verified: true, key: true });
  });

  it("creates the account, one project, the owner and the first credits", async () => {
    const created = await account({
      companyName: "  Blue Ltd ",
      planId: "scale",
      credits: 10_000,
      rateLimitPerMinute: 77,
    });
    const [row] = await rows("SELECT * FROM accounts WHERE id = $1", [created.accountId]);
    expect(row).toMatchObject({
      company_name: "Blue Ltd",
      plan_id: "scale",
      verification_status: "verified",
      rate_limit_per_minute: 77,
    });
    expect(await balanceAndLedger(created.accountId)).toEqual({ balance: 10_000, ledger: 10_000 });
    const projects = await rows("SELECT id FROM projects WHERE account_id = $1", [created.accountId]);
    expect(projects).toEqual([{ id: created.projectId }]);
    expect(await auditActions(created.accountId)).toEqual(["operator account.create"]);
  });

  it("keeps the password as an argon2id hash that the printed password opens", async () => {
    const { owner } = await account();
    const [user] = await rows("SELECT * FROM users WHERE id = $1", [owner.userId]);
    expect(user.password_hash).toMatch(/^\$argon2id\$/);
    expect(await verifyPassword(user.password_hash, owner.password)).toBe(true);
    expect(owner.password).toMatch(/^[0-9A-Za-z]{24}$/);
    expect(user.is_staff).toBe(false);
  });

  it("seals the callback secret with the key of the settings", async () => {
    const { projectId } = await account();
    const [project] = await rows("SELECT callback_secret_encrypted AS sealed FROM projects WHERE id = $1", [projectId]);
    const secret = openText(project.sealed, ENCRYPTION_KEY);
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
  });

  it("leaves nothing behind when the e-mail address is taken, in whatever case", async () => {
    const { owner } = await account();
    await expect(account({ companyName: "Twice", email: owner.email.toUpperCase() })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      param: "email",
    });
    expect(await rows("SELECT 1 FROM accounts WHERE company_name = 'Twice'")).toEqual([]);
  });

  it.each<[string, Partial<NewAccount>, string]>([
    ["an empty company name", { companyName: "  " }, "company"],
    ["a company name above 200 characters", { companyName: "x".repeat(201) }, "company"],
    ["an e-mail address without a domain", { email: "ann" }, "email"],
    ["an e-mail address with a line end", { email: "ann@acme.example\nx" }, "email"],
    ["half a credit", { credits: 0.5 }, "amount"],
    ["a debt", { credits: -1 }, "amount"],
    ["a rate limit of none", { rateLimitPerMinute: 0 }, "rate-limit"],
    ["more credits than an account can hold", { credits: 2 ** 31 }, "amount"],
  ])("refuses %s", async (_what, changes, param) => {
    await expect(account(changes)).rejects.toMatchObject({ code: "VALIDATION_FAILED", param });
  });

  it("leaves an account without the word of an operator unverified", async () => {
    const { accountId } = await account({ isVerified: false });
    const [row] = await rows("SELECT verification_status, verified_at FROM accounts WHERE id = $1", [accountId]);
    expect(row).toEqual({ verification_status: "unsubmitted", verified_at: null });
  });
});

describe("createStaff", () => {
  it("creates a person of no account who may sign in as staff", async () => {
    const staff = await createStaff(OPERATOR, { email: "Staff@Service.example" });
    const [user] = await rows("SELECT email, is_staff FROM users WHERE id = $1", [staff.userId]);
    expect(user).toEqual({ email: "staff@service.example", is_staff: true });
    expect(await rows("SELECT 1 FROM members WHERE user_id = $1", [staff.userId])).toEqual([]);
  });
});

describe("verifyAccount and suspendAccount", () => {
  it("move the state, approve what was handed in, and say so in the audit log", async () => {
    const { accountId } = await account({ isVerified: false });
    await db().query(
      "INSERT INTO verification_submissions (id, account_id, company, due_at) VALUES ('ver_1', $1, '{}', now())",
      [accountId],
    );
    expect(await verifyAccount(OPERATOR, { accountId })).toEqual({ accountId, verification: "verified" });
    expect(await rows("SELECT status FROM verification_submissions WHERE id = 'ver_1'")).toEqual([
      { status: "approved" },
    ]);
    expect(await suspendAccount(OPERATOR, { accountId, reason: "abuse" })).toEqual({
      accountId,
      verification: "suspended",
    });
    expect(await auditActions(accountId)).toEqual([
      "operator account.create",
      "operator account.verify",
      "operator account.suspend",
    ]);
  });

  it("want a reason for a suspension", async () => {
    const { accountId } = await account();
    await expect(suspendAccount(OPERATOR, { accountId, reason: " " })).rejects.toMatchObject({ param: "reason" });
  });
});

describe("setPlan", () => {
  it("sets the plan and leaves an own rate limit alone unless another one is named, or that of the plan", async () => {
    const { accountId } = await account({ rateLimitPerMinute: 5 });
    expect(await setPlan(OPERATOR, { accountId, planId: "starter" })).toEqual({
      accountId,
      plan: "starter",
      credits: 100,
    });
    const limit = () => rows("SELECT rate_limit_per_minute AS n FROM accounts WHERE id = $1", [accountId]);
    expect(await limit()).toEqual([{ n: 5 }]);
    await setPlan(OPERATOR, { accountId, planId: "starter", rateLimitPerMinute: 9 });
    expect(await limit()).toEqual([{ n: 9 }]);
    await setPlan(OPERATOR, { accountId, planId: "starter", rateLimitPerMinute: null });
    expect(await limit()).toEqual([{ n: null }]);
  });
});

describe("addCredits", () => {
  it("keeps the sum of the ledger equal to the balance, also when many add at once", async () => {
    const { accountId } = await account({ credits: 0 });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => addCredits(OPERATOR, { accountId, amount: index + 1, reason: "paid" })),
    );
    expect(await balanceAndLedger(accountId)).toEqual({ balance: 210, ledger: 210 });
    const entries = await rows("SELECT balance_after FROM ledger_entries WHERE account_id = $1", [accountId]);
    expect(new Set(entries.map((entry) => entry.balance_after)).size).toBe(20);
  });

  it("gives once what is said to be given once, also when it is sent again while the first is under way", async () => {
    const { accountId } = await account({ credits: 0 });
    const pay = (amount: number, reason: string) => addCredits(OPERATOR, { accountId, amount, reason, isOnce: true });
    const both = await Promise.all([pay(500, "Invoice 113"), pay(500, " Invoice 113 ")]);
    expect(both).toEqual(Array(2).fill({ accountId, plan: "growth", credits: 500 }));
    await expect(pay(400, "Invoice 113")).rejects.toThrow("500");
    expect(await balanceAndLedger(accountId)).toEqual({ balance: 500, ledger: 500 });
    await pay(500, "Invoice 114");
    await addCredits(OPERATOR, { accountId, amount: 500, reason: "Invoice 114" });
    expect(await balanceAndLedger(accountId)).toEqual({ balance: 1_500, ledger: 1_500 });
    const other = await account({ credits: 0 });
    await addCredits(OPERATOR, { accountId: other.accountId, amount: 7, reason: "Invoice 113", isOnce: true });
    expect(await balanceAndLedger(other.accountId)).toEqual({ balance: 7, ledger: 7 });
    const lines = await rows("SELECT 1 FROM audit_log WHERE account_id = $1 AND action = 'account.add-credits'", [
      accountId,
    ]);
    expect(lines).toHaveLength(3);
  });

  it("wants a reason", async () => {
    const { accountId } = await account();
    await expect(addCredits(OPERATOR, { accountId, amount: 1, reason: " " })).rejects.toMatchObject({
      param: "reason",
    });
    expect(await balanceAndLedger(accountId)).toEqual({ balance: 100, ledger: 100 });
  });

  it.each([0, -5, 1.5, Number.NaN, 2 ** 31])("refuses the amount %s and books nothing", async (amount) => {
    const { accountId } = await account();
    await expect(addCredits(OPERATOR, { accountId, amount, reason: "paid" })).rejects.toMatchObject({
      param: "amount",
    });
    expect(await balanceAndLedger(accountId)).toEqual({ balance: 100, ledger: 100 });
  });
});

describe("createApiKey", () => {
  it("stores the hash and a hint, never the key", async () => {
    const { accountId, projectId } = await account();
    const created = await createApiKey(OPERATOR, {
      accountId,
      name: "First",
      permissions: ["chat", "process", "chat"],
    });
    expect(isApiKey(created.apiKey)).toBe(true);
    expect(created).toMatchObject({ permissions: ["chat", "process"], expiresAt: null });
    const [row] = await rows("SELECT * FROM api_keys WHERE id = $1", [created.keyId]);
    expect(row.key_hash).toEqual(hashApiKey(created.apiKey));
    expect(row.hint).toBe(created.apiKey.slice(-4));
    expect(row.project_id).toBe(projectId);
    expect(JSON.stringify(await rows("SELECT * FROM audit_log WHERE subject = $1", [created.keyId]))).not.toContain(
      created.apiKey,
    );
  });

  it("refuses an account that is not verified, or no longer is", async () => {
    const waiting = await account({ isVerified: false });
    const suspended = await account();
    await suspendAccount(OPERATOR, { accountId: suspended.accountId, reason: "abuse" });
    for (const { accountId } of [waiting, suspended]) {
      await expect(createApiKey(OPERATOR, { accountId, name: "No", permissions: PERMISSIONS })).rejects.toMatchObject({
        code: "B2B_NOT_VERIFIED",
      });
    }
  });

  it("is made for the first project of the account where none is named", async () => {
    const { accountId, projectId } = await account();
    await createProject(OPERATOR, { accountId }, { name: "Second" });
    const { keyId } = await createApiKey(OPERATOR, { accountId, name: "Backend", permissions: ["chat"] });
    expect(await rows("SELECT project_id FROM api_keys WHERE id = $1", [keyId])).toEqual([{ project_id: projectId }]);
  });

  it("finds no project of another account", async () => {
    const [mine, other] = [await account(), await account()];
    const input = { accountId: mine.accountId, projectId: other.projectId, name: "No", permissions: PERMISSIONS };
    await expect(createApiKey(OPERATOR, input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("revokeApiKey", () => {
  it("keeps the time of the first revocation and one line in the audit log", async () => {
    const { accountId } = await account();
    const { keyId } = await createApiKey(OPERATOR, { accountId, name: "Old", permissions: ["chat"] });
    const first = await revokeApiKey(OPERATOR, { keyId });
    expect(await revokeApiKey(OPERATOR, { keyId })).toEqual(first);
    expect((await auditActions(accountId)).filter((line) => line.endsWith("key.revoke"))).toHaveLength(1);
  });

  it("does not find another account's key", async () => {
    const [mine, other] = [await account(), await account()];
    const { keyId } = await createApiKey(OPERATOR, {
      accountId: other.accountId,
      name: "Theirs",
      permissions: ["chat"],
    });
    await expect(revokeApiKey(OPERATOR, { keyId, scope: mine })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await rows("SELECT revoked_at FROM api_keys WHERE id = $1", [keyId])).toEqual([{ revoked_at: null }]);
  });
});

describe("every change of an account", () => {
  it.each<[string, (accountId: string) => Promise<unknown>]>([
    ["verify", (accountId) => verifyAccount(OPERATOR, { accountId })],
    ["suspend", (accountId) => suspendAccount(OPERATOR, { accountId, reason: "x" })],
    ["set-plan", (accountId) => setPlan(OPERATOR, { accountId, planId: "free" })],
    ["add-credits", (accountId) => addCredits(OPERATOR, { accountId, amount: 1, reason: "x" })],
    ["create-key", (accountId) => createApiKey(OPERATOR, { accountId, name: "x", permissions: ["chat"] })],
  ])("%s does not find an unknown account", async (_what, change) => {
    await expect(change(UNKNOWN_ACCOUNT)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("renaming an account", () => {
  it("changes its name once and says in the audit log what it was", async () => {
    const { accountId } = await account({ companyName: "Old name" });
    const began = { company: "Old name" };
    const saved = { outcome: "saved", saved: { company: "New name" } };
    expect(await renameAccount(OPERATOR, { accountId }, { company: " New name ", began })).toEqual(saved);
    // Whoever wants the same is not asked about it.
    expect(await renameAccount(OPERATOR, { accountId }, { company: "New name", began })).toEqual(saved);
    expect(await rows("SELECT company_name FROM accounts WHERE id = $1", [accountId])).toEqual([
      { company_name: "New name" },
    ]);
    expect(
      await rows("SELECT before, after FROM audit_log WHERE subject = $1 AND action = 'account.rename'", [accountId]),
    ).toEqual([{ before: { companyName: "Old name" }, after: { companyName: "New name" } }]);
  });

  it("leaves a name alone that somebody else gave it since the form was opened", async () => {
    const { accountId } = await account({ companyName: "Old name" });
    const began = { company: "Old name" };
    const names = ["One name", "Other name"];
    const results = await Promise.all(
      names.map((company) => renameAccount(OPERATOR, { accountId }, { company, began })),
    );
    const [saved] = results.flatMap((result) => (result.outcome === "saved" ? result.saved : []));
    expect(results).toContainEqual({ outcome: "conflict", current: saved });
    expect(await rows("SELECT company_name FROM accounts WHERE id = $1", [accountId])).toEqual([
      { company_name: saved?.company },
    ]);
  });

  it("refuses a name that no company has, and an account that is not there", async () => {
    const { accountId } = await account();
    const nameless = { company: "  ", began: { company: "" } };
    await expect(renameAccount(OPERATOR, { accountId }, nameless)).rejects.toMatchObject({ param: "company" });
    await expect(
      renameAccount(OPERATOR, { accountId: UNKNOWN_ACCOUNT }, { ...nameless, company: "X" }),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
