import type { AskForMoreInput } from "@/lib/contracts/account-requests";
import { databaseNow } from "@/lib/db/database-now";
import type { AccountRequest, Prisma } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { AppError, invalidField } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { tellStaff } from "@/lib/services/staff/tell-staff";

const HOUR_MS = 3_600_000;

/**
 * Asks those who run the service for credits, or for another plan; the staff is told by mail, once of what is taken back and
 * asked for anew. One request of a kind is open at a time. The same once more is the same request: it is sent again because its
 * answer was lost.
 * @throws AppError VALIDATION_FAILED when another of the kind is open, and for the plan that the account has
 */
export async function askForMore(actor: Actor, accountId: string, input: AskForMoreInput): Promise<{ id: string }> {
  const asked = await prisma().$transaction(async (tx) => {
    // Two at once go one after the other, and a grant at the same time comes before or after.
    await tx.$queryRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
    await assertStillMay(tx, actor, accountId, "billing.request");
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    if (input.kind === "plan" && input.planId === account.planId) {
      throw invalidField("planId", "is the plan that the account has");
    }
    const open = await tx.accountRequest.findFirst({ where: { accountId, kind: input.kind, state: "open" } });
    if (open && isSame(open, input)) return { id: open.id };
    if (open) throw new AppError("VALIDATION_FAILED", "One is open already. Take it back to ask for something else.");
    return create(tx, actor, account, input);
  });
  wakeRelay();
  return asked;
}

async function create(
  tx: Prisma.TransactionClient,
  actor: Actor,
  { id: accountId, companyName }: { id: string; companyName: string },
  { note, ...wanted }: AskForMoreInput,
): Promise<{ id: string }> {
  const isTold = await isToldAlready(tx, accountId, wanted.kind);
  const id = newId("accountRequest");
  const askedById = actor.userId ?? null;
  await tx.accountRequest.create({ data: { id, accountId, ...wanted, note: note || null, askedById } });
  await recordAudit(tx, actor, { accountId, action: "account.ask-for-more", subject: id, after: wanted });
  if (!isTold) await tellStaff(tx, { what: "request", accountId, companyName, wanted });
  return { id };
}

/** Of all accounts the staff is told of few an hour: one that takes back and asks anew would leave none to the others. */
async function isToldAlready(tx: Prisma.TransactionClient, accountId: string, kind: string): Promise<boolean> {
  const lastHour = { gt: new Date((await databaseNow(tx)).getTime() - HOUR_MS) };
  return (await tx.accountRequest.count({ where: { accountId, kind, state: "withdrawn", createdAt: lastHour } })) > 0;
}

function isSame(open: AccountRequest, input: AskForMoreInput): boolean {
  const wanted = input.kind === "credits" ? open.credits === input.credits : open.planId === input.planId;
  return wanted && (open.note ?? "") === input.note;
}
