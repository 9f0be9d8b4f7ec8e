"use server";

import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { currentBrowser, currentPerson } from "@/lib/panel/current-person";
import { personAction, publicAction } from "@/lib/panel/panel-action";
import { rememberProject } from "@/lib/panel/remember-project";
import { erasePerson as erase } from "@/lib/services/data-rights/erase-person";
import { acceptAsNewPerson, acceptInvitation } from "@/lib/services/members/accept-invitation";
import { changeEmail } from "@/lib/services/people/change-email";
import { requestPasswordReset, resetPassword } from "@/lib/services/people/change-password";
import { listMemberships } from "@/lib/services/people/list-memberships";
import { openAnotherAccount } from "@/lib/services/people/open-account";
import { confirmEmail, resendConfirmation, signUp } from "@/lib/services/people/sign-up";

/** What people do before they are in the panel. Services limit how often. */

const email = plainText(z.string().trim().min(1).max(254));
const password = z.string().min(1).max(400);
const token = z.string().min(1).max(100);
const companyName = plainText(z.string().trim().min(1).max(200));

/** Opens an account. */
export const signUpAction = publicAction(
  "public.sign-up",
  z.strictObject({ company: companyName, email, password }),
  async ({ company, email: address, password: chosen }) => {
    const { ip } = await currentBrowser();
    return signUp({ companyName: company, email: address, password: chosen }, ip);
  },
);

/** Sends the mail that confirms an address once more. */
export const resendConfirmationAction = publicAction(
  "public.resend-confirmation",
  z.strictObject({ email }),
  async ({ email: address }) => {
    await resendConfirmation(address, (await currentBrowser()).ip);
    return {};
  },
);

/** Confirms an address by the token that was sent there and the password of the sign-up. */
export const confirmEmailAction = publicAction(
  "public.confirm-email",
  z.strictObject({ token, password }),
  async (input) => {
    await confirmEmail(input);
    return {};
  },
);

/** Makes the address that the token was sent to the person's own; this browser stays signed in if it is theirs, else it takes their password. */
export const changeEmailAction = publicAction(
  "public.change-email",
  z.strictObject({ token, password: password.optional() }),
  async (input) => {
    const person = await currentPerson();
    const keep = person && { userId: person.user.id, sessionId: person.sessionId };
    await changeEmail(input, (await currentBrowser()).ip, keep);
    return {};
  },
);

/** Sends a link for a new password. */
export const requestResetAction = publicAction(
  "public.request-password-reset",
  z.strictObject({ email }),
  async ({ email: address }) => {
    await requestPasswordReset(address, (await currentBrowser()).ip);
    return {};
  },
);

/** Sets a new password by such a link. */
export const resetPasswordAction = publicAction(
  "public.reset-password",
  z.strictObject({ token, password }),
  async (input) => {
    await resetPassword(input, (await currentBrowser()).ip);
    return {};
  },
);

/** Joins a team as somebody new. */
export const joinAsNewPersonAction = publicAction(
  "public.join-team",
  z.strictObject({ token, name: plainText(z.string().trim().max(200)), password }),
  async (input) => acceptAsNewPerson(input, (await currentBrowser()).ip),
);

/** Joins a team as the person who is signed in. */
export const joinTeamAction = personAction(
  "person.join-team",
  z.strictObject({ token }),
  async ({ actor, user }, { token: given }) => {
    const { accountId } = await acceptInvitation(actor, given);
    // What they came for, not the account that the panel showed before.
    const joined = (await listMemberships(user.id)).find(({ account }) => account.id === accountId);
    if (joined?.projects[0]) await rememberProject(joined.projects[0].id);
    return {};
  },
);

/** Opens an account for a company of a person whom the last of their teams took off. */
export const openAccountAction = personAction(
  "person.open-account",
  z.strictObject({ company: companyName }),
  async ({ actor, user }, { company }) => {
    const { projectId } = await openAnotherAccount(actor, user.id, company);
    await rememberProject(projectId);
    return {};
  },
);

/** Erases a person whom the last of their teams took off. */
export const erasePersonAction = personAction(
  "person.erase",
  z.strictObject({ confirmation: z.string().max(254) }),
  async ({ actor, user }, { confirmation }) => {
    await erase(actor, { userId: user.id, confirmation });
    return {};
  },
  { needsFreshSignIn: true },
);
