import type { Prisma, Project } from "@/lib/db/generated/client";
import { newId } from "@/lib/domain/ids";
import { makeWebhookSecret } from "@/lib/services/webhooks/webhook-secret";

/** Makes a project with a callback secret of its own; the rest of it is as the schema says. */
export function insertProject(tx: Prisma.TransactionClient, accountId: string, name: string): Promise<Project> {
  const { sealed } = makeWebhookSecret();
  return tx.project.create({ data: { id: newId("project"), accountId, name, callbackSecretEncrypted: sealed } });
}
