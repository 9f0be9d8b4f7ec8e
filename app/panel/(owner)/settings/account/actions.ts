"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { isId } from "@/lib/domain/ids";
import { personAction } from "@/lib/panel/panel-action";
import { requestEmailChange as requestChange } from "@/lib/services/people/change-email";
import { changeName as rename } from "@/lib/services/people/change-name";
import { changePassword as change } from "@/lib/services/people/change-password";
import {
  allowIdentity as allowService,
  removeIdentity as removeService,
} from "@/lib/services/people/manage-identities";
import { revokeOtherSessions, revokePersonSession } from "@/lib/services/people/manage-person-sessions";
import {
  moveSecondFactor as move,
  offerSecondFactor as offer,
  withdrawSecondFactorOffer as withdraw,
} from "@/lib/services/people/offer-second-factor";
import { renewRecoveryCodes as renew } from "@/lib/services/people/recovery-codes";
import {
  disableSecondFactor as disable,
  enableSecondFactor as enable,
} from "@/lib/services/people/set-up-second-factor";

/** What a person changes about their own sign-in; the same for staff. */

const showAgain = () => {
  revalidatePath("/panel/settings/account");
  revalidatePath("/staff/account");
};
const FRESH = { needsFreshSignIn: true } as const;
const nothing = z.undefined().or(z.strictObject({}));
const password = z.string().min(1).max(400);
const personName = z.strictObject({ name: plainText(z.string().max(200)) });
const code = z.strictObject({ code: z.string().trim().min(1).max(20) });

export const changeName = personAction(
  "person.change-name",
  // A name that another service gave may be any text.
  personName.extend({ began: z.strictObject({ name: z.string() }) }),
  async ({ actor, user }, input) => {
    const result = await rename(actor, user.id, input);
    if (result.outcome === "saved") {
      revalidatePath("/panel", "layout");
      revalidatePath("/staff", "layout");
    }
    return result;
  },
);

export const changePassword = personAction(
  "person.change-password",
  z.strictObject({ current: password, password }),
  async ({ actor, user, sessionId }, input) => {
    await change(actor, { userId: user.id, sessionId }, input);
    showAgain();
    return {};
  },
);

export const requestEmailChange = personAction(
  "person.request-email-change",
  z.strictObject({ email: z.string().trim().min(1).max(254), current: password }),
  async ({ actor, user }, input) => {
    await requestChange(actor, user.id, input);
    return {};
  },
);

export const offerSecondFactor = personAction(
  "person.offer-second-factor",
  nothing,
  async ({ user }) => offer(user.id),
  FRESH,
);

export const moveSecondFactor = personAction(
  "person.move-second-factor",
  code,
  async ({ user }, { code }) => move(user.id, code),
  FRESH,
);

/** No password is wanted for it: whoever sees the secret may give it up. */
export const withdrawSecondFactorOffer = personAction(
  "person.withdraw-second-factor-offer",
  z.strictObject({ key: z.string().max(100) }),
  async ({ user }, { key }) => {
    await withdraw(user.id, key);
    // A code of it may have been on its way already.
    showAgain();
    return {};
  },
);

export const enableSecondFactor = personAction(
  "person.enable-second-factor",
  code,
  async ({ actor, user, sessionId }, { code }) => enable(actor, { userId: user.id, sessionId }, code),
  FRESH,
);

export const renewRecoveryCodes = personAction(
  "person.renew-recovery-codes",
  code,
  async ({ actor, user }, { code }) => renew(actor, user.id, code),
  FRESH,
);

export const disableSecondFactor = personAction(
  "person.disable-second-factor",
  code,
  async ({ actor, user }, { code }) => {
    await disable(actor, user.id, code);
    showAgain();
    return {};
  },
  FRESH,
);

export const removeIdentity = personAction(
  "person.remove-identity",
  z.strictObject({ provider: z.enum(["google", "github"]) }),
  async ({ actor, user, sessionId }, { provider }) => {
    await removeService(actor, { userId: user.id, sessionId }, provider);
    showAgain();
    return {};
  },
  FRESH,
);

export const allowIdentity = personAction(
  "person.allow-identity",
  z.strictObject({ provider: z.enum(["google", "github"]) }),
  async ({ actor, user }, { provider }) => {
    await allowService(actor, user.id, provider);
    showAgain();
    return {};
  },
  FRESH,
);

export const revokeSession = personAction(
  "person.revoke-session",
  z.strictObject({ sessionId: z.string().refine((text) => isId("userSession", text), "is not the id of a session") }),
  async ({ actor, user }, { sessionId }) => {
    await revokePersonSession(actor, user.id, sessionId);
    showAgain();
    return {};
  },
);

export const signOutElsewhere = personAction("person.sign-out-elsewhere", nothing, async (person) => {
  const sessions = await revokeOtherSessions(person.actor, person.user.id, person.sessionId);
  showAgain();
  return { sessions };
});
