import { TOTP } from "otpauth";
import type { SmtpServer } from "@/e2e/support/smtp-server";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import type { Role } from "@/lib/domain/panel-actions";
import { createAccount } from "@/lib/services/accounts/create-account";
import { type Actor, OPERATOR } from "@/lib/services/accounts/record-audit";
import { deliverMail } from "@/lib/services/mail/deliver-mail";
import { offerSecondFactor, type SecondFactorOffer } from "@/lib/services/people/offer-second-factor";
import { findPersonSession } from "@/lib/services/people/person-session";
import { enableSecondFactor } from "@/lib/services/people/set-up-second-factor";
import { type SignInBrowser, signIn } from "@/lib/services/people/sign-in";

/** From an unknown address, which is not limited. */
export const TEST_BROWSER: SignInBrowser = { ip: null, userAgent: "Test", previousToken: null };
/** For how long a code of an app counts. */
export const CODE_MS = 30_000;

/** Somebody who knows their password. */
export interface TestOwner {
  userId: string;
  email: string;
  password: string;
}

let serial = 0;

/** The owner of an account of their own. */
export async function newTestOwner(): Promise<TestOwner> {
  const { owner } = await createAccount(OPERATOR, {
    companyName: "Acme",
    email: `owner${++serial}@acme.example`,
    isVerified: true,
    planId: "free",
    credits: 0,
  });
  return owner;
}

/** Somebody of a team, as they act there. */
export type TestMember = Actor & { kind: "owner"; userId: string; email: string };

/** Adds a person of that role to an account. Nobody signs in as them: they have no password. */
export async function addTestMember(
  { accountId }: { accountId: string },
  role: Role,
  disabledAt: Date | null = null,
): Promise<TestMember> {
  const userId = newId("user");
  const email = `${userId}@acme.example`.toLowerCase();
  await prisma().user.create({ data: { id: userId, email, disabledAt } });
  await prisma().member.create({ data: { accountId, userId, role } });
  return { kind: "owner", userId, email };
}

/** Adds a member of staff, who never signs in either. */
export async function addTestStaff(): Promise<Actor & { kind: "staff"; userId: string; email: string }> {
  const userId = newId("user");
  const email = `${userId}@staff.example`.toLowerCase();
  await prisma().user.create({ data: { id: userId, email, isStaff: true } });
  return { kind: "staff", userId, email };
}

export const ownerActor = (userId: string) => ({ kind: "owner", userId }) as const;

/** Signs somebody in who has no second factor. */
export async function sessionOf(person: Pick<TestOwner, "email" | "password">) {
  const result = await signIn(person, TEST_BROWSER);
  if (result.outcome !== "signed-in") throw new Error(result.outcome);
  const sessionId = (await findPersonSession(result.token))?.sessionId ?? "";
  return { token: result.token, sessionId, self: { userId: result.userId, sessionId } };
}

/** The authenticator app that was given a key. */
export const appOf = ({ key }: Pick<SecondFactorOffer, "key">) => new TOTP({ secret: key.replaceAll(" ", "") });

/**
 * Switches a second factor on with a code of an earlier step, so that today's are free.
 * @param app of an offer that was made before
 */
export async function switchOnSecondFactor(self: { userId: string; sessionId: string }, app?: TOTP) {
  const before = Date.now() - 10 * CODE_MS;
  const totp = app ?? appOf(await offerSecondFactor(self.userId));
  const code = totp.generate({ timestamp: before });
  return { totp, ...(await enableSecondFactor(ownerActor(self.userId), self, code, before)) };
}

/** What went out since the last look; the token of a link where there is one. */
export async function mailsSent(smtp: SmtpServer) {
  const { rows } = await db().query("DELETE FROM outbox_events WHERE name = 'mail/ready' RETURNING data");
  for (const { data } of rows) await deliverMail(data.mailId);
  return smtp.mails
    .splice(0)
    .map(({ to, subject, text }) => ({ to: to[0], subject, text, token: /token=([\w-]{43})/.exec(text)?.[1] ?? null }));
}
