import { beforeEach, describe, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount, ownerOf } from "@/e2e/support/test-account";
import { addTestMember, addTestStaff, mailsSent } from "@/e2e/support/test-people";
import { ASKED_CREDITS, ASKED_PLAN, askingAccount } from "@/e2e/support/test-requests";
import { whileHeld } from "@/e2e/support/while-held";
import { askForMoreInput } from "@/lib/contracts/account-requests";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { askForMore } from "@/lib/services/requests/ask-for-more";
import { declineRequest } from "@/lib/services/requests/decline-request";
import { listRequests } from "@/lib/services/requests/list-requests";
import { withdrawRequest } from "@/lib/services/requests/withdraw-request";

const smtp = useMailbox();

let { account, owner, ownerEmail, requests } = {} as Awaited<ReturnType<typeof askingAccount>>;

beforeEach(async () => {
  ({ account, owner, ownerEmail, requests } = await askingAccount());
});

describe("what an account asks for", () => {
  it("stands with who asked, when and why, and in the audit log", async () => {
    const { id } = await requests.ask();
    expect(await requests.list()).toEqual([
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
    expect(await requests.lines("account.ask-for-more")).toMatchObject([
      { subject: id, after: { kind: "credits", credits: 500 } },
    ]);
  });

  it("is told to the staff by mail, with the way to the company, and not what was noted", async () => {
    const staff = await addTestStaff();
    await requests.ask(ASKED_PLAN);
    const mails = (await mailsSent(smtp)).filter(({ to }) => to === staff.email);
    expect(mails).toMatchObject([{ subject: expect.stringMatching(/^Test Company .*asks for the Growth plan · /) }]);
    expect(mails[0]?.text).toContain(`https://service.example/staff/accounts/${account.accountId}\n`);
    expect(mails[0]?.text).not.toContain("Order 113");
  });

  it("is told once an hour, however often it is taken back: staff are told of few an hour, of all accounts", async () => {
    await prisma().signInAttempt.deleteMany();
    const staff = await addTestStaff();
    for (let times = 0; times < 12; times++) {
      const { id } = await requests.ask({ ...ASKED_CREDITS, credits: times + 1 });
      await withdrawRequest(owner, account.accountId, id);
    }
    await requests.ask(ASKED_PLAN);
    const other = await createTestAccount();
    await askForMore(await ownerOf(other), other.accountId, { ...ASKED_CREDITS, credits: 700 });
    const mails = (await mailsSent(smtp)).filter(({ to }) => to === staff.email);
    expect(mails.map(({ subject }) => /asks for (.*) ·/.exec(subject)?.[1])).toEqual([
      "1 credit",
      "the Growth plan",
      "700 credits",
    ]);
  });

  it("is told anew an hour after it was taken back, and at once after it was answered", async () => {
    await prisma().signInAttempt.deleteMany();
    const staff = await addTestStaff();
    const { id } = await requests.ask();
    await withdrawRequest(owner, account.accountId, id);
    const hourAgo = new Date(Date.now() - 3_601_000);
    await prisma().accountRequest.update({ where: { id }, data: { createdAt: hourAgo } });
    await requests.ask({ ...ASKED_CREDITS, credits: 2 });
    await requests.give(2);
    await requests.ask({ ...ASKED_CREDITS, credits: 3 });
    const mails = (await mailsSent(smtp)).filter(({ to }) => to === staff.email);
    expect(mails.map(({ subject }) => /asks for (.*) ·/.exec(subject)?.[1])).toEqual([
      "500 credits",
      "2 credits",
      "3 credits",
    ]);
  });

  it("is listed while it is open, however much was asked for and answered since", async () => {
    const { id } = await requests.ask(ASKED_PLAN);
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
    expect((await requests.list()).at(-1)).toMatchObject({ id, state: "open" });
  });

  it("is one at a time of each kind; the same once more is the same", async () => {
    const { id } = await requests.ask();
    expect(await requests.ask()).toEqual({ id });
    await expect(requests.ask({ ...ASKED_CREDITS, credits: 501 })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(requests.ask({ ...ASKED_CREDITS, note: "" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const plan = await requests.ask(ASKED_PLAN);
    expect(await requests.ask(ASKED_PLAN)).toEqual(plan);
    await expect(requests.ask({ ...ASKED_PLAN, planId: "scale" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await requests.states()).toEqual(["plan open", "credits open"]);
    expect(await requests.lines("account.ask-for-more")).toHaveLength(2);
  });

  it("is one also of those that are sent at the same time", async () => {
    const sent = await Promise.allSettled([
      requests.ask(),
      requests.ask({ ...ASKED_CREDITS, credits: 7 }),
      requests.ask(),
      requests.ask({ ...ASKED_CREDITS, credits: 9 }),
    ]);
    expect(sent.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await requests.states()).toEqual(["credits open"]);
  });

  it("is the same one also where its like is just being written down, and refused as another that comes then", async () => {
    // Its line in the audit log comes last.
    const [first, again, other] = await whileHeld(
      { statement: "LOCK TABLE audit_log IN SHARE MODE" },
      () => requests.ask(),
      () => requests.ask(),
      () => requests.ask({ ...ASKED_CREDITS, credits: 7 }),
    );
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(again).toEqual(first);
    expect(other).toMatchObject({ status: "rejected", reason: { code: "VALIDATION_FAILED" } });
  });

  it("is not the plan that the account has", async () => {
    await expect(requests.ask({ ...ASKED_PLAN, planId: "starter" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await requests.list()).toEqual([]);
  });

  it("is for owners and admins to ask, and of their own account alone", async () => {
    await requests.ask(ASKED_CREDITS, await addTestMember(account, "admin"));
    const stranger = await addTestMember(await createTestAccount(), "owner");
    for (const actor of [await addTestMember(account, "member"), stranger]) {
      await expect(requests.ask(ASKED_PLAN, actor)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await requests.states()).toEqual(["credits open"]);
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

describe("a request is taken back", () => {
  it("by owners and admins of the account, also twice, and another one may be made", async () => {
    const { id } = await requests.ask();
    const stranger = await addTestMember(await createTestAccount(), "owner");
    await expect(withdrawRequest(await addTestMember(account, "member"), account.accountId, id)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(withdrawRequest(stranger, account.accountId, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const other = await createTestAccount();
    await expect(withdrawRequest(await ownerOf(other), other.accountId, id)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const admin = await addTestMember(account, "admin");
    await withdrawRequest(admin, account.accountId, id);
    await withdrawRequest(admin, account.accountId, id);
    const late = declineRequest(await addTestStaff(), { requestId: id, reason: "Unpaid" });
    await expect(late).rejects.toThrow("was taken back already");
    expect(await requests.lines("account.withdraw-request")).toHaveLength(1);
    await requests.ask({ ...ASKED_CREDITS, credits: 7 });
    expect(await requests.states()).toEqual(["credits open", "credits withdrawn"]);
  });
});

describe("the staff's list", () => {
  it("has what is open of all accounts, the oldest first, but of suspended ones", async () => {
    await prisma().accountRequest.deleteMany();
    const [other, suspended] = [await createTestAccount(), await createTestAccount()];
    const first = await requests.ask();
    const second = await askForMore(await ownerOf(other), other.accountId, ASKED_CREDITS);
    await askForMore(await ownerOf(suspended), suspended.accountId, ASKED_CREDITS);
    await suspendAccount(OPERATOR, { accountId: suspended.accountId, reason: "Abuse" });
    expect((await listRequests()).map(({ id }) => id)).toEqual([first.id, second.id]);
    await requests.give(5);
    expect((await listRequests()).map(({ id }) => id)).toEqual([second.id]);
  });
});
