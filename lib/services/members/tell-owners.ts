import type { Prisma } from "@/lib/db/generated/client";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { enqueueMails } from "@/lib/services/mail/enqueue-mail";
import { type AccountNews, accountNewsMail } from "@/lib/services/members/account-news-mail";
import { countInHour } from "@/lib/services/people/throttle-attempts";

/** Of one kind, an hour, to each of them: whoever does it over and over floods nobody, and has been told of by then. */
const MAX_MAILS = 10;

/**
 * Tells the owners of an account by mail what one of its people did, and that person, whose sign-in may be in other hands: in
 * the transaction of the act, at its end. Wake the relay after the commit. What operators and staff do is not told: they were
 * asked to. The end of the account is told to all of its people: it takes along those who belong to no other, whose sign-in then
 * says no more than that address or password is wrong.
 */
export async function tellOwners(
  tx: Prisma.TransactionClient,
  { kind, userId = "" }: Actor,
  accountId: string,
  news: AccountNews,
): Promise<void> {
  if (!isMailConfigured() || kind !== "owner") return;
  const count = await countInHour(tx, `news ${accountId} ${news.action}`);
  if (count > MAX_MAILS) return;
  const whom = news.action === "account.request-erasure" ? {} : { OR: [{ role: "owner" }, { userId }] };
  const { companyName, members } = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: {
      companyName: true,
      members: { where: { ...whom, user: { disabledAt: null } }, select: { user: true } },
    },
  });
  const people = members.map(({ user }) => user);
  const by = people.find(({ id }) => id === userId)?.email ?? "Somebody";
  const of = { accountId, companyName, by, at: new Date(), isLast: count === MAX_MAILS };
  await enqueueMails(
    tx,
    people.map(({ email }) => accountNewsMail(email, of, news)),
  );
}
