import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { mailsSent } from "@/e2e/support/test-people";
import { prisma } from "@/lib/db/prisma";
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

it("tells who asked for an export that an erasure ended it while it was made, once", async () => {
  const id = await ask();
  await prisma().accountExport.update({ where: { id }, data: { state: "running" } });
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
