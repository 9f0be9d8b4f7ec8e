import type { Permission } from "@/lib/domain/permissions";
import type { PlanId } from "@/lib/domain/plans";

/** Who starts work: a key of a project of an account, or a person in the panel. Every query is scoped by it. */
export interface Principal {
  accountId: string;
  projectId: string;
  /** Null: a person in the panel. */
  apiKeyId: string | null;
  permissions: readonly Permission[];
  planId: PlanId;
  /** The project's own model; null: the operator's default. */
  model: string | null;
  allowances: Allowances;
}

/** Credits that each may use in a calendar month (UTC); null: as many as the account has. */
export interface Allowances {
  /** All together, whoever begins it. */
  project: number | null;
  /** Each end user of the project. */
  endUser: number | null;
  /** The key that calls. */
  key: number | null;
  /** Each call, of each of its files: not of a month. */
  call: number | null;
}

export const NO_ALLOWANCES: Allowances = { project: null, endUser: null, key: null, call: null };

/** What the panel works on: a project of an account, whoever looks at it. */
export type ProjectScope = Pick<Principal, "accountId" | "projectId">;
