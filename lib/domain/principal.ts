import type { Permission } from "@/lib/domain/permissions";
import type { PlanId } from "@/lib/domain/plans";

/** Who makes an API call: a key of a project of an account. Every query is scoped by it. */
export interface Principal {
  accountId: string;
  projectId: string;
  apiKeyId: string;
  permissions: readonly Permission[];
  planId: PlanId;
  /** The project's own model; null: the operator's default. */
  model: string | null;
}
