import { PLAN_IDS, type PlanId, SIGN_UP_CREDITS } from "@/lib/domain/plans";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { type AdminCommand, OtherKeyError } from "@/scripts/support/admin-command";
import { type Flags, optionalChoice, optionalText, optionalWhole, requireText } from "@/scripts/support/command-line";

const MAX_CREDITS = 2_147_483_647;
const MAX_REQUESTS_PER_MINUTE = 1_000_000;
const DEFAULT_PLAN: PlanId = "growth";
/** Said in place of a number: the account has no rate limit of its own any more. */
const LIMIT_OF_PLAN = "plan";
/** Accounts, their plans and their credits. */
export const ACCOUNT_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  "create-account": {
    usage: `--company NAME --email E [--verified] [--plan ${PLAN_IDS.join("|")}] [--credits N] [--rate-limit N]`,
    flags: { company: "text", email: "text", verified: "switch", plan: "text", credits: "text", "rate-limit": "text" },
    needsKey: true,
    setsUp: true,
    plan: planCreateAccount,
  },
  verify: {
    usage: "--account ID",
    flags: { account: "text" },
    plan(flags) {
      const accountId = requireText(flags, "account");
      return async () => {
        const { verifyAccount } = await import("@/lib/services/accounts/verify-account");
        return { ...(await verifyAccount(OPERATOR, { accountId })) };
      };
    },
  },
  suspend: {
    usage: "--account ID --reason R",
    flags: { account: "text", reason: "text" },
    plan(flags) {
      const input = { accountId: requireText(flags, "account"), reason: requireText(flags, "reason") };
      return async () => {
        const { AlreadySuspendedError, suspendAccount } = await import("@/lib/services/accounts/suspend-account");
        try {
          return { ...(await suspendAccount(OPERATOR, input)) };
        } catch (error) {
          // A script may run twice: it changes nothing then.
          if (error instanceof AlreadySuspendedError) return { accountId: input.accountId, verification: "suspended" };
          throw error;
        }
      };
    },
  },
  "set-plan": {
    usage: `--account ID --plan ${PLAN_IDS.join("|")} [--rate-limit N|${LIMIT_OF_PLAN}]`,
    flags: { account: "text", plan: "text", "rate-limit": "text" },
    plan(flags) {
      const accountId = requireText(flags, "account");
      requireText(flags, "plan");
      const planId = optionalChoice(flags, "plan", PLAN_IDS) ?? DEFAULT_PLAN;
      const rateLimitPerMinute = optionalText(flags, "rate-limit") === LIMIT_OF_PLAN ? null : readRateLimit(flags);
      return async () => {
        const { setPlan } = await import("@/lib/services/accounts/set-plan");
        return { ...(await setPlan(OPERATOR, { accountId, planId, rateLimitPerMinute })) };
      };
    },
  },
  "add-credits": {
    usage: "--account ID --amount N --reason R [--once]",
    flags: { account: "text", amount: "text", reason: "text", once: "switch" },
    plan(flags) {
      requireText(flags, "amount");
      const input = {
        accountId: requireText(flags, "account"),
        amount: optionalWhole(flags, "amount", 1, MAX_CREDITS) ?? 0,
        reason: requireText(flags, "reason"),
        // A script that got no answer runs again.
        isOnce: flags.once === true,
      };
      return async () => {
        const { addCredits } = await import("@/lib/services/accounts/add-credits");
        return { ...(await addCredits(OPERATOR, input)) };
      };
    },
  },
  "check-books": {
    usage: "[--account ID]",
    flags: { account: "text" },
    plan(flags) {
      const accountId = optionalText(flags, "account");
      return async () => {
        const { checkBooks } = await import("@/lib/services/credits/check-books");
        const { checkAllBooks } = await import("@/lib/services/credits/check-all-books");
        return { ...(accountId === undefined ? await checkAllBooks() : await checkBooks(accountId)) };
      };
    },
    hasFound: ({ isClean }) => isClean !== true,
  },
};

function planCreateAccount(flags: Flags): () => Promise<Record<string, unknown>> {
  const input = {
    companyName: requireText(flags, "company"),
    email: requireText(flags, "email"),
    isVerified: flags.verified === true,
    hasKey: true,
    planId: optionalChoice(flags, "plan", PLAN_IDS) ?? DEFAULT_PLAN,
    credits: optionalWhole(flags, "credits", 0, MAX_CREDITS) ?? SIGN_UP_CREDITS,
    rateLimitPerMinute: readRateLimit(flags),
  };
  return async () => {
    const { createAccount } = await import("@/lib/services/accounts/create-account");
    const { opensNewestSecrets } = await import("@/lib/services/secrets/check-encryption-key");
    if (!(await opensNewestSecrets())) throw new OtherKeyError();
    const { accountId, projectId, owner, apiKey } = await createAccount(OPERATOR, input);
    const { email, password } = owner;
    return { accountId, projectId, owner: { email, password }, ...(apiKey && { apiKey }) };
  };
}

function readRateLimit(flags: Flags): number | undefined {
  return optionalWhole(flags, "rate-limit", 1, MAX_REQUESTS_PER_MINUTE);
}
