import type { Permission } from "@/lib/domain/permissions";

/** Who makes an API call: a key of a project of an account. Every query is scoped by it. */
export interface Principal {
  accountId: string;
  projectId: string;
  apiKeyId: string;
  permissions: readonly Permission[];
}
