import { z } from "zod";
import { requestIdInput } from "@/lib/contracts/account-requests";
import { attemptField } from "@/lib/contracts/edit-base";
import { isId } from "@/lib/domain/ids";
import { PLAN_IDS, type PlanId } from "@/lib/domain/plans";

/** What staff send to change something. The reason goes along with each, and is checked for all of them in one place. */

const MAX_CREDITS_AT_ONCE = 100_000_000;
const MAX_REQUESTS_PER_MINUTE = 1_000_000;

const accountId = z.string().refine((text) => isId("account", text), "is not the id of an account");

export const accountInput = z.strictObject({ accountId });

const planId = z.enum(PLAN_IDS as [PlanId, ...PlanId[]]);

/** What the account asked for, where the reader saw it open: two who look at it do not both answer it, nor what was taken back. */
const seenRequest = requestIdInput.shape.requestId.optional();

/** With the plan that the reader saw, so that no colleague's is changed unseen. */
export const planInput = z.strictObject({ accountId, planId, began: planId, requestId: seenRequest });

/** With the line by which credits were given or taken last as the reader saw it, null: none, so that two do not both do the same. */
export const creditsInput = z.strictObject({
  accountId,
  amount: z
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(MAX_CREDITS_AT_ONCE, `must be at most ${MAX_CREDITS_AT_ONCE}`),
  began: z
    .string()
    .refine((text) => isId("ledger", text), "is not the id of a line")
    .nullable(),
  attempt: attemptField,
});

export const grantInput = creditsInput.extend({ requestId: seenRequest });

export const creditRequestInput = z.strictObject({
  requestId: z.string().refine((text) => isId("creditRequest", text), "is not the id of a grant"),
});

/** With what the reader saw that the account was given since. */
export const creditConfirmationInput = creditRequestInput.extend({ givenSince: z.int() });

export const rateLimitInput = z.strictObject({
  accountId,
  /** Requests per key and minute; null: the plan's. */
  rateLimitPerMinute: z
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(MAX_REQUESTS_PER_MINUTE, `must be at most ${MAX_REQUESTS_PER_MINUTE}`)
    .nullable(),
  /** What the reader saw, as of a plan. */
  began: z.number().nullable(),
});
