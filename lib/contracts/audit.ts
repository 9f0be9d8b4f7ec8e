import type { z } from "zod";
import { auditListQuery } from "@/lib/contracts/staff";

/** Filters of an account's own audit log, as its address has them; they combine with AND. */
export const ownAuditListQuery = auditListQuery.omit({ accountId: true });

/** The same for its file. */
export const ownAuditFilterQuery = ownAuditListQuery.omit({ cursor: true, limit: true });

export type OwnAuditListQuery = z.output<typeof ownAuditListQuery>;

/** Who did what to what in an account, as its owner sees it. */
export interface AuditRecord {
  id: string;
  /** `staff`, `operator` and `system` act for the service; who that was is the service's own matter. */
  actor: { kind: "owner" | "staff" | "operator" | "system"; person: { id: string; email: string | null } | null };
  /** noun.verb, e.g. "key.revoke" */
  action: string;
  /** Id of what was changed. */
  subject: string | null;
  reason: string | null;
  /** The changed fields. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** Of the account's own people alone. */
  ip: string | null;
  createdAt: string;
}
