import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { confirmCredits, refuseCredits } from "@/lib/services/accounts/decide-credit-request";
import { disableStaff } from "@/lib/services/accounts/disable-staff";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { withdrawCredits } from "@/lib/services/accounts/withdraw-credits";
import { checkBooks } from "@/lib/services/credits/check-books";
import { listCreditRequests } from "@/lib/services/staff/list-credit-requests";

const ANN = { kind: "staff", userId: "usr_ann" } as const;
const BEN = { kind: "staff", userId: "usr_ben" } as const;
const LIMIT = 100;

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount({ credits: 10 });
});

const give = (amount: number, actor = ANN as typeof ANN | typeof BEN, limit: number | null = LIMIT) =>
  giveCredits(actor, { accountId: account.accountId, amount, reason: "Paid by invoice" }, limit);
const requests = () => listCreditRequests(account.accountId);
const balance = async () => (await checkBooks(account.accountId)).balance;
const audit = () =>
  prisma().auditEntry.findMany({
    where: { accountId: account.accountId, actorKind: "staff" },
    orderBy: { id: "asc" },
    select: { action: true, actorId: true, reason: true, before: true, after: true },
  });

async function largeGrant() {
  await give(101);
  const [request] = await requests();
  if (!request) throw new Error("Nothing waits.");
  return request;
}

describe("a grant of credits by staff", () => {
  it("holds at once up to the limit, and whatever it is without one", async () => {
    expect(await give(100)).toEqual({ isWaiting: false });
    expect(await give(1_000_000, BEN, null)).toEqual({ isWaiting: false });
    expect(await requests()).toEqual([]);
    expect(await balance()).toBe(1_000_110);
  });

  it("waits above the limit, gives nothing yet and has its line", async () => {
    expect(await give(101)).toEqual({ isWaiting: true });
    expect(await balance()).toBe(10);
    expect(await requests()).toMatchObject([
      { amount: 101, reason: "Paid by invoice", state: "pending", requestedById: "usr_ann", decidedAt: null },
    ]);
    expect(await audit()).toMatchObject([
      { action: "account.request-credits", actorId: "usr_ann", reason: "Paid by invoice", after: { amount: 101 } },
    ]);
  });

  it("cannot be cut into small ones, also not into ones at the same time; another account and person count apart", async () => {
    const grants = await Promise.all(Array.from({ length: 8 }, () => give(30)));
    expect(grants.filter(({ isWaiting }) => !isWaiting)).toHaveLength(3);
    expect(await balance()).toBe(100);
    expect(await give(30, BEN)).toEqual({ isWaiting: false });
    const other = await createTestAccount();
    expect(await giveCredits(ANN, { accountId: other.accountId, amount: 100, reason: "Paid" }, LIMIT)).toEqual({
      isWaiting: false,
    });
  });

  it("counts what was given within a day, and no room comes of what is taken back", async () => {
    const { accountId } = account;
    const createdAt = new Date(Date.now() - 25 * 3_600_000);
    const old = { id: newId("ledger"), accountId, kind: "grant", amount: 100, balanceAfter: 110, createdAt };
    await prisma().ledgerEntry.create({ data: { ...old, reason: "Paid", createdById: ANN.userId } });
    expect(await give(60)).toEqual({ isWaiting: false });
    await withdrawCredits(ANN, { accountId, amount: 60, reason: "By mistake" });
    expect(await give(60)).toEqual({ isWaiting: true });
  });

  it("is given once somebody else confirms it, in the name of who asked, with a line of its own", async () => {
    const { id } = await largeGrant();
    await confirmCredits(BEN, { requestId: id, reason: "Seen on the bank account" });
    expect(await checkBooks(account.accountId)).toMatchObject({ balance: 111, isClean: true });
    expect(await requests()).toMatchObject([{ state: "confirmed", decisionReason: "Seen on the bank account" }]);
    expect(await audit()).toMatchObject([
      { action: "account.request-credits", actorId: "usr_ann" },
      {
        action: "account.confirm-credits",
        actorId: "usr_ben",
        reason: "Seen on the bank account",
        before: { credits: 10 },
        after: { amount: 101, credits: 111 },
      },
    ]);
    const line = await prisma().ledgerEntry.findFirst({ where: { accountId: account.accountId, amount: 101 } });
    expect(line).toMatchObject({ kind: "grant", reason: "Paid by invoice", createdById: "usr_ann" });
  });

  it("is not given when somebody else refuses it", async () => {
    const { id } = await largeGrant();
    await refuseCredits(BEN, { requestId: id, reason: "No such invoice" });
    expect(await balance()).toBe(10);
    expect(await requests()).toMatchObject([{ state: "refused", decisionReason: "No such invoice" }]);
    expect((await audit()).at(-1)).toMatchObject({ action: "account.refuse-credits", actorId: "usr_ben" });
    await expect(confirmCredits(BEN, { requestId: id, reason: "Found it" })).rejects.toThrow(/refused already/);
  });

  it.each([
    ["confirmed", confirmCredits],
    ["refused", refuseCredits],
  ])("cannot be %s without a reason, nor when there is none", async (_what, decide) => {
    const { id } = await largeGrant();
    await expect(decide(BEN, { requestId: id, reason: "  " })).rejects.toMatchObject({ param: "reason" });
    await expect(decide(BEN, { requestId: "crq_none", reason: "Why" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await balance()).toBe(10);
    expect(await requests()).toMatchObject([{ state: "pending" }]);
  });

  it("cannot be confirmed by who asked for it, who can take it back before anybody else decides", async () => {
    const { id: requestId } = await largeGrant();
    await expect(confirmCredits(ANN, { requestId, reason: "Mine" })).rejects.toThrow(/somebody else/);
    await refuseCredits(ANN, { requestId, reason: "A zero too many" });
    expect(await requests()).toMatchObject([{ state: "taken back", decisionReason: "A zero too many" }]);
    expect((await audit()).at(-1)).toMatchObject({ action: "account.refuse-credits", actorId: "usr_ann" });
    await expect(confirmCredits(BEN, { requestId, reason: "Seen" })).rejects.toThrow(/taken back already/);
    expect(await balance()).toBe(10);
  });

  it("is told of with whether its account is suspended", async () => {
    await largeGrant();
    expect(await requests()).toMatchObject([{ isSuspended: false }]);
    await suspendAccount(OPERATOR, { accountId: account.accountId, reason: "A stolen card" });
    expect(await requests()).toMatchObject([{ isSuspended: true }]);
  });

  it("is not given once who asked for it is shut out, and can be refused", async () => {
    const { email, userId } = await createStaff(OPERATOR, { email: "left@service.example" });
    await giveCredits({ kind: "staff", userId }, { accountId: account.accountId, amount: 101, reason: "Paid" }, LIMIT);
    const [request] = await requests();
    await disableStaff(OPERATOR, { email, reason: "left us" });
    const decision = { requestId: request?.id ?? "", reason: "checked" };
    await expect(confirmCredits(BEN, decision)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("shut out"),
    });
    expect(await balance()).toBe(10);
    await refuseCredits(BEN, decision);
    expect((await requests())[0]?.state ?? "refused").toBe("refused");
  });

  it("is told of beside what was given since, and not given by who saw less: two may wait for one payment", async () => {
    await give(101);
    await give(102, BEN);
    const byAmount = async (amount: number) => (await requests()).find((one) => one.amount === amount);
    const [first, second] = [await byAmount(101), await byAmount(102)];
    expect([first?.givenSince, second?.givenSince]).toEqual([0, 0]);
    const confirm = (request: typeof first, by: typeof ANN | typeof BEN, seen = request?.givenSince ?? -1) =>
      confirmCredits(by, { requestId: request?.id ?? "", reason: "Seen", givenSince: seen });
    await confirm(first, BEN);
    await expect(confirm(second, ANN)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("the account was given 101 credits by somebody else meanwhile"),
    });
    expect(await balance()).toBe(111);
    const anew = await byAmount(102);
    expect(anew).toMatchObject({ state: "pending", givenSince: 101 });
    // Who sees it may mean it, also when some was taken back since.
    await withdrawCredits(BEN, { accountId: account.accountId, amount: 1, reason: "Too many" });
    await confirm(anew, ANN);
    expect(await balance()).toBe(212);
    expect(await byAmount(102)).toMatchObject({ state: "confirmed", givenSince: 0 });
  });

  it("is given once when it is confirmed and refused at the same time", async () => {
    const { id } = await largeGrant();
    const decisions = [confirmCredits, confirmCredits, refuseCredits, confirmCredits];
    // Each with a reason of its own: the same one once more is the same press, sent again.
    const outcomes = await Promise.allSettled(
      decisions.map((decide, index) => decide(BEN, { requestId: id, reason: `Yes, ${index}` })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [request] = await requests();
    expect(await balance()).toBe(request?.state === "confirmed" ? 111 : 10);
  });

  it("stays what it was when the balance would overflow", async () => {
    const { id } = await largeGrant();
    await prisma().creditRequest.update({ where: { id }, data: { amount: 2_147_483_647 } });
    await expect(confirmCredits(BEN, { requestId: id, reason: "Yes" })).rejects.toMatchObject({ param: "amount" });
    expect(await requests()).toMatchObject([{ state: "pending", decidedAt: null }]);
  });

  it("expires after 7 days, and waits for nobody then", async () => {
    const { id, createdAt, expiresAt } = await largeGrant();
    expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000)).toBe(7 * 24 * 60);
    expect((await listCreditRequests()).map((one) => one.id)).toContain(id);
    await prisma().creditRequest.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    await expect(confirmCredits(BEN, { requestId: id, reason: "Late" })).rejects.toThrow(/waited for too long/);
    expect(await requests()).toMatchObject([{ state: "expired" }]);
    expect((await listCreditRequests()).map((one) => one.id)).not.toContain(id);
    expect(await balance()).toBe(10);
  });

  it("of an account that is just being erased is not there for who confirms it, and keeps nobody from erasing it", async () => {
    const { id: requestId } = await largeGrant();
    const { accountId } = account;
    const hold = { statement: "SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", id: accountId };
    const erase = () => db().query("DELETE FROM accounts WHERE id = $1", [accountId]);
    const [erased, confirmed] = await whileHeld<unknown[]>(hold, erase, () =>
      confirmCredits(BEN, { requestId, reason: "Seen" }),
    );
    expect(erased).toMatchObject({ status: "fulfilled" });
    expect(confirmed).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
  });
});
