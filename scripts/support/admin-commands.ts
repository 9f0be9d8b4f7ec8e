import { PERMISSIONS } from "@/lib/domain/permissions";
import { PLAN_IDS, type PlanId, SIGN_UP_CREDITS } from "@/lib/domain/plans";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import {
  type FlagKind,
  type Flags,
  optionalChoice,
  optionalText,
  optionalWhole,
  requireText,
  UsageError,
} from "@/scripts/support/command-line";

/** One operator command (contract §10). */
export interface AdminCommand {
  /** What comes after the command's name. */
  usage: string;
  flags: Readonly<Record<string, FlagKind>>;
  /**
   * Checks the flags; what it returns does the work. In two steps, so that a wrong line starts no database.
   * @throws UsageError
   */
  plan(flags: Flags): () => Promise<Record<string, unknown>>;
}

const MAX_CREDITS = 2_147_483_647;
const MAX_REQUESTS_PER_MINUTE = 1_000_000;
const MAX_EXPIRY_DAYS = 3_650;
const DAY_MS = 86_400_000;
const DEFAULT_PLAN: PlanId = "growth";

/** The operator commands by name. */
export const ADMIN_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  "create-account": {
    usage: `--company NAME --email E [--verified] [--plan ${PLAN_IDS.join("|")}] [--credits N] [--rate-limit N]`,
    flags: { company: "text", email: "text", verified: "switch", plan: "text", credits: "text", "rate-limit": "text" },
    plan: planCreateAccount,
  },
  "create-key": {
    usage: `--account ID [--project ID] [--permissions ${PERMISSIONS.join(",")}] [--expires-days N]`,
    flags: { account: "text", project: "text", permissions: "text", "expires-days": "text" },
    plan: planCreateKey,
  },
  "revoke-key": {
    usage: "--key ID",
    flags: { key: "text" },
    plan(flags) {
      const keyId = requireText(flags, "key");
      return async () => {
        const { revokeApiKey } = await import("@/lib/services/api-keys/revoke-api-key");
        return { ...(await revokeApiKey(OPERATOR, { keyId })) };
      };
    },
  },
  "create-staff": {
    usage: "--email E",
    flags: { email: "text" },
    plan(flags) {
      const email = requireText(flags, "email");
      return async () => {
        const { createStaff } = await import("@/lib/services/accounts/create-staff");
        return { ...(await createStaff(OPERATOR, { email })) };
      };
    },
  },
  "disable-staff": {
    usage: "--email E --reason R",
    flags: { email: "text", reason: "text" },
    plan(flags) {
      const input = { email: requireText(flags, "email"), reason: requireText(flags, "reason") };
      return async () => {
        const { disableStaff } = await import("@/lib/services/accounts/disable-staff");
        return { ...(await disableStaff(OPERATOR, input)) };
      };
    },
  },
  "reset-password": {
    usage: "--email E [--remove-second-factor]",
    flags: { email: "text", "remove-second-factor": "switch" },
    plan(flags) {
      const input = { email: requireText(flags, "email"), removeSecondFactor: flags["remove-second-factor"] === true };
      return async () => {
        const { createPasswordLink } = await import("@/lib/services/people/change-password");
        return { ...(await createPasswordLink(OPERATOR, input)) };
      };
    },
  },
  "change-email": {
    usage: "--email E --new-email E",
    flags: { email: "text", "new-email": "text" },
    plan(flags) {
      const input = { email: requireText(flags, "email"), newEmail: requireText(flags, "new-email") };
      return async () => {
        const { createEmailLink } = await import("@/lib/services/people/change-email");
        return { ...(await createEmailLink(OPERATOR, input)) };
      };
    },
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
    usage: `--account ID --plan ${PLAN_IDS.join("|")} [--rate-limit N]`,
    flags: { account: "text", plan: "text", "rate-limit": "text" },
    plan(flags) {
      const accountId = requireText(flags, "account");
      requireText(flags, "plan");
      const planId = optionalChoice(flags, "plan", PLAN_IDS) ?? DEFAULT_PLAN;
      const rateLimitPerMinute = readRateLimit(flags);
      return async () => {
        const { setPlan } = await import("@/lib/services/accounts/set-plan");
        return { ...(await setPlan(OPERATOR, { accountId, planId, rateLimitPerMinute })) };
      };
    },
  },
  "add-credits": {
    usage: "--account ID --amount N --reason R",
    flags: { account: "text", amount: "text", reason: "text" },
    plan(flags) {
      requireText(flags, "amount");
      const input = {
        accountId: requireText(flags, "account"),
        amount: optionalWhole(flags, "amount", 1, MAX_CREDITS) ?? 0,
        reason: requireText(flags, "reason"),
      };
      return async () => {
        const { addCredits } = await import("@/lib/services/accounts/add-credits");
        return { ...(await addCredits(OPERATOR, input)) };
      };
    },
  },
  "switch-off-demo": {
    usage: "",
    flags: {},
    plan: () => async () => {
      const { env } = await import("@/lib/env");
      const { switchOffDemoAccount } = await import("@/scripts/support/demo-account");
      return switchOffDemoAccount(env().DATA_DIR);
    },
  },
  "rotate-encryption-key": {
    usage: "",
    flags: {},
    plan: () => async () => {
      const { rotateEncryptionKey } = await import("@/lib/services/secrets/rotate-encryption-key");
      return { ...(await rotateEncryptionKey()) };
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
  },
};

function planCreateAccount(flags: Flags): () => Promise<Record<string, unknown>> {
  const isVerified = flags.verified === true;
  const input = {
    companyName: requireText(flags, "company"),
    email: requireText(flags, "email"),
    isVerified,
    planId: optionalChoice(flags, "plan", PLAN_IDS) ?? DEFAULT_PLAN,
    credits: optionalWhole(flags, "credits", 0, MAX_CREDITS) ?? SIGN_UP_CREDITS,
    rateLimitPerMinute: readRateLimit(flags),
  };
  return async () => {
    const { createAccount } = await import("@/lib/services/accounts/create-account");
    const { createApiKey } = await import("@/lib/services/api-keys/create-api-key");
    const { accountId, projectId, owner } = await createAccount(OPERATOR, input);
    const created = { accountId, projectId, owner: { email: owner.email, password: owner.password } };
    if (!isVerified) return created;
    const { apiKey } = await createApiKey(OPERATOR, { accountId, name: "First key", permissions: PERMISSIONS });
    return { ...created, apiKey };
  };
}

function planCreateKey(flags: Flags): () => Promise<Record<string, unknown>> {
  const accountId = requireText(flags, "account");
  const projectId = optionalText(flags, "project");
  const permissions = optionalText(flags, "permissions")?.split(",").map(readPermission) ?? PERMISSIONS;
  const expiresDays = optionalWhole(flags, "expires-days", 1, MAX_EXPIRY_DAYS);
  return async () => {
    const { createApiKey } = await import("@/lib/services/api-keys/create-api-key");
    const expiresAt = expiresDays === undefined ? undefined : new Date(Date.now() + expiresDays * DAY_MS);
    return {
      ...(await createApiKey(OPERATOR, { accountId, projectId, name: "Operator key", permissions, expiresAt })),
    };
  };
}

function readPermission(word: string) {
  const permission = PERMISSIONS.find((known) => known === word.trim());
  if (!permission)
    throw new UsageError(`--permissions takes a comma list of ${PERMISSIONS.join(", ")}, not "${word}".`);
  return permission;
}

function readRateLimit(flags: Flags): number | undefined {
  return optionalWhole(flags, "rate-limit", 1, MAX_REQUESTS_PER_MINUTE);
}
