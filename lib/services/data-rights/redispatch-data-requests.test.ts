import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { restoreAccount } from "@/lib/services/accounts/restore-account";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { verifyAccount } from "@/lib/services/accounts/verify-account";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { eraseAccount } from "@/lib/services/data-rights/erase-account";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { exportAccount } from "@/lib/services/data-rights/export-account";
import { exportEndUser } from "@/lib/services/data-rights/export-end-user";
import { redispatchDataRequests } from "@/lib/services/data-rights/redispatch-data-requests";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";

let dataDir: string;
let account: TestAccount;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "redispatch-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir }));
beforeEach(async () => {
  await db().query("TRUNCATE data_requests, account_exports, outbox_events");
  await changingAudit("DELETE FROM audit_log");
  account = await createTestAccount();
  await prisma().endUser.create({ data: { projectId: account.projectId, endUserId: "ada" } });
});
afterAll(() => rm(dataDir, { recursive: true }));

const erasure = () => requestErasure(OPERATOR, account, { endUserId: "ada", confirmation: "ada" });
const accountErasure = () =>
  requestAccountErasure(OPERATOR, { accountId: account.accountId, confirmation: "Test Company" });

const KINDS = [
  {
    what: "an export of an end user",
    request: async () => (await requestExport(OPERATOR, account, "ada")).id,
    event: (id: string) => ({ name: "end-user/export", data: { dataRequestId: id } }),
    finish: exportEndUser,
  },
  {
    what: "an erasure of an end user",
    request: async () => (await erasure()).id,
    event: (id: string) => ({ name: "end-user/erase", data: { dataRequestId: id } }),
    finish: finishErasure,
  },
  {
    what: "an export of an account",
    request: () => requestAccountExport(OPERATOR, account.accountId),
    event: (id: string) => ({ name: "account/export", data: { exportId: id } }),
    finish: exportAccount,
  },
  {
    what: "an erasure of an account",
    request: async () => {
      await accountErasure();
      return account.accountId;
    },
    event: (id: string) => ({ name: "account/erase", data: { accountId: id } }),
    finish: eraseAccount,
  },
];

/** The queue takes what is in the outbox. */
async function taken() {
  const { rows } = await db().query("DELETE FROM outbox_events RETURNING name, data");
  return rows;
}

/** As if everything had happened so much earlier. */
async function moveBack(minutes: number): Promise<void> {
  const back = `- interval '${minutes} minutes'`;
  for (const table of ["data_requests", "account_exports"]) {
    await db().query(`UPDATE ${table} SET created_at = created_at ${back}, started_at = started_at ${back}`);
  }
  await changingAudit(`UPDATE audit_log SET created_at = created_at ${back}`);
}

/** Its guard lets erasures through. */
function changingAudit(text: string) {
  return inTransaction(async (tx) => {
    await tx.query("SET LOCAL service.erasing = 'on'");
    await tx.query(text);
  });
}

describe.each(KINDS)("$what", ({ request, event, finish }) => {
  it("is handed over again, once by each sweep, when the queue has forgotten it for an hour", async () => {
    const id = await request();
    expect(await taken()).toEqual([event(id)]);
    await moveBack(59);
    expect(await redispatchDataRequests()).toBe(0);
    await moveBack(2);
    expect(await redispatchDataRequests()).toBe(1);
    expect(await taken()).toEqual([event(id)]);
    expect(await redispatchDataRequests()).toBe(1);
    expect(await taken()).toEqual([event(id)]);
  });

  it("is left alone once it is finished, and finishing it twice changes nothing", async () => {
    const id = await request();
    await Promise.all([finish(id), finish(id)]);
    await finish(id);
    await taken();
    await moveBack(30 * 24 * 60);
    expect(await redispatchDataRequests()).toBe(0);
    expect(await taken()).toEqual([]);
  });
});

it("leaves alone what is worked on for less than an hour, however long it has waited", async () => {
  const { id } = await erasure();
  await moveBack(90);
  await eraseEndUser(id);
  expect(await redispatchDataRequests()).toBe(0);
  await moveBack(61);
  expect(await redispatchDataRequests()).toBe(1);
});

it("hands over an erasure of an account that was interrupted in its midst", async () => {
  await accountErasure();
  await db().query(
    "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'",
  );
  await db().query("CREATE OR REPLACE TRIGGER refuse BEFORE DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION refuse()");
  await expect(eraseAccount(account.accountId)).rejects.toThrow("no");
  await db().query("DROP TRIGGER refuse ON accounts");
  await taken();
  await moveBack(61);
  expect(await redispatchDataRequests()).toBe(1);
  expect(await taken()).toEqual([{ name: "account/erase", data: { accountId: account.accountId } }]);
  await eraseAccount(account.accountId);
  const { rows } = await db().query("SELECT action FROM audit_log WHERE $1 IN (account_id, subject)", [
    account.accountId,
  ]);
  expect(rows).toEqual([{ action: "account.erase" }]);
});

it("does not erase an account that staff have restored, nor when it is suspended again", async () => {
  const { accountId } = account;
  await accountErasure();
  await restoreAccount(OPERATOR, { accountId, reason: "They changed their mind." });
  await moveBack(61);
  expect(await redispatchDataRequests()).toBe(0);
  await suspendAccount(OPERATOR, { accountId, reason: "They did not pay." });
  expect(await redispatchDataRequests()).toBe(0);
  await accountErasure();
  await moveBack(61);
  expect(await redispatchDataRequests()).toBe(1);
});

it("does not erase an account that was verified since, nor when it is suspended again", async () => {
  const { accountId } = account;
  await accountErasure();
  await verifyAccount(OPERATOR, { accountId });
  await moveBack(61);
  expect(await redispatchDataRequests()).toBe(0);
  await suspendAccount(OPERATOR, { accountId, reason: "They did not pay." });
  expect(await redispatchDataRequests()).toBe(0);
});

it("leaves alone an export whose end user was erased before it was made", async () => {
  await requestExport(OPERATOR, account, "ada");
  await finishErasure((await erasure()).id);
  await moveBack(61);
  expect(await redispatchDataRequests()).toBe(0);
});

it("hands over the erasure of the account alone that it was asked for, whoever else is suspended or was restored", async () => {
  const [suspended, restored] = [await createTestAccount(), await createTestAccount()];
  await accountErasure();
  for (const { accountId } of [suspended, restored]) await suspendAccount(OPERATOR, { accountId, reason: "Unpaid" });
  await restoreAccount(OPERATOR, { accountId: restored.accountId, reason: "Paid" });
  await taken();
  await moveBack(61);
  expect(await redispatchDataRequests()).toBe(1);
  expect(await taken()).toEqual([{ name: "account/erase", data: { accountId: account.accountId } }]);
});
