import { isUniqueViolation } from "@/lib/db/failures";
import type { Prisma, User } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { cutText } from "@/lib/domain/cut-text";
import { AppError } from "@/lib/domain/errors";
import { readEmail } from "@/lib/services/accounts/create-user";
import { findPerson } from "@/lib/services/accounts/find-person";
import { lockPerson } from "@/lib/services/accounts/lock-person";
import { recordAudit } from "@/lib/services/accounts/record-audit";
import { tellByMail } from "@/lib/services/mail/enqueue-mail";
import { joinThroughService } from "@/lib/services/members/accept-invitation";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { guessedAt } from "@/lib/services/people/guessed-at";
import { identityMail } from "@/lib/services/people/mail-texts";
import { openAccount } from "@/lib/services/people/open-account";
import {
  checkSecondFactor,
  lockedResult,
  openSession,
  type SignInBrowser,
  type SignInResult,
} from "@/lib/services/people/sign-in";
import { countAttempt, forgetAttempts } from "@/lib/services/people/throttle-attempts";
import { findTokenOwner, issueUserToken, takeUserToken } from "@/lib/services/people/user-token";

/** A person as another service has confirmed them. */
export interface Identity {
  provider: "google" | "github";
  /** The other service's own id of the person: stays when they change their address. */
  subject: string;
  /** Null unless the other service has confirmed it. */
  email: string | null;
  /** Plain text with something in it; null where the other service says none. */
  name: string | null;
}

export type IdentityResult =
  | Extract<SignInResult, { outcome: "signed-in" }>
  /** They have a second factor here: the ticket and a code finish the sign-in. */
  | { outcome: "second-step"; ticket: string }
  | Refused;

/** Why nobody is let in. `taken-off`: by its person, who has not allowed it again. */
interface Refused {
  outcome: "no-account" | "link-first" | "not-invited" | "taken-off" | "wrong";
}

/**
 * Signs a person in who comes through another service; opens an account for one who is new, or joins them to the team whose
 * invitation they came by. An address that somebody has here is joined with the other service only when it was confirmed here
 * too, and never that of staff: else whoever signs up first with a stranger's address would share their account.
 * @param invitation what the link of an invitation holds, for somebody who came by one
 */
export async function signInWithIdentity(
  identity: Identity,
  browser: SignInBrowser,
  invitation: string | null = null,
): Promise<IdentityResult> {
  const find = () => prisma().$transaction((tx) => findOrCreate(tx, identity, { ip: browser.ip, invitation }));
  const found = await find().catch((error) => {
    if (!isMadeMeanwhile(error)) throw error;
    return find();
  });
  if ("outcome" in found) return found;
  wakeRelay();
  if (found.disabledAt) return { outcome: "wrong" };
  if (found.totpSecretEncrypted !== null) {
    const ticket = await prisma().$transaction((tx) =>
      issueUserToken(tx, found.id, `second-step-${identity.provider}`),
    );
    return { outcome: "second-step", ticket };
  }
  return openSession(found, browser, identity.provider);
}

/** Whether the same person came twice at once, as two tabs of a browser do: the other call has made what was not there yet. */
function isMadeMeanwhile(error: unknown): boolean {
  return isUniqueViolation(error) || (error instanceof AppError && error.param === "email");
}

/** Finishes the sign-in of a person with a second factor: the ticket from before, and a code. Tries count as any others. */
export async function signInWithTicket(
  input: { ticket: string; code: string },
  browser: SignInBrowser,
): Promise<SignInResult> {
  const found = await findTicket(input.ticket);
  const user = found && (await prisma().user.findUnique({ where: { id: found.userId } }));
  if (!user || user.disabledAt) return { outcome: "wrong" };
  const guessed = await guessedAt(user.email, browser.previousToken);
  try {
    await countAttempt(guessed);
  } catch (error) {
    return lockedResult(error);
  }
  const missing = await checkSecondFactor(user, input.code);
  if (missing) return { outcome: missing };
  const taken = await prisma().$transaction((tx) => takeUserToken(tx, input.ticket, `second-step-${found.provider}`));
  if (taken === null) return { outcome: "wrong" };
  await forgetAttempts(guessed);
  return openSession(user, browser, found.provider);
}

/** Whose a ticket is and through whom they came, which the ticket's purpose says; null when it does not work. */
async function findTicket(ticket: string): Promise<{ userId: string; provider: Identity["provider"] } | null> {
  for (const provider of ["google", "github"] as const) {
    const userId = await findTokenOwner(prisma(), ticket, `second-step-${provider}`);
    if (userId !== null) return { userId, provider };
  }
  return null;
}

async function findOrCreate(
  tx: Prisma.TransactionClient,
  identity: Identity,
  { ip, invitation }: { ip: string | null; invitation: string | null },
): Promise<User | Refused> {
  const { provider, subject, name } = identity;
  const known = await tx.userIdentity.findUnique({
    where: { provider_subject: { provider, subject } },
    include: { user: true },
  });
  if (known) return known.removedAt === null ? known.user : { outcome: "taken-off" };
  const email = identity.email === null ? null : readEmail(identity.email);
  if (email === null) return { outcome: "no-account" };
  const existing = await findPerson(tx, email);
  if (existing && (existing.isStaff || existing.emailVerifiedAt === null)) return { outcome: "link-first" };
  if (existing && !(await lockPerson(tx, existing))) return { outcome: "wrong" };
  if (existing && (await isTakenOff(tx, existing.id, provider))) return { outcome: "taken-off" };
  const userId = existing?.id ?? (await openForIdentity(tx, { email, name, ip, invitation }));
  if (userId === null) return { outcome: "not-invited" };
  await tx.userIdentity.create({ data: { provider, subject, userId } });
  if (existing) await tellByMail(tx, identityMail(existing.email, provider, "joined"));
  const actor = { kind: "owner", userId, ...(ip !== null && { ip }) } as const;
  await recordAudit(tx, actor, {
    accountId: null,
    action: "person.join-identity",
    subject: userId,
    after: { provider },
  });
  return tx.user.findUniqueOrThrow({ where: { id: userId } });
}

/**
 * Who has taken a service off wants nobody of it: whose account there has their address may not be they any more, nor does it
 * have to be the account that they took off.
 */
async function isTakenOff(tx: Prisma.TransactionClient, userId: string, provider: string): Promise<boolean> {
  return (await tx.userIdentity.count({ where: { userId, provider, removedAt: { not: null } } })) > 0;
}

/**
 * Somebody new: with an account of their own, or in the team that invited them. The company's name can be set right
 * afterwards; until then it is the person's.
 * @returns the person's id; null when they came by an invitation that is not theirs, or works no more: a company of their own is not
 * what they wanted
 */
async function openForIdentity(
  tx: Prisma.TransactionClient,
  person: { email: string; name: string | null; ip: string | null; invitation: string | null },
): Promise<string | null> {
  const { email, name, ip, invitation } = person;
  const named = name === null ? {} : { name: cutText(name, 200) };
  if (invitation !== null) return joinThroughService(tx, { token: invitation, email, ...named }, ip);
  const companyName = cutText(name ?? email.split("@")[1] ?? email, 200);
  return openAccount(tx, { companyName, email, passwordHash: null, ...named, ip });
}
