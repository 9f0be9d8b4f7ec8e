import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { addTestStaff } from "@/e2e/support/test-people";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { withdrawCredits } from "@/lib/services/accounts/withdraw-credits";
import { checkBooks } from "@/lib/services/credits/check-books";
import { listGrants } from "@/lib/services/credits/list-grants";

/** Two members of staff who look at the same account, each with its page as it was then. */

let account: TestAccount;
let ann: Awaited<ReturnType<typeof addTestStaff>>;
let ben: typeof ann;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount({ credits: 1_000 });
  [ann, ben] = [await addTestStaff(), await addTestStaff()];
});

const lastLine = async () => (await listGrants(account.accountId))[0]?.id ?? null;
const balance = async () => (await checkBooks(account.accountId)).balance;
const give = (by: typeof ann, amount: number, began: string | null) =>
  giveCredits(by, { accountId: account.accountId, amount, reason: "Paid by invoice", began }, null);
const withdraw = (by: typeof ann, amount: number, began: string | null) =>
  withdrawCredits(by, { accountId: account.accountId, amount, reason: "Given by mistake", began });

describe("credits", () => {
  it.each([
    ["given", give, 1_300, "the account was given 300 credits"],
    ["withdrawn", withdraw, 700, "the account had 300 credits withdrawn"],
  ])("are %s once by two who see the same at once, and the second is told", async (_what, act, left, words) => {
    const began = await lastLine();
    const both = await Promise.allSettled([act(ann, 300, began), act(ben, 300, began)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const second = both.find(({ status }) => status === "rejected");
    expect(second).toMatchObject({
      reason: { code: "VALIDATION_FAILED", message: expect.stringContaining(`${words} by somebody else meanwhile`) },
    });
    expect(await balance()).toBe(left);
    // Who looks again may mean it.
    const late = both[0].status === "rejected" ? ann : ben;
    await act(late, 1, await lastLine());
    expect(await balance()).not.toBe(left);
  });

  it("are given on after one's own, which one knows", async () => {
    const began = await lastLine();
    await give(ann, 10, began);
    await give(ann, 20, began);
    await withdraw(ann, 5, began);
    expect(await balance()).toBe(1_025);
    await expect(withdraw(ben, 5, began)).rejects.toThrow("the account had 5 credits withdrawn");
  });

  it("are told of where an operator gave them, also to an account that had none", async () => {
    account = await createTestAccount({ credits: 0 });
    expect(await lastLine()).toBeNull();
    await addCredits(OPERATOR, { accountId: account.accountId, amount: 1, reason: "Paid" });
    await expect(give(ann, 10, null)).rejects.toThrow("the account was given 1 credit by somebody else meanwhile");
    expect(await balance()).toBe(1);
  });
});
