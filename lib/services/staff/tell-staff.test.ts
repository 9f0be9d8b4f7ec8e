import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount } from "@/e2e/support/test-account";
import { mailsSent } from "@/e2e/support/test-people";
import { db } from "@/lib/db/pool";
import { createAccount } from "@/lib/services/accounts/create-account";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { disableStaff } from "@/lib/services/accounts/disable-staff";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { COMPANY } from "@/lib/services/verification/sample-company";
import { submitVerification } from "@/lib/services/verification/submit-verification";

const LIMIT = 100;

const smtp = useMailbox();
let ann: Actor & { userId: string; email: string };
let ben: Actor & { userId: string; email: string };

beforeEach(async () => {
  await db().query("UPDATE users SET disabled_at = now() WHERE is_staff");
  [ann, ben] = [await addStaff(), await addStaff()];
  smtp.mails.length = 0;
});

async function addStaff() {
  const email = `staff-${randomUUID()}@service.example`;
  const { userId } = await createStaff(OPERATOR, { email });
  return { kind: "staff" as const, userId, email };
}

/** A new company hands in its data. */
async function handIn(companyName = "Blue Ltd") {
  const { accountId, owner } = await createAccount(OPERATOR, {
    companyName,
    email: `owner-${randomUUID()}@blue.example`,
    isVerified: false,
    planId: "free",
    credits: 0,
  });
  await submitVerification({ kind: "owner", userId: owner.userId }, { accountId }, COMPANY);
  return accountId;
}

const receivers = async () => (await mailsSent(smtp)).map(({ to }) => to).sort();

describe("the staff is told by mail", () => {
  it("that a company waits for its answer, by when, and where", async () => {
    const accountId = await handIn();
    const mails = await mailsSent(smtp);
    expect(mails.map(({ to }) => to).sort()).toEqual([ann.email, ben.email].sort());
    for (const { subject, text } of mails) {
      expect(subject).toMatch(/^Blue Ltd waits to be verified · /);
      expect(text).toMatch(/an answer by \d{4}-\d\d-\d\d at \d\d:\d\d UTC/);
      expect(text).toContain(`https://service.example/staff/verifications/${accountId}`);
    }
  });

  it("that a grant waits for a second person: everybody but who asked for it", async () => {
    const { accountId } = await createTestAccount();
    await giveCredits(ann, { accountId, amount: LIMIT, reason: "Small" }, LIMIT);
    expect(await receivers(), "it holds at once").toEqual([]);
    await giveCredits(ann, { accountId, amount: 50_000, reason: "Paid by invoice" }, LIMIT);
    const [mail, ...others] = await mailsSent(smtp);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: ben.email, text: expect.stringContaining("50,000 credits for Test Company") });
    expect(mail?.text).toContain(`https://service.example/staff/accounts/${accountId}`);
    expect(mail?.text, "what staff write stays in the panel").not.toContain("Paid by invoice");
  });

  it("but not who was shut out", async () => {
    await disableStaff(OPERATOR, { email: ben.email, reason: "Left" });
    await handIn();
    expect(await receivers()).toEqual([ann.email]);
  });

  it("ten times an hour of one kind at most; the last one says so", async () => {
    for (let index = 0; index < 12; index++) await handIn();
    const texts = (await mailsSent(smtp)).filter(({ to }) => to === ann.email).map(({ text }) => text);
    expect(texts).toHaveLength(10);
    expect(texts.map((text) => text.includes("the next stand in the panel alone"))).toEqual(
      Array.from({ length: 10 }, (_, index) => index === 9),
    );
  });

  it("of a company by its name, without a link of its choice", async () => {
    await handIn("Blue See https://evil.test/ now");
    for (const { subject, text } of await mailsSent(smtp)) {
      expect(subject).toMatch(/^Blue See https evil\.test/);
      expect(text).not.toContain("https://evil.test");
    }
  });
});
