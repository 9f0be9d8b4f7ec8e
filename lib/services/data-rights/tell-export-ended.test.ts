import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { mailsSent } from "@/e2e/support/test-people";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { createUser } from "@/lib/services/accounts/create-user";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { dropAccountExports, failAccountExport } from "@/lib/services/data-rights/account-export-state";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { exportAccount } from "@/lib/services/data-rights/export-account";

let dataDir: string;
let account: TestAccount;
let owner: Actor & { userId: string };
let ownerEmail: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "export-ended-"));
  process.env.DATA_DIR = dataDir;
});
const smtp = useMailbox();
afterAll(() => rm(dataDir, { recursive: true }));

beforeEach(async () => {
  account = await createTestAccount();
  owner = await ownerOf(account);
  ownerEmail = (await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } })).email;
});

/** Asks for an export; what is told of the asking is out of the way. */
async function ask(actor: Actor = owner): Promise<string> {
  const id = await requestAccountExport(actor, account.accountId);
  await mailsSent(smtp);
  return id;
}

it("tells who asked for an export that it is ready, once, and where; the mail has nothing of it", async () => {
  const id = await ask();
  await Promise.all([exportAccount(id), exportAccount(id)]);
  const mails = await mailsSent(smtp);
  expect(mails).toMatchObject([
    { to: ownerEmail, subject: expect.stringMatching(/^The export of Test Company is ready · /) },
  ]);
  expect(mails[0]?.text).toContain(`https://service.example/panel/settings/company?of=${account.accountId}\n`);
  await failAccountExport(id);
  expect(await mailsSent(smtp), "it did not fail: its answer was lost").toEqual([]);
});

it("tells who asked for an export that it could not be made", async () => {
  const id = await ask();
  await failAccountExport(id);
  expect(await mailsSent(smtp)).toMatchObject([
    { to: ownerEmail, subject: expect.stringMatching(/^The export of Test Company could not be made · /) },
  ]);
});

it("tells owners who asked while it was being made as well, each once", async () => {
  const email = `second-${account.accountId}@acme.example`;
  const userId = await createUser(prisma(), { email, passwordHash: null, isStaff: false });
  await prisma().member.create({ data: { accountId: account.accountId, userId, role: "owner" } });
  const second = { kind: "owner", userId } as const;
  const id = await ask();
  expect([await ask(second), await ask(second), await ask()], "one is made for all").toEqual([id, id, id]);
  await exportAccount(id);
  expect((await mailsSent(smtp)).map(({ to }) => to).sort()).toEqual([ownerEmail, email].flat().sort());
});

it("says nothing of an export that an erasure had begin anew, but for its end", async () => {
  const id = await ask();
  await prisma().accountExport.update({ where: { id }, data: { state: "running" } });
  await dropAccountExports(account.accountId);
  expect(await mailsSent(smtp)).toEqual([]);
  await exportAccount(id);
  expect(await mailsSent(smtp)).toMatchObject([
    { to: ownerEmail, subject: expect.stringMatching(/^The export of Test Company is ready · /) },
  ]);
});

it("tells who asked for an export that erasures kept breaking off for half a day, once", async () => {
  const id = await ask();
  await db().query(
    "UPDATE account_exports SET state = 'running', created_at = now() - interval '12 hours 1 second' WHERE id = $1",
    [id],
  );
  await dropAccountExports(account.accountId);
  await dropAccountExports(account.accountId);
  expect(await mailsSent(smtp)).toMatchObject([
    { to: ownerEmail, subject: expect.stringMatching(/^The export of Test Company could not be made · /) },
  ]);
});

it.each([
  ["is no owner any more", () => setRole("admin")],
  ["was shut out", () => prisma().user.update({ where: { id: owner.userId }, data: { disabledAt: new Date() } })],
])("tells nobody who %s: they may not take it", async (_what, lose) => {
  const id = await ask();
  await lose();
  await exportAccount(id);
  expect(await mailsSent(smtp)).toEqual([]);
});

it("tells nobody of what an operator asked for", async () => {
  await exportAccount(await ask(OPERATOR));
  expect(await mailsSent(smtp)).toEqual([]);
});

function setRole(role: string) {
  return prisma().member.updateMany({ where: { userId: owner.userId }, data: { role } });
}
