import { ROLE_WORDS, type Role } from "@/lib/domain/panel-actions";
import type { VerificationDecision } from "@/lib/domain/verification";
import { env } from "@/lib/env";
import type { MailAction } from "@/lib/mail/mail-html";
import type { MailMessage } from "@/lib/mail/send-mail";
import { link, linkAbout, mail, oneLine, supportWords } from "@/lib/services/mail/compose-mail";

/** The mails to people. Links lead to APP_URL, whatever host a request named. */

export function confirmEmailMail(to: string, token: string): MailMessage {
  return mail(to, "Confirm your e-mail address", [
    "Somebody, you we hope, has signed up with this address. Confirm it here within 3 days, with the password that was chosen:",
    { name: "Confirm this address", href: link(`/panel/confirm-email?token=${token}`) },
    "If it was not you, do nothing: without it nobody can sign in.",
  ]);
}

export function alreadySignedUpMail(to: string): MailMessage {
  return mail(to, "You have an account already", [
    "Somebody, you we hope, has tried to sign up with this address. It has an account already. Sign in here:",
    signInAction(),
    `If you forgot the password: ${link("/panel/forgot-password")}`,
  ]);
}

export function resetPasswordMail(to: string, token: string): MailMessage {
  return mail(to, "Set a new password", [
    "Set a new password here within the hour. The link works once:",
    { name: "Set a new password", href: resetPasswordLink(token) },
    "If you did not ask for it, do nothing: your password stays as it is.",
  ]);
}

export function passwordChangedMail(to: string): MailMessage {
  return mail(to, "Your password was changed", [
    "The password of your account was changed, and other browsers were signed out.",
    `If it was not you, set a new one now: ${link("/panel/forgot-password")}`,
  ]);
}

export function changeEmailMail(to: string, token: string): MailMessage {
  return mail(to, "Use this e-mail address", [
    "Somebody, you we hope, wants to sign in with this address from now on. Confirm it here within the hour:",
    { name: "Confirm this address", href: changeEmailLink(token) },
    "If it was not you, do nothing: without it nothing changes.",
  ]);
}

/** To the owner of an address that somebody else wants: they learn no more than that. */
export function addressTakenMail(to: string): MailMessage {
  return mail(to, "This address has an account already", [
    "Somebody who is signed in with another address wanted to change it to this one. It has an account already, so nothing changed.",
    "If it was you: an address belongs to one account. Sign in here with it, or choose another:",
    signInAction(),
  ]);
}

/** Does not name the new address: whoever reads the old one's mail need not know it. */
export function emailChangeAskedMail(to: string): MailMessage {
  return mail(to, "Your e-mail address is to be changed", [
    "Somebody who knows your password asked for another e-mail address for your account. We sent a link there.",
    `If it was not you, change your password now: ${link("/panel/forgot-password")}`,
  ]);
}

export function emailChangedMail(to: string): MailMessage {
  return mail(to, "Your e-mail address was changed", [
    "Your account has another e-mail address now, and other browsers were signed out. This one no longer signs in.",
    `If it was not you, write to ${supportWords()}.`,
  ]);
}

export function personErasedMail(to: string): MailMessage {
  return mail(to, "You were erased", [
    "What was kept of you is gone: your name, this address, your password and where you were signed in. This is the last mail to it.",
    `If it was not you, write to ${supportWords()}.`,
  ]);
}

const SECOND_FACTOR_NEWS = {
  on: [
    "switched on",
    "A second factor was switched on for your account, and other browsers were signed out. Signing in takes a code of an app from now on.",
  ],
  moved: [
    "moved to another app",
    "The second factor of your account was moved to another app, and other browsers were signed out. Codes of the app before and the older recovery codes no longer work.",
  ],
  off: ["switched off", "The second factor of your account was switched off. The password alone signs you in."],
} as const;

export function secondFactorMail(to: string, news: keyof typeof SECOND_FACTOR_NEWS): MailMessage {
  const [what, text] = SECOND_FACTOR_NEWS[news];
  return mail(to, `Your second factor was ${what}`, [
    text,
    `If it was not you, somebody knows your password. Set a new one now: ${link("/panel/forgot-password")}`,
    ...(news === "off"
      ? []
      : [`Then write to ${supportWords()}: they can take off a second factor that is not yours.`]),
  ]);
}

export function recoveryCodesMail(to: string): MailMessage {
  return mail(to, "You have new recovery codes", [
    "New recovery codes were made for your account. The older ones no longer work.",
    `If it was not you, set a new password now: ${link("/panel/forgot-password")}`,
    "Then sign in and make new codes again, which ends these.",
  ]);
}

const PROVIDER_NAMES = { google: "Google", github: "GitHub" } as const;

export function identityMail(
  to: string,
  provider: keyof typeof PROVIDER_NAMES,
  news: "joined" | "removed",
): MailMessage {
  const name = PROVIDER_NAMES[provider];
  if (news === "removed") {
    return mail(to, `${name} no longer signs you in`, [
      `Signing in with ${name} was taken off your account, and other browsers were signed out.`,
      `If it was not you, set a new password now: ${link("/panel/forgot-password")}`,
    ]);
  }
  return mail(to, `${name} signs you in now`, [
    `Somebody, you we hope, came through ${name} with this address for the first time. Your account opens with it from now on, also when the password is changed.`,
    `If it was not you, set a new password now: ${link("/panel/forgot-password")}`,
    `Then take ${name} off your account, which signs out whoever came through it: ${link("/panel/settings/account")}`,
  ]);
}

/** @param invitation.by the address of whoever invites; null: it is not known */
export function invitationMail(
  to: string,
  { companyName, role, by }: { companyName: string; role: Role; by: string | null },
  token: string,
): MailMessage {
  const who = by === null ? "You are invited" : `${oneLine(by)} invites you`;
  return mail(to, `You are invited to ${oneLine(companyName)}`, [
    `${who} to work with ${oneLine(companyName)} in ${env().SERVICE_NAME}, as ${ROLE_WORDS[role]}. Accept it here within 7 days:`,
    { name: "Accept the invitation", href: invitationLink(token) },
  ]);
}

const VERIFICATION_NEWS = {
  approve: ["is verified", "API keys can be created now:", "Create an API key", "/panel/api-b2b/api-keys"],
  ask: [
    "needs more for its verification",
    "Read what was asked and hand the data in again:",
    "Go to the verification",
    "/panel/api-b2b/verification",
  ],
  reject: [
    "was not verified",
    "Read why; the data can be handed in again:",
    "Go to the verification",
    "/panel/api-b2b/verification",
  ],
  suspend: [
    "is suspended",
    "Every call with one of its keys is refused from now on, and nothing is deleted. Read why:",
    "Read why",
    "/panel/api-b2b/verification",
  ],
  restore: ["is no longer suspended", "It is again what it was before:", "Look at it", "/panel/api-b2b/verification"],
} as const satisfies Record<VerificationNews, readonly [what: string, next: string, name: string, path: string]>;

/** What staff decided about a company, or an operator. */
export type VerificationNews = VerificationDecision | "suspend" | "restore";

/** What staff wrote stays in the panel: mails are read on the way. */
export function verificationMail(
  to: string,
  account: { id: string; companyName: string },
  news: VerificationNews,
): MailMessage {
  const [what, next, name, path] = VERIFICATION_NEWS[news];
  const subject = `${oneLine(account.companyName)} ${what}`;
  return mail(to, subject, [`${subject}. ${next}`, { name, href: linkAbout(path, account.id) }]);
}

function signInAction(): MailAction {
  return { name: "Sign in", href: link("/panel/sign-in") };
}

export function changeEmailLink(token: string): string {
  return link(`/panel/change-email?token=${token}`);
}

export function resetPasswordLink(token: string): string {
  return link(`/panel/reset-password?token=${token}`);
}

export function invitationLink(token: string): string {
  return link(`/panel/invitation/${token}`);
}
