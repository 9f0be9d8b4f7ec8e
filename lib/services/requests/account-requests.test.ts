import { beforeEach, describe, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { mailsSent } from "@/e2e/support/test-people";
import { type AskForMoreInput, askForMoreInput } from "@/lib/contracts/account-requests";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import type { Role } from "@/lib/domain/panel-actions";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { confirmCredits } from "@/lib/services/accounts/decide-credit-request";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { askForMore } from "@/lib/services/requests/ask-for-more";
import { declineRequest } from "@/lib/services/requests/decline-request";
import { listRequests } from "@/lib/services/requests/list-requests";
import { withdrawRequest } from "@/lib/services/requests/withdraw-request";

const smtp = useMailbox();

const CREDITS: AskForMoreInput = { kind: "credits", credits: 500, note: "Order 113" };
const PLAN: AskForMoreInput = { kind: "plan", planId: "growth", note: "" };

let account: TestAccount;
let owner: Actor;
let ownerEmail: string;

beforeEach(async () => {
  account = await createTestAccount({ planId: "starter", credits: 10 });
  const actor = await ownerOf(account);
  owner = actor;
  ownerEmail = (await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })).email;
});

async function person(role: Role, { accountId } = account): Promise<Actor & { userId: string; email: string }> {
  const userId = newId("user");
  const email = `${userId}@acme.example`.toLowerCase();
  await prisma().user.create({ data: { id: userId, email } });
  await prisma().member.create({ data: { accountId, userId, role } });
  return { kind: "owner", userId, email };
}

async function staffMember(): Promise<{ kind: "staff"; userId: string; email: string }> {
  const userId = newId("user");
  const email = `${userId}@staff.example`.toLowerCase();
  await prisma().user.create({ data: { id: userId, email, isStaff: true } });
  return { kind: "staff", userId, email };
}

const ask = (input: AskForMoreInput = CREDITS, actor: Actor = owner) => askForMore(actor, account.accountId, input);
const requests = () => listRequests(account.accountId);
const states = async () => (await requests()).map(({ kind, state }) => `${kind} ${state}`);
const give = (amount: number) => addCredits(OPERATOR, { accountId: account.accountId, amount, reason: "Paid" });
const lines = async (action: string) =>
  prisma().auditEntry.findMany({ where: { accountId: account.accountId, action }, orderBy: { createdAt: "asc" } });

describe("what an account asks for", () => {
  it("stands with who asked, when and why, and in the audit log", async () => {
    const { id } = await ask();
    expect(await requests()).toEqual([
      {
        id,
        accountId: account.accountId,
        companyName: expect.stringMatching(/^Test Company/),
        kind: "credits",
        credits: 500,
        planId: null,
        note: "Order 113",
        state: "open",
        askedBy: ownerEmail,
        answer: null,
        createdAt: expect.stringMatching(/Z$/),
        answeredAt: null,
      },
    ]);
    expect(await lines("account.ask-for-more")).toMatchObject([
      { subject: id, after: { kind: "credits", credits: 500 } },
    ]);
  });

  it("is told to the staff by mail, with the way to the company, and not what was noted", async () => {
    const staff = await staffMember();
    await ask(PLAN);
    const mails = (await mailsSent(smtp)).filter(({ to }) => to === staff.email);
    expect(mails).toMatchObject([{ subject: expect.stringMatching(/^Test Company .*asks for the Growth plan · /) }]);
    expect(mails[0]?.text).toContain(`https://service.example/staff/accounts/${account.accountId}\n`);
    expect(mails[0]?.text).not.toContain("Order 113");
  });

  it("is told once an hour, however often it is taken back: staff are told of few an hour, of all accounts", async () => {
    await prisma().signInAttempt.deleteMany();
    const staff = await staffMember();
    for (let times = 0; times < 12; times++) {
      const { id } = await ask({ ...CREDITS, credits: times + 1 });
      await withdrawRequest(owner, account.accountId, id);
    }
    await ask(PLAN);
    const other = await createTestAccount();
    await askForMore(await ownerOf(other), other.accountId, { ...CREDITS, credits: 700 });
    const mails = (await mailsSent(smtp)).filter(({ to }) => to === staff.email);
    expect(mails.map(({ subject }) => /asks for (.*) ·/.exec(subject)?.[1])).toEqual([
      "1 credit",
      "the Growth plan",
      "700 credits",
    ]);
  });

  it("is listed while it is open, however much was asked for and answered since", async () => {
    const { id } = await ask(PLAN);
    const later = new Date(Date.now() + 60_000);
    await prisma().accountRequest.createMany({
      data: Array.from({ length: 60 }, () => ({
        id: newId("accountRequest"),
        accountId: account.accountId,
        kind: "credits",
        credits: 1,
        state: "withdrawn",
        createdAt: later,
      })),
    });
    expect((await requests()).at(-1)).toMatchObject({ id, state: "open" });
  });

  it("is one at a time of each kind; the same once more is the same", async () => {
    const { id } = await ask();
    expect(await ask()).toEqual({ id });
    await expect(ask({ ...CREDITS, credits: 501 })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(ask({ ...CREDITS, note: "" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await ask(PLAN);
    expect(await states()).toEqual(["plan open", "credits open"]);
    expect(await lines("account.ask-for-more")).toHaveLength(2);
  });

  it("is one also of those that are sent at the same time", async () => {
    const sent = await Promise.allSettled([
      ask(),
      ask({ ...CREDITS, credits: 7 }),
      ask(),
      ask({ ...CREDITS, credits: 9 }),
    ]);
    expect(sent.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await states()).toEqual(["credits open"]);
  });

  it("is not the plan that the account has", async () => {
    await expect(ask({ ...PLAN, planId: "starter" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await requests()).toEqual([]);
  });

  it("is for owners and admins to ask, and of their own account alone", async () => {
    await ask(CREDITS, await person("admin"));
    const stranger = await person("owner", await createTestAccount());
    for (const actor of [await person("member"), stranger]) {
      await expect(ask(PLAN, actor)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await states()).toEqual(["credits open"]);
  });

  it.each([
    { kind: "credits", credits: 0, note: "" },
    { kind: "credits", credits: 1.5, note: "" },
    { kind: "credits", credits: 100_000_001, note: "" },
    { kind: "credits", credits: Number.NaN, note: "" },
    { kind: "credits", credits: 1, note: "x".repeat(501) },
    { kind: "credits", credits: 1, note: "\u0000" },
    { kind: "credits", credits: 1, planId: "growth", note: "" },
    { kind: "plan", planId: "endless", note: "" },
    { kind: "wishes", note: "" },
  ])("is refused at the edge as %o", (input) => {
    expect(askForMoreInput.safeParse(input).success).toBe(false);
  });
});

describe("a request is granted", () => {
  it("by credits that are given, whatever their number, and owners and admins are told", async () => {
    const admin = await person("admin");
    await person("member");
    await ask();
    await ask(PLAN);
    await mailsSent(smtp);
    await give(300);
    expect(await states()).toEqual(["plan open", "credits granted"]);
    const mails = await mailsSent(smtp);
    expect(mails.map(({ to }) => to).sort()).toEqual([admin.email, ownerEmail].sort());
    expect(mails[0]?.subject).toMatch(/^Credits were added: Test Company/);
    expect(mails[0]?.text).toMatch(/was given 300 credits\. It had asked for 500 credits\./);
    expect(mails[0]?.text).toContain(`https://service.example/panel/settings/plan?of=${account.accountId}\n`);
  });

  it("by a large grant when a second member of staff confirms it, not before", async () => {
    const [first, second] = [await staffMember(), await staffMember()];
    await ask();
    await giveCredits(first, { accountId: account.accountId, amount: 500, reason: "Paid" }, 100);
    expect(await states()).toEqual(["credits open"]);
    const { id } = await prisma().creditRequest.findFirstOrThrow({ where: { accountId: account.accountId } });
    await confirmCredits(second, { requestId: id, reason: "Seen the payment" });
    expect(await states()).toEqual(["credits granted"]);
  });

  it("by the plan that was asked for, and by no other", async () => {
    await ask(PLAN);
    await ask();
    await mailsSent(smtp);
    await setPlan(OPERATOR, { accountId: account.accountId, planId: "scale" });
    expect(await states()).toEqual(["credits open", "plan open"]);
    await setPlan(OPERATOR, { accountId: account.accountId, planId: "growth" });
    expect(await states()).toEqual(["credits open", "plan granted"]);
    const mails = await mailsSent(smtp);
    expect(mails).toMatchObject([{ to: ownerEmail, subject: expect.stringMatching(/^The plan was changed: /) }]);
    expect(mails[0]?.text).toContain("has the Growth plan now.");
  });

  it("once: credits that nobody asked for are told to nobody", async () => {
    await give(5);
    await ask();
    await give(5);
    await mailsSent(smtp);
    await give(5);
    expect(await mailsSent(smtp)).toEqual([]);
    expect(await states()).toEqual(["credits granted"]);
  });

  it("of the account alone that was given something", async () => {
    const other = await createTestAccount();
    await ask();
    await addCredits(OPERATOR, { accountId: other.accountId, amount: 5, reason: "Paid" });
    await setPlan(OPERATOR, { accountId: other.accountId, planId: "growth" });
    expect(await states()).toEqual(["credits open"]);
  });
});

describe("a request is declined", () => {
  it("with a reason, which stands in the panel alone; owners and admins are mailed that there is one", async () => {
    const staff = await staffMember();
    const { id: requestId } = await ask();
    await mailsSent(smtp);
    await declineRequest(staff, { requestId, reason: " The last order is not paid. " });
    expect(await requests()).toMatchObject([{ state: "declined", answer: "The last order is not paid." }]);
    expect(await lines("account.decline-request")).toMatchObject([
      { subject: requestId, actorId: staff.userId, reason: "The last order is not paid." },
    ]);
    const mails = await mailsSent(smtp);
    expect(mails).toMatchObject([{ to: ownerEmail, subject: expect.stringMatching(/^Your request was declined: /) }]);
    expect(mails[0]?.text).not.toContain("is not paid");
  });

  it("once: the same again is done already, and another answer is too late", async () => {
    const [staff, colleague] = [await staffMember(), await staffMember()];
    const { id: requestId } = await ask();
    await declineRequest(staff, { requestId, reason: "Unpaid" });
    await declineRequest(staff, { requestId, reason: "Unpaid" });
    expect(await lines("account.decline-request")).toHaveLength(1);
    await expect(declineRequest(colleague, { requestId, reason: "Unpaid" })).rejects.toThrow("was declined already");
    await expect(withdrawRequest(owner, account.accountId, requestId)).rejects.toThrow("was declined already");
    await give(5);
    expect(await states()).toEqual(["credits declined"]);
    await ask();
    expect(await states()).toEqual(["credits open", "credits declined"]);
  });

  it("not where there is none, and not without a reason", async () => {
    const staff = await staffMember();
    const none = { requestId: newId("accountRequest"), reason: "Unpaid" };
    await expect(declineRequest(staff, none)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { id: requestId } = await ask();
    await expect(declineRequest(staff, { requestId, reason: "  " })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await states()).toEqual(["credits open"]);
  });
});

describe("a request is taken back", () => {
  it("by owners and admins of the account, also twice, and another one may be made", async () => {
    const { id } = await ask();
    const stranger = await person("owner", await createTestAccount());
    await expect(withdrawRequest(await person("member"), account.accountId, id)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(withdrawRequest(stranger, account.accountId, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const other = await createTestAccount();
    await expect(withdrawRequest(await ownerOf(other), other.accountId, id)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const admin = await person("admin");
    await withdrawRequest(admin, account.accountId, id);
    await withdrawRequest(admin, account.accountId, id);
    const late = declineRequest(await staffMember(), { requestId: id, reason: "Unpaid" });
    await expect(late).rejects.toThrow("was taken back already");
    expect(await lines("account.withdraw-request")).toHaveLength(1);
    await ask({ ...CREDITS, credits: 7 });
    expect(await states()).toEqual(["credits open", "credits withdrawn"]);
  });
});

describe("the staff's list", () => {
  it("has what is open of all accounts, the oldest first, but of suspended ones", async () => {
    await prisma().accountRequest.deleteMany();
    const [other, suspended] = [await createTestAccount(), await createTestAccount()];
    const first = await ask();
    const second = await askForMore(await ownerOf(other), other.accountId, CREDITS);
    await askForMore(await ownerOf(suspended), suspended.accountId, CREDITS);
    await suspendAccount(OPERATOR, { accountId: suspended.accountId, reason: "Abuse" });
    expect((await listRequests()).map(({ id }) => id)).toEqual([first.id, second.id]);
    await give(5);
    expect((await listRequests()).map(({ id }) => id)).toEqual([second.id]);
  });
});
