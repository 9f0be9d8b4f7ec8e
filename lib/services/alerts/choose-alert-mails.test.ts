import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { addTestMember } from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import { prisma } from "@/lib/db/prisma";
import type { AlertMailTopic } from "@/lib/domain/alert-mails";
import type { Role } from "@/lib/domain/panel-actions";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { alertMailsOf, chooseAlertMails } from "@/lib/services/alerts/choose-alert-mails";

useServiceDatabase();

const ALL: AlertMailTopic[] = ["webhooks", "sessions", "usage", "keys"];

let account: TestAccount;
let actor: Actor;

beforeEach(async () => {
  account = await createTestAccount();
  actor = await ownerOf(account);
});

async function person(role: Role) {
  const { userId } = await addTestMember(account, role);
  return { accountId: account.accountId, userId };
}

type Person = Awaited<ReturnType<typeof person>>;

const topics = async (key: Person) => (await alertMailsOf(key)).topics;

const choose = async (key: Person, chosen: AlertMailTopic[]) =>
  chooseAlertMails(actor, key, { topics: chosen, began: await alertMailsOf(key) });

const setRole = (key: Person, role: Role) =>
  prisma().member.update({ where: { accountId_userId: key }, data: { role } });

describe("what a person is mailed of", () => {
  it.each([
    ["owner", ALL],
    ["admin", ALL],
    ["member", []],
  ] as const)("is by the role of an %s until they choose", async (role, expected) => {
    expect(await topics(await person(role))).toEqual(expected);
  });

  it("is what they chose, in the order of the form, however often and in whatever order it was sent", async () => {
    const key = await person("member");
    expect(await choose(key, ["keys", "webhooks", "keys"])).toEqual({
      outcome: "saved",
      saved: { topics: ["webhooks", "keys"] },
    });
    expect(await topics(key)).toEqual(["webhooks", "keys"]);
    await choose(key, []);
    expect(await topics(key)).toEqual([]);
  });

  it("goes along with their role where they chose nothing else", async () => {
    const key = await person("admin");
    await choose(key, ["webhooks", "keys"]);
    await setRole(key, "member");
    expect(await topics(key)).toEqual([]);
    await setRole(key, "owner");
    expect(await topics(key)).toEqual(["webhooks", "keys"]);
  });

  it("is chosen for one account at a time", async () => {
    const other = await createTestAccount();
    const key = await person("owner");
    const theirs = { accountId: other.accountId, userId: key.userId };
    await prisma().member.create({ data: { ...theirs, role: "owner" } });
    await choose(key, []);
    expect(await topics(theirs)).toEqual(ALL);
  });

  it("stays as another tab saved it meanwhile, and says what that is", async () => {
    const key = await person("owner");
    const began = await alertMailsOf(key);
    await choose(key, ["keys"]);
    expect(await chooseAlertMails(actor, key, { topics: ["usage"], began })).toEqual({
      outcome: "conflict",
      current: { topics: ["keys"] },
    });
    expect(await topics(key)).toEqual(["keys"]);
    // The same choice from both is none to settle.
    expect(await chooseAlertMails(actor, key, { topics: ["keys"], began })).toMatchObject({ outcome: "saved" });
  });

  it("is of one of two tabs that save at once; the other is told what that is", async () => {
    const key = await person("owner");
    const began = await alertMailsOf(key);
    const save = (chosen: AlertMailTopic[]) => () => chooseAlertMails(actor, key, { topics: chosen, began });
    const hold = { statement: "SELECT FROM members WHERE user_id = $1 FOR UPDATE", id: key.userId };
    const [first, second] = await whileHeld(hold, save(["keys"]), save(["usage"]));
    expect([first, second]).toMatchObject([
      { value: { outcome: "saved" } },
      { value: { outcome: "conflict", current: { topics: ["keys"] } } },
    ]);
    expect(await topics(key)).toEqual(["keys"]);
  });

  it("is in the account's audit log when it changes, and not when it stays", async () => {
    const key = await person("owner");
    await choose(key, ALL);
    await choose(key, ["usage"]);
    const lines = await prisma().auditEntry.findMany({
      where: { accountId: account.accountId, action: "alert.choose-mails" },
    });
    expect(lines).toMatchObject([{ subject: key.userId, before: { topics: ALL }, after: { topics: ["usage"] } }]);
  });

  it("is nobody's who is not of the team", async () => {
    const other = await createTestAccount();
    const { userId } = await person("owner");
    const key = { accountId: other.accountId, userId };
    await expect(alertMailsOf(key)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const began = { topics: ALL };
    await expect(chooseAlertMails(actor, key, { topics: [], began })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("reads what a later build knows more of", async () => {
    const key = await person("owner");
    const alertMails = { usage: false, reports: true };
    await prisma().member.update({ where: { accountId_userId: key }, data: { alertMails } });
    expect(await topics(key)).toEqual(["webhooks", "sessions", "keys"]);
  });
});
