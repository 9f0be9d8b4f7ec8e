import type { Prisma } from "@/lib/db/generated/client";
import { LONGEST_PLAYGROUND_KEY_SECONDS, PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { enqueueMail } from "@/lib/services/mail/enqueue-mail";
import { type AccountNews, accountNewsMail } from "@/lib/services/members/account-news-mail";

/** Of one kind, an hour: whoever does it over and over floods nobody, and has been told of by then. */
const MAX_MAILS = 10;

/**
 * Tells the owners of an account by mail what one of its people did, and that person, whose sign-in may be in other hands: in
 * the transaction of the act, after its line of the audit log. Wake the relay after the commit. What operators and staff do is
 * not told: they were asked to.
 */
export async function tellOwners(
  tx: Prisma.TransactionClient,
  { kind, userId = "" }: Actor,
  accountId: string,
  news: AccountNews,
): Promise<void> {
  if (!isMailConfigured() || kind !== "owner") return;
  const count = await countLately(tx, accountId, news.action);
  if (count > MAX_MAILS) return;
  const { companyName, members } = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: {
      companyName: true,
      members: { where: { OR: [{ role: "owner" }, { userId }], user: { disabledAt: null } }, select: { user: true } },
    },
  });
  const people = members.map(({ user }) => user);
  const by = people.find(({ id }) => id === userId)?.email ?? "Somebody";
  const of = { companyName, by, at: new Date(), isLast: count === MAX_MAILS };
  for (const { email } of people) await enqueueMail(tx, accountNewsMail(email, of, news));
}

/**
 * How often it was told of that kind within the hour, with this time: by the audit log, which has a line of each act. Lines of
 * what nobody is told of are left out: the playground's keys, those that a rotation made, lowered roles, members who joined.
 * Else they would use up the mails of an owner who comes next, or be a name under which mails are never counted.
 */
async function countLately(tx: Prisma.TransactionClient, accountId: string, action: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: bigint }[]>`
    WITH lately AS (
      SELECT * FROM audit_log WHERE account_id = ${accountId} AND created_at > now() - interval '1 hour' AND actor_kind = 'owner'
    )
    SELECT count(*) FROM lately l WHERE action = ${action} AND CASE action
      WHEN 'key.create' THEN
        NOT coalesce(after->>'name' = ${PLAYGROUND_KEY.name} AND (after->>'expiresAt')::timestamptz
          < created_at + make_interval(secs => ${LONGEST_PLAYGROUND_KEY_SECONDS}), false)
        AND NOT EXISTS (SELECT FROM lately r WHERE r.action = 'key.rotate' AND r.after->>'replacedById' = l.subject)
      WHEN 'team.change-role' THEN after->>'role' = 'owner' OR before->>'role' = 'member'
      WHEN 'team.join' THEN after->>'role' <> 'member'
      ELSE true END`;
  return Number(row?.count ?? 0);
}
