import { expect, it } from "vitest";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { useTurnStage } from "@/e2e/support/turn-stage";
import { whileHeld } from "@/e2e/support/while-held";
import { prisma } from "@/lib/db/prisma";
import { checkBooks } from "@/lib/services/credits/check-books";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";

useTurnStage();

/** While somebody changes something in the panel, and the account's row has just been changed by another call. */
async function whilePanelActs<T>(account: TestAccount, ...calls: (() => Promise<T>)[]) {
  const owner = await ownerOf(account);
  return prisma().$transaction(async (tx) => {
    await assertStillMay(tx, owner, account.accountId, "project.update");
    const statement = "UPDATE accounts SET updated_at = now() WHERE id = $1";
    return whileHeld<T[]>({ statement, id: account.accountId }, ...calls);
  });
}

/** One that goes alone, in a transaction of its own. */
const accept = ({ principal }: TestAccount) => acceptTurn(principal, chatTurn(), async () => {});

it("calls at once are each accepted, also while somebody changes something in the panel", async () => {
  const account = await createTestAccount({ credits: 10 });
  const call = () => accept(account);
  const results = await whilePanelActs(account, call, call, call);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance: 10, reserved: 3 });
});

it("turns that end at once each end, also while somebody changes something in the panel", async () => {
  const account = await createTestAccount({ credits: 10 });
  const turns = [await accept(account), await accept(account), await accept(account)];
  const end = (turn: (typeof turns)[number]) => () => cancelTurns(turn.sessionId);
  const results = await whilePanelActs(account, ...turns.map(end));
  expect(results).toEqual(turns.map(() => ({ status: "fulfilled", value: 1 })));
  expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance: 10, reserved: 0 });
});
