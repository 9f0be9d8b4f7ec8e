"use server";

import { revalidatePath } from "next/cache";
import { requestIdInput } from "@/lib/contracts/account-requests";
import {
  accountInput,
  creditConfirmationInput,
  creditRequestInput,
  creditsInput,
  grantInput,
  planInput,
  rateLimitInput,
} from "@/lib/contracts/staff-actions";
import { staffAction } from "@/lib/panel/panel-action";
import {
  confirmCredits as confirmGrant,
  refuseCredits as refuseGrant,
} from "@/lib/services/accounts/decide-credit-request";
import { giveCredits } from "@/lib/services/accounts/give-credits";
import { restoreAccount } from "@/lib/services/accounts/restore-account";
import { setPlan as movePlan } from "@/lib/services/accounts/set-plan";
import { setRateLimit as changeRateLimit } from "@/lib/services/accounts/set-rate-limit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { withdrawCredits as takeCredits } from "@/lib/services/accounts/withdraw-credits";
import { createOnce } from "@/lib/services/idempotency/create-once";
import { findFirstProject } from "@/lib/services/projects/find-project";
import { declineRequest as decline } from "@/lib/services/requests/decline-request";

/** What staff change about an account. Each wants a reason, which stands in the audit log with the state before and after. */

export const setPlan = staffAction("staff.accounts.set-plan", planInput, async ({ actor, reason }, input) => {
  await movePlan(actor, { ...input, reason });
  return done();
});

export const setRateLimit = staffAction(
  "staff.accounts.set-rate-limit",
  rateLimitInput,
  async ({ actor, reason }, input) => {
    await changeRateLimit(actor, { ...input, reason });
    return done();
  },
);

export const grantCredits = staffAction(
  "staff.accounts.grant-credits",
  grantInput,
  async ({ actor, user, reason }, { attempt, ...input }) => {
    const gift = { ...input, reason };
    const given = await createOnce(await findFirstProject(gift.accountId), attempt, gift, (claim) =>
      giveCredits({ ...actor, userId: user.id }, gift, undefined, claim),
    );
    done();
    return given;
  },
);

export const confirmCredits = staffAction(
  "staff.accounts.confirm-credits",
  creditConfirmationInput,
  async ({ actor, user, reason }, { requestId, givenSince }) => {
    await confirmGrant({ ...actor, userId: user.id }, { requestId, reason, givenSince });
    return done();
  },
);

export const refuseCredits = staffAction(
  "staff.accounts.refuse-credits",
  creditRequestInput,
  async ({ actor, user, reason }, { requestId }) => {
    await refuseGrant({ ...actor, userId: user.id }, { requestId, reason });
    return done();
  },
);

export const withdrawCredits = staffAction(
  "staff.accounts.withdraw-credits",
  creditsInput,
  async ({ actor, reason }, { attempt, ...input }) => {
    const taken = { ...input, reason };
    await createOnce(await findFirstProject(taken.accountId), attempt, taken, (claim) =>
      takeCredits(actor, taken, claim),
    );
    return done();
  },
);

export const declineRequest = staffAction(
  "staff.accounts.decline-request",
  requestIdInput,
  async ({ actor, user, reason }, { requestId }) => {
    await decline({ ...actor, userId: user.id }, { requestId, reason });
    return done();
  },
);

export const suspend = staffAction("staff.accounts.suspend", accountInput, async ({ actor, reason }, input) => {
  await suspendAccount(actor, { ...input, reason });
  return done();
});

export const restore = staffAction("staff.accounts.restore", accountInput, async ({ actor, reason }, input) => {
  await restoreAccount(actor, { ...input, reason });
  return done();
});

/** Every page of staff may show what was changed. */
function done(): null {
  revalidatePath("/staff", "layout");
  return null;
}
