import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import type { AskForMoreInput } from "@/lib/contracts/account-requests";
import { prisma } from "@/lib/db/prisma";
import { addCredits } from "@/lib/services/accounts/add-credits";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { askForMore } from "@/lib/services/requests/ask-for-more";
import { listRequests } from "@/lib/services/requests/list-requests";

export const ASKED_CREDITS = { kind: "credits", credits: 500, note: "Order 113" } satisfies AskForMoreInput;
export const ASKED_PLAN = { kind: "plan", planId: "growth", note: "" } satisfies AskForMoreInput;

/** A new account of the Starter plan with ten credits, its owner, and what they ask for. */
export async function askingAccount() {
  const account = await createTestAccount({ planId: "starter", credits: 10 });
  const owner = await ownerOf(account);
  const { email: ownerEmail } = await prisma().user.findUniqueOrThrow({ where: { id: owner.userId } });
  return { account, owner, ownerEmail, requests: requestsOf(account, owner) };
}

/** What an account asks for, and what is done with that. */
function requestsOf({ accountId }: TestAccount, owner: Actor) {
  const list = () => listRequests(accountId);
  return {
    ask: (input: AskForMoreInput = ASKED_CREDITS, actor: Actor = owner) => askForMore(actor, accountId, input),
    list,
    /** "credits open", newest first */
    states: async () => (await list()).map(({ kind, state }) => `${kind} ${state}`),
    give: (amount: number) => addCredits(OPERATOR, { accountId, amount, reason: "Paid" }),
    /** Of the audit log, oldest first. */
    lines: (action: string) =>
      prisma().auditEntry.findMany({ where: { accountId, action }, orderBy: { createdAt: "asc" } }),
  };
}
