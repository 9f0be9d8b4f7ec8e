import type { Prisma } from "@/lib/db/generated/client";
import type { MailMessage } from "@/lib/mail/send-mail";
import { findPerson } from "@/lib/services/accounts/find-person";
import { lockPerson } from "@/lib/services/accounts/lock-person";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import type { MailRequest } from "@/lib/services/mail/mail-request";
import { alreadySignedUpMail, confirmEmailMail, resetPasswordMail } from "@/lib/services/people/mail-texts";
import { openAccount } from "@/lib/services/people/open-account";
import { issueUserToken } from "@/lib/services/people/user-token";

/**
 * Does what was asked for by an address, and writes the mail that its owner gets for it, in the caller's transaction.
 * @returns null when nobody is to get one
 */
export async function makeAskedMail(tx: Prisma.TransactionClient, request: MailRequest): Promise<MailMessage | null> {
  const { email } = request;
  if (request.ask === "sign-up") await signUpInTurn(tx, email);
  const user = await findPerson(tx, email);
  switch (request.ask) {
    case "sign-up": {
      if (user?.emailVerifiedAt) return alreadySignedUpMail(email);
      const userId = user?.id ?? (await openAccount(tx, request));
      return confirmEmailMail(email, await issueUserToken(tx, userId, "confirm-email"));
    }
    case "confirm-email":
      if (!user || user.emailVerifiedAt) return null;
      return confirmEmailMail(email, await issueUserToken(tx, user.id, "confirm-email"));
    case "reset-password": {
      if (!user || !(await lockPerson(tx, user))) return null;
      const actor: Actor = { kind: user.isStaff ? "staff" : "owner", ...(request.ip !== null && { ip: request.ip }) };
      await recordAudit(tx, actor, { accountId: null, action: "person.request-password-reset", subject: user.id });
      return resetPasswordMail(email, await issueUserToken(tx, user.id, "reset-password"));
    }
  }
}

/** Nobody's row is there yet to be held: of two sign-ups at once, as of a form that is sent twice, the second finds the first one's. */
async function signUpInTurn(tx: Prisma.TransactionClient, email: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`sign-up ${email}`}, 0))::text`;
}
