import type { Prisma } from "@/lib/db/generated/client";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";

/** Who changes something: a person by their user id, or the operator at the command line. */
export interface Actor {
  kind: "owner" | "staff" | "operator" | "system";
  userId?: string;
  ip?: string;
  /** Where a person is signed in: acts of power ask once more whether they still are. */
  sessionId?: string;
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

/** The same in a transaction of the pool's own, beside hand-written statements. */
export async function writeAudit(tx: Transaction, actor: Actor, line: AuditLine): Promise<void> {
  const json = (value: Prisma.InputJsonObject | undefined) => (value === undefined ? null : JSON.stringify(value));
  await tx.query(
    `INSERT INTO audit_log (id, account_id, actor_id, actor_kind, action, subject, reason, before, after, ip)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10)`,
    [
      newId("audit"),
      line.accountId,
      actor.userId ?? null,
      actor.kind,
      line.action,
      line.subject,
      line.reason ?? null,
      json(line.before),
      json(line.after),
      actor.ip ?? null,
    ],
  );
}
