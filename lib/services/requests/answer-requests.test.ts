import { beforeEach, describe, expect, it } from "vitest";
import { useMailbox } from "@/e2e/support/mailbox";
import { createTestAccount } from "@/e2e/support/test-account";
import { addTestMember, addTestStaff, mailsSent } from "@/e2e/support/test-people";
import { ASKED_PLAN, askingAccount } from "@/e2e/support/test-requests";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { confirmCredits, refuseCredits } from "@/lib/services/accounts/decide-credit-request";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { setPlan } from "@/lib/services/accounts/set-plan";
import { declineRequest } from "@/lib/services/requests/decline-request";
import { withdrawRequest } from "@/lib/services/requests/withdraw-request";

const smtp = useMailbox();

let { account, owner, ownerEmail, requests } = {} as Awaited<ReturnType<typeof askingAccount>>;

beforeEach(async () => {
  ({ account, owner, ownerEmail, requests } = await askingAccount());
});

describe("a request is granted", () => {
  it("by credits that are given, whatever their number, and owners and admins who can sign in are told", async () => {
    const admin = await addTestMember(account, "admin");
    await addTestMember(account, "member");
    await addTestMember(account, "admin", new Date());
    await requests.ask();
    await requests.ask(ASKED_PLAN);
    await mailsSent(smtp);
    await requests.give(300);
    expect(await requests.states()).toEqual(["plan open", "credits granted"]);
    const mails = await mailsSent(smtp);
    expect(mails.map(({ to }) => to).sort()).toEqual([admin.email, ownerEmail].sort());
    expect(mails[0]?.subject).toMatch(/^Credits were added: Test Company/);
    expect(mails[0]?.text).toMatch(/was given 300 credits\. It had asked for 500 credits\./);
    expect(mails[0]?.text).toContain(`https://service.example/panel/settings/plan?of=${account.accountId}\n`);
  });

  it("by a large grant when a second member of staff confirms it, not before", async () => {
    const [first, second] = [await addTestStaff(), await addTestStaff()];
    await requests.ask();
    await giveCredits(first, { accountId: account.accountId, amount: 500, reason: "Paid" }, 100);
    expect(await requests.states()).toEqual(["credits open"]);
    const { id } = await prisma().creditRequest.findFirstOrThrow({ where: { accountId: account.accountId } });
    await confirmCredits(second, { requestId: id, reason: "Seen the payment" });
    expect(await requests.states()).toEqual(["credits granted"]);
  });

  it("by one of two large grants that wait for it: the other is given to nobody, as one of what was declined", async () => {
    const [first, second] = [await addTestStaff(), await addTestStaff()];
    const { accountId } = account;
    const asked = async (by: typeof first, requestId?: string) => {
      await giveCredits(by, { accountId, amount: 500, reason: "As asked", requestId }, 100);
      const where = { accountId, requestedById: by.userId, state: "pending" };
      return prisma().creditRequest.findFirstOrThrow({ where, orderBy: { createdAt: "desc" } });
    };
    const confirm = (by: typeof first, { id }: { id: string }) => confirmCredits(by, { requestId: id, reason: "Seen" });
    const balance = async () => (await prisma().account.findUniqueOrThrow({ where: { id: accountId } })).creditBalance;
    const before = await balance();
    const { id: requestId } = await requests.ask();
    const [ofFirst, ofSecond] = [await asked(first, requestId), await asked(second, requestId)];
    await confirm(second, ofFirst);
    await expect(confirm(first, ofSecond)).rejects.toThrow(
      "What the account asked for was granted meanwhile. Refuse this grant, or grant the credits anew.",
    );
    expect(await balance()).toBe(before + 500);
    await refuseCredits(first, { requestId: ofSecond.id, reason: "Given already" });

    const { id: another } = await requests.ask();
    const late = await asked(first, another);
    await declineRequest(second, { requestId: another, reason: "Unpaid" });
    await expect(confirm(second, late)).rejects.toThrow("was declined meanwhile");
    // Of what nobody asked for there is nothing to look at.
    await confirm(second, await asked(first));
    expect(await balance()).toBe(before + 1_000);
  });

  it("by the plan that was asked for, and by no other", async () => {
    await requests.ask(ASKED_PLAN);
    await requests.ask();
    await mailsSent(smtp);
    await setPlan(OPERATOR, { accountId: account.accountId, planId: "scale" });
    expect(await requests.states()).toEqual(["credits open", "plan open"]);
    await setPlan(OPERATOR, { accountId: account.accountId, planId: "growth" });
    expect(await requests.states()).toEqual(["credits open", "plan granted"]);
    const mails = await mailsSent(smtp);
    expect(mails).toMatchObject([{ to: ownerEmail, subject: expect.stringMatching(/^The plan was changed: /) }]);
    expect(mails[0]?.text).toContain("has the Growth plan now.");
  });

  it("once: credits that nobody asked for are told to nobody", async () => {
    await requests.give(5);
    await requests.ask();
    await requests.give(5);
    await mailsSent(smtp);
    await requests.give(5);
    expect(await mailsSent(smtp)).toEqual([]);
    expect(await requests.states()).toEqual(["credits granted"]);
  });

  it("once by staff who saw it open: to who comes second it is said, and nothing is given", async () => {
    const [first, second] = [await addTestStaff(), await addTestStaff()];
    const { accountId } = account;
    const balance = async () => (await prisma().account.findUniqueOrThrow({ where: { id: accountId } })).creditBalance;
    const { id: requestId } = await requests.ask();
    const before = await balance();
    const gift = { accountId, amount: 500, reason: "As asked", requestId };
    const both = await Promise.allSettled([giveCredits(first, gift, null), giveCredits(second, gift, null)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await balance()).toBe(before + 500);
    await expect(giveCredits(second, gift, null)).rejects.toThrow(
      "Nothing was changed: what was asked for was granted by somebody else meanwhile.",
    );
    const { id: again } = await requests.ask();
    await withdrawRequest(owner, accountId, again);
    await expect(giveCredits(first, { ...gift, requestId: again }, null)).rejects.toThrow("was taken back by somebody");
    const other = await createTestAccount();
    await expect(giveCredits(first, { ...gift, accountId: other.accountId }, null)).rejects.toThrow("not found");
    expect(await balance()).toBe(before + 500);
  });

  it("by a plan only where it is still open as staff saw it: what was taken back meanwhile moves nobody", async () => {
    const { accountId } = account;
    const planId = async () => (await prisma().account.findUniqueOrThrow({ where: { id: accountId } })).planId;
    const move = (requestId: string) => setPlan(OPERATOR, { accountId, planId: "growth", began: "starter", requestId });
    const { id: takenBack } = await requests.ask(ASKED_PLAN);
    await withdrawRequest(owner, accountId, takenBack);
    await expect(move(takenBack)).rejects.toThrow(
      "Nothing was changed: what was asked for was taken back by somebody else meanwhile.",
    );
    expect(await planId()).toBe("starter");
    const other = await createTestAccount({ planId: "starter" });
    const { id } = await requests.ask(ASKED_PLAN);
    const ofOther = { accountId: other.accountId, planId: "growth", requestId: id } as const;
    await expect(setPlan(OPERATOR, ofOther)).rejects.toThrow("not found");
    await move(id);
    // Sent again, because its answer was lost.
    await move(id);
    expect(await planId()).toBe("growth");
    expect(await requests.states()).toEqual(["plan granted", "plan withdrawn"]);
    expect(await requests.lines("account.set-plan")).toHaveLength(1);
  });

  it("of the account alone that was given something", async () => {
    const other = await createTestAccount();
    await requests.ask();
    await addCredits(OPERATOR, { accountId: other.accountId, amount: 5, reason: "Paid" });
    await setPlan(OPERATOR, { accountId: other.accountId, planId: "growth" });
    expect(await requests.states()).toEqual(["credits open"]);
  });
});

describe("a request is declined", () => {
  it("with a reason, which stands in the panel alone; owners and admins are mailed that there is one", async () => {
    const staff = await addTestStaff();
    await addTestMember(account, "admin", new Date());
    const { id: requestId } = await requests.ask();
    await mailsSent(smtp);
    await declineRequest(staff, { requestId, reason: " The last order is not paid. " });
    expect(await requests.list()).toMatchObject([{ state: "declined", answer: "The last order is not paid." }]);
    expect(await requests.lines("account.decline-request")).toMatchObject([
      { subject: requestId, actorId: staff.userId, reason: "The last order is not paid." },
    ]);
    const mails = await mailsSent(smtp);
    expect(mails).toMatchObject([{ to: ownerEmail, subject: expect.stringMatching(/^Your request was declined: /) }]);
    expect(mails[0]?.text).not.toContain("is not paid");
  });

  it("once: the same again is done already, and another answer is too late", async () => {
    const [staff, colleague] = [await addTestStaff(), await addTestStaff()];
    const { id: requestId } = await requests.ask();
    await declineRequest(staff, { requestId, reason: "Unpaid" });
    await declineRequest(staff, { requestId, reason: "Unpaid" });
    expect(await requests.lines("account.decline-request")).toHaveLength(1);
    await expect(declineRequest(colleague, { requestId, reason: "Unpaid" })).rejects.toThrow("was declined already");
    await expect(declineRequest(staff, { requestId, reason: "Late" })).rejects.toThrow("was declined already");
    await expect(withdrawRequest(owner, account.accountId, requestId)).rejects.toThrow("was declined already");
    await requests.give(5);
    expect(await requests.states()).toEqual(["credits declined"]);
    await requests.ask();
    expect(await requests.states()).toEqual(["credits open", "credits declined"]);
  });

  it("not where there is none, and not without a reason", async () => {
    const staff = await addTestStaff();
    const none = { requestId: newId("accountRequest"), reason: "Unpaid" };
    await expect(declineRequest(staff, none)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { id: requestId } = await requests.ask();
    await expect(declineRequest(staff, { requestId, reason: "  " })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await requests.states()).toEqual(["credits open"]);
  });
});
