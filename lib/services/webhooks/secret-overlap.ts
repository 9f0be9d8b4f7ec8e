import { AppError } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { findProject } from "@/lib/services/projects/find-project";
import { findWebhook } from "@/lib/services/webhooks/find-webhook";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";

/** A rotation, as whoever asks for one sees what was before it. */
export interface RotateOptions {
  /** Default: now, by the database's clock, which decides at each delivery whether the old one still signs. */
  now?: Date;
  /** Until when the secret before the present one signs, as they saw it; null: it was never rotated. Absent: nobody looked. */
  seen?: string | null | undefined;
}

const ROTATED_MEANWHILE =
  "Nothing was changed now: the secret was rotated meanwhile, by a press of yours that got no answer or by somebody else. Cancel, and press Show secret: the new one stands there, and the one before it still signs. Another rotation would end that one at once.";

/** Until when the secret before a registration's present one signs, or did; null: it was never rotated. @throws AppError NOT_FOUND */
export async function webhookOverlapEnd(owner: WebhookOwner, id: string): Promise<string | null> {
  return textOf((await findWebhook(owner, id)).previousSecretUntil);
}

/** The same of a project's callback secret. @throws AppError NOT_FOUND */
export async function callbackOverlapEnd(scope: ProjectScope): Promise<string | null> {
  return textOf((await findProject(scope)).previousCallbackSecretUntil);
}

/**
 * Each rotation ends the secret before the present one, which a receiver may still go by: whoever rotates must have seen the
 * rotation before.
 * @throws AppError VALIDATION_FAILED
 */
export function assertOverlapSeen(until: Date | null, seen: RotateOptions["seen"]): void {
  if (seen !== undefined && seen !== textOf(until))
    throw new AppError("VALIDATION_FAILED", ROTATED_MEANWHILE, { param: "seen" });
}

function textOf(until: Date | null): string | null {
  return until?.toISOString() ?? null;
}
