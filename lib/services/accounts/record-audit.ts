import type { Prisma } from "@/lib/db/generated/client";
import { newId } from "@/lib/domain/ids";

/** Who changes something: a person by their user id, or the operator at the command line. */
export interface Actor {
  kind: "owner" | "staff" | "operator" | "system";
  userId?: string;
  ip?: string;
}

/** The operator commands' actor. */
export const OPERATOR: Actor = { kind: "operator" };

/** One line of the audit log; `before` and `after` hold the changed fields and never a secret. */
export interface AuditLine {
  accountId: string | null;
  /** noun.verb, e.g. "account.suspend" */
  action: string;
  /** Id of the thing that was changed. */
  subject: string;
  reason?: string;
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
}

/** Writes the line in the transaction of the change, so that there is no change without its line. */
export async function recordAudit(tx: Prisma.TransactionClient, actor: Actor, line: AuditLine): Promise<void> {
  await tx.auditEntry.create({
    data: { id: newId("audit"), actorKind: actor.kind, actorId: actor.userId ?? null, ip: actor.ip ?? null, ...line },
  });
}
