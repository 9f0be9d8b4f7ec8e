import { describe, expect, it } from "vitest";
import { countWaits } from "@/e2e/support/count-waits";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount, ownerOf } from "@/e2e/support/test-account";
import { addTestMember, mailsSent } from "@/e2e/support/test-people";
import { inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { enqueueMails, enqueueMailsWithin } from "@/lib/services/mail/enqueue-mail";
import { tellOwners } from "@/lib/services/members/tell-owners";

const smtp = useMailbox();

const mailTo = (to: string) => ({ to, subject: "News", text: "News.", html: "News." });

describe("mails to many", () => {
  it.each([
    ["the pool's", (mails: ReturnType<typeof mailTo>[]) => inTransaction((tx) => enqueueMailsWithin(tx, mails))],
    ["Prisma's", (mails: ReturnType<typeof mailTo>[]) => prisma().$transaction((tx) => enqueueMails(tx, mails))],
  ])("go out each to its own, or none, from a transaction of %s", async (_whose, enqueue) => {
    const people = Array.from({ length: 5 }, (_, n) => `p${n}@acme.example`);
    await enqueue(people.map(mailTo));
    expect((await mailsSent(smtp)).map(({ to }) => to).sort()).toEqual(people);
    await enqueue([]);
    expect(await mailsSent(smtp)).toEqual([]);
  });

  it("ask the database as often for a large team as for a small one", async () => {
    const account = await createTestAccount();
    const owner = await ownerOf(account);
    const tell = () =>
      prisma().$transaction((tx) => tellOwners(tx, owner, account.accountId, { action: "account.request-erasure" }));
    const askedOf = async () => (await countWaits(tell)).statements.length;
    await askedOf();
    const ofOne = await askedOf();
    for (let n = 0; n < 12; n++) await addTestMember(account, "member");
    expect(await askedOf()).toBe(ofOne);
    expect(await mailsSent(smtp)).toHaveLength(1 + 1 + 13);
  });
});
