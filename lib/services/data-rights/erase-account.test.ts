import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { findInDatabase, findInFiles } from "@/e2e/support/canary-search";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { completedEnd } from "@/e2e/support/test-turns";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { NO_ALLOWANCES } from "@/lib/domain/principal";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createUser } from "@/lib/services/accounts/create-user";
import { type Actor, OPERATOR, recordAudit } from "@/lib/services/accounts/record-audit";
import { restoreAccount } from "@/lib/services/accounts/restore-account";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { verifyAccount } from "@/lib/services/accounts/verify-account";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { checkBooks } from "@/lib/services/credits/check-books";
import { eraseAccount } from "@/lib/services/data-rights/erase-account";
import { redispatchDataRequests } from "@/lib/services/data-rights/redispatch-data-requests";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { storeUpload } from "@/lib/services/files/store-upload";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { createTemplate } from "@/lib/services/templates/create-template";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "erase-account-"));
});
const database = useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));

afterAll(() => rm(dataDir, { recursive: true }));

/** An account that has used everything; the canary is in every name, text and file. */
async function busyAccount() {
  const canary = `canary${randomBytes(6).toString("hex")}`;
  const { accountId, projectId, owner } = await createAccount(OPERATOR, {
    companyName: `${canary} GmbH`,
    email: `${canary}@acme.example`,
    isVerified: true,
    planId: "growth",
    credits: 100,
  });
  const actor: Actor = { kind: "owner", userId: owner.userId, ip: `203.0.113.7-${canary}` };
  const { keyId, apiKey } = await createApiKey(actor, { accountId, name: canary, permissions: PERMISSIONS });
  const principal = {
    accountId,
    projectId,
    apiKeyId: keyId,
    permissions: PERMISSIONS,
    planId: "growth",
    model: null,
    allowances: NO_ALLOWANCES,
  } as const;
  const template = await createTemplate(principal, { name: canary, promptTemplate: canary });
  const tried = { name: canary, values: { name: canary }, message: canary };
  await prisma().templateExample.create({ data: { id: newId("templateExample"), templateId: template.id, ...tried } });
  await createKnowledgeFile(principal, { path: `${canary}.md`, content: `# ${canary}` });
  const upload = (text: string) =>
    storeUpload(principal, {
      name: `${canary}.txt`,
      contentType: "text/plain",
      stream: (async function* () {
        yield Buffer.from(text);
      })(),
    });
  const turn = { endpoint: "POST /process", kind: "process", creditsToReserve: 2, endUserId: canary } as const;
  const accept = async () =>
    acceptTurn(principal, {
      ...turn,
      requestId: newId("request"),
      input: canary,
      files: [await upload(`File ${canary}`)],
    });
  const { turnId } = await accept();
  const end = { output: canary, tokensIn: 10, tokensOut: 10, credits: 2, isMemoryDue: true };
  await endTurn(turnId, null, completedEnd(end));
  await accept();
  await upload(`Nobody adopted ${canary}`);
  await editMemory(OPERATOR, principal, { endUserId: canary, content: canary });
  await addPeople(accountId, canary);
  await prisma().$transaction(async (tx) => {
    await recordAudit(tx, actor, { accountId: null, action: "user.sign-in", subject: owner.userId, reason: canary });
    const byOthers = { accountId: null, subject: owner.userId, after: { email: `d-${canary}@acme.example` } };
    await recordAudit(tx, OPERATOR, { ...byOthers, action: "person.create-email-link" });
  });
  return { accountId, projectId, apiKey, canary, actor, companyName: `${canary} GmbH` };
}

async function addPeople(accountId: string, canary: string): Promise<void> {
  await prisma().$transaction(async (tx) => {
    const userId = await createUser(tx, { email: `b-${canary}@acme.example`, passwordHash: canary, isStaff: false });
    await tx.member.create({ data: { accountId, userId, role: "member" } });
    await tx.invitation.create({
      data: {
        id: newId("invitation"),
        accountId,
        email: `c-${canary}@acme.example`,
        role: "member",
        tokenHash: canary,
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    });
    await tx.verificationSubmission.create({
      data: { id: newId("verification"), accountId, company: { legalName: canary }, dueAt: new Date() },
    });
    await tx.alert.create({ data: { id: newId("alert"), accountId, kind: "test", message: canary } });
    await tx.alertChat.create({
      data: { accountId, app: "slack", host: canary, hint: "abcd", addressEncrypted: canary, failure: canary },
    });
    await tx.chatMessage.create({ data: { id: newId("chatMessage"), accountId, text: canary } });
    await tx.accountRequest.create({
      data: { id: newId("accountRequest"), accountId, kind: "credits", credits: 1, note: canary, answer: canary },
    });
  });
}

describe("erasing an account", () => {
  it("leaves nothing of it in any table or store but one line that names nobody", async () => {
    const [gone, stays] = [await busyAccount(), await busyAccount()];
    const before = [await findInDatabase(database.url, stays.canary), await findInFiles(dataDir, stays.canary)];
    expect((await findInDatabase(database.url, gone.canary)).length).toBeGreaterThan(15);

    await requestAccountErasure(gone.actor, { accountId: gone.accountId, confirmation: gone.companyName });
    await expect(authenticateKey(gone.apiKey)).rejects.toMatchObject({ code: "INVALID_API_KEY" });
    await expect(authenticateKey(stays.apiKey)).resolves.toBeDefined();
    expect(await prisma().invitation.count({ where: { accountId: stays.accountId, revokedAt: null } })).toBe(1);
    await eraseAccount(gone.accountId);

    expect(await findInDatabase(database.url, gone.canary)).toEqual([]);
    expect(await findInDatabase(database.url, gone.projectId)).toEqual([]);
    expect(await findInFiles(dataDir, gone.canary)).toEqual([]);
    const unused = await db().query("SELECT FROM pending_uploads WHERE project_id = ''");
    expect(unused.rowCount, "for the sweep: bytes may still be on their way").toBe(1);
    expect(await findInDatabase(database.url, gone.accountId)).toEqual(["audit_log"]);
    const { rows } = await db().query(
      "SELECT account_id, actor_id, actor_kind, action, reason, before, after, ip FROM audit_log WHERE subject = $1",
      [gone.accountId],
    );
    expect(rows).toEqual([
      {
        account_id: null,
        actor_id: null,
        actor_kind: "owner",
        action: "account.erase",
        reason: null,
        before: null,
        after: null,
        ip: null,
      },
    ]);
    expect([await findInDatabase(database.url, stays.canary), await findInFiles(dataDir, stays.canary)]).toEqual(
      before,
    );
    expect(await checkBooks(stays.accountId)).toMatchObject({ isClean: true });
  });

  it("takes what was written late, and says once that the account is gone", async () => {
    const { accountId, projectId, actor, companyName } = await busyAccount();
    await requestAccountErasure(actor, { accountId, confirmation: companyName });
    await eraseAccount(accountId);
    await db().query(
      `INSERT INTO call_logs (id, account_id, project_id, request_id, endpoint, path, status, duration_ms, ip)
       VALUES ($1, $2, $3, 'req_late', 'GET /account', '/api/v1/account', 200, 1, '203.0.113.9')`,
      [newId("call"), accountId, projectId],
    );
    await eraseAccount(accountId);
    expect(await findInDatabase(database.url, accountId)).toEqual(["audit_log"]);
    const { rows } = await db().query("SELECT 1 FROM audit_log WHERE subject = $1", [accountId]);
    expect(rows).toHaveLength(1);
  });

  it("removes all files that it can while a store is lost, and ends once that one is back", async () => {
    const { accountId, projectId, canary, actor, companyName } = await busyAccount();
    const lost = "0".repeat(40);
    await db().query("INSERT INTO pending_uploads (storage_key, store, project_id) VALUES ($1, 'blob', $2)", [
      lost,
      projectId,
    ]);
    await requestAccountErasure(actor, { accountId, confirmation: companyName });
    // However often it is tried: an account that is gone has no bytes anywhere.
    for (let tried = 1; tried <= 2; tried++) {
      await expect(eraseAccount(accountId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    }
    // What is left of it would pass for all there was.
    const back = [
      restoreAccount(OPERATOR, { accountId, reason: "A mistake." }),
      verifyAccount(OPERATOR, { accountId }),
    ];
    for (const attempt of await Promise.allSettled(back)) {
      expect(attempt).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(/has begun/) } });
    }
    expect(await prisma().auditEntry.count({ where: { accountId, action: "account.begin-erasure" } })).toBe(1);
    expect(await findInFiles(dataDir, canary)).toEqual([]);
    const left = await findInDatabase(database.url, canary);
    const said =
      /^(session_events|messages|turns|stored_files|memory_profiles|webhook_deliveries|call_logs|users|user_tokens)$/;
    expect(left.filter((table) => said.test(table))).toEqual([]);
    await db().query("UPDATE pending_uploads SET store = 'disk' WHERE storage_key = $1", [lost]);
    await eraseAccount(accountId);
    expect(await findInDatabase(database.url, canary)).toEqual([]);
  });

  it("is known to be under way until the account itself is gone: the sweep goes on with one that broke off there", async () => {
    const { accountId, actor, companyName } = await busyAccount();
    await requestAccountErasure(actor, { accountId, confirmation: companyName });
    await db().query("CREATE TABLE holding (account_id text REFERENCES accounts)");
    await db().query("INSERT INTO holding VALUES ($1)", [accountId]);
    await expect(eraseAccount(accountId)).rejects.toThrow(/holding/);
    await db().query("DROP TABLE holding");
    expect(await redispatchDataRequests(0)).toBe(1);
    await eraseAccount(accountId);
    expect(await findInDatabase(database.url, companyName)).toEqual([]);
  });

  it("stops what is being worked on", async () => {
    const { accountId, projectId, actor, companyName } = await busyAccount();
    const { id: turnId } = await prisma().turn.findFirstOrThrow({ where: { projectId, status: "queued" } });
    const look = vi.fn();
    const endWatch = turnStops().watch(turnId, look);
    onTestFinished(async () => {
      endWatch();
      await turnStops().close();
    });
    await expect.poll(() => look.mock.calls.length).toBe(1);
    await requestAccountErasure(actor, { accountId, confirmation: companyName });
    await eraseAccount(accountId);
    await expect.poll(() => look.mock.calls.length).toBe(2);
  });

  it("leaves an account alone that staff have restored since, whenever the queue comes to it", async () => {
    const { accountId, projectId, actor, companyName } = await busyAccount();
    await requestAccountErasure(actor, { accountId, confirmation: companyName });
    // Who joined meanwhile would be erased with the account.
    expect(await prisma().invitation.count({ where: { accountId, revokedAt: null } })).toBe(0);
    await restoreAccount(OPERATOR, { accountId, reason: "They changed their mind." });
    await eraseAccount(accountId);
    expect(await prisma().account.count({ where: { id: accountId } })).toBe(1);
    expect(await prisma().turn.count({ where: { projectId, status: "queued" } })).toBe(1);

    await suspendAccount(OPERATOR, { accountId, reason: "They did not pay." });
    await eraseAccount(accountId);
    expect(await prisma().account.count({ where: { id: accountId } })).toBe(1);
  });

  it("keeps people who belong to another account, and staff", async () => {
    const [gone, stays] = [await busyAccount(), await busyAccount()];
    const userId = gone.actor.userId ?? "";
    await prisma().member.create({ data: { accountId: stays.accountId, userId, role: "member" } });
    const staff = await prisma().user.update({
      where: { email: `b-${gone.canary}@acme.example` },
      data: { isStaff: true },
    });
    await requestAccountErasure(OPERATOR, { accountId: gone.accountId, confirmation: gone.companyName });
    await eraseAccount(gone.accountId);
    expect(await prisma().user.count({ where: { id: { in: [userId, staff.id] } } })).toBe(2);
    expect(await prisma().member.findMany({ where: { userId }, select: { accountId: true } })).toEqual([
      { accountId: stays.accountId },
    ]);
  });

  it("leaves the ledger guarded", async () => {
    const { accountId, companyName } = await busyAccount();
    await requestAccountErasure(OPERATOR, { accountId, confirmation: companyName });
    await eraseAccount(accountId);
    await expect(db().query("DELETE FROM ledger_entries")).rejects.toThrow(/append-only/);
  });

  it("takes any number of entries out of the ledger, and holds up nobody's charges", async () => {
    const [gone, other] = [await busyAccount(), await busyAccount()];
    await requestAccountErasure(OPERATOR, { accountId: gone.accountId, confirmation: gone.companyName });
    await inTransaction(async (tx) => {
      await tx.query(
        `INSERT INTO ledger_entries (id, account_id, kind, amount, balance_after)
         SELECT 'led_of_' || a || n, a, 'grant', 1, n FROM unnest($1::text[]) a, generate_series(1, 2500) n`,
        [[gone.accountId, other.accountId]],
      );
      await tx.query("UPDATE accounts SET credit_balance = credit_balance + 2500 WHERE id = ANY ($1)", [
        [gone.accountId, other.accountId],
      ]);
    });
    await inTransaction(async (tx) => {
      await tx.query(
        `INSERT INTO ledger_entries (id, account_id, kind, amount, balance_after) VALUES ($1, $2, 'grant', 1, 1)`,
        [newId("ledger"), other.accountId],
      );
      await tx.query("UPDATE accounts SET credit_balance = credit_balance + 1 WHERE id = $1", [other.accountId]);
      // As long as the charge of another is on its way.
      await eraseAccount(gone.accountId);
    });
    expect(await prisma().ledgerEntry.count({ where: { accountId: gone.accountId } })).toBe(0);
    expect(await checkBooks(other.accountId)).toMatchObject({ isClean: true });
  });

  it("wants the company's name and an account that is there", async () => {
    const { accountId, actor, apiKey, companyName } = await busyAccount();
    const request = (input: { accountId: string; confirmation: string }) => requestAccountErasure(actor, input);
    await expect(request({ accountId, confirmation: "Acme" })).rejects.toMatchObject({ param: "confirmation" });
    await expect(request({ accountId: "acc_none", confirmation: companyName })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(authenticateKey(apiKey)).resolves.toBeDefined();
  });
});
