import { PERMISSIONS } from "@/lib/domain/permissions";
import { NO_ALLOWANCES, type Principal } from "@/lib/domain/principal";

const NUMBER = "1".padStart(26, "0");

/** Whose past is filled in. */
export const GROWN_ACCOUNT: Principal = {
  accountId: `acc_${NUMBER}`,
  projectId: `prj_${NUMBER}`,
  apiKeyId: null,
  permissions: PERMISSIONS,
  planId: "scale",
  model: null,
  allowances: NO_ALLOWANCES,
};

/** Accounts whose rows lie between. */
export const OTHER_ACCOUNTS = 20;
