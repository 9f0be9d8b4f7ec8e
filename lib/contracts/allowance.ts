import { z } from "zod";

/** As many as anybody may be allowed. */
export const MAX_ALLOWANCE = 1_000_000_000;

/** Credits that somebody may use in a calendar month (UTC), or a call may cost; null: as many as the account has. */
export const allowanceField = z
  .int("must be a whole number of credits")
  .min(1, "must be at least 1 credit")
  .max(MAX_ALLOWANCE, "must be at most 1,000,000,000 credits")
  .nullable();
