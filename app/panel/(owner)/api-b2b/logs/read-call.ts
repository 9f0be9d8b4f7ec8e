import type { AddressParams } from "@/components/ui/address";
import type { CallDetail } from "@/lib/contracts/call-log";
import type { DeliveryRecord } from "@/lib/contracts/deliveries";
import { AppError } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { getCall } from "@/lib/services/call-log/get-call";
import { listDeliveries } from "@/lib/services/deliveries/list-deliveries";

const MAX_DELIVERIES = 10;

/** The call that an address opens over the list; one that is not there is no reason to hide the list. */
export async function findCall(scope: ProjectScope, id: AddressParams[string]): Promise<CallDetail | null> {
  if (typeof id !== "string") return null;
  try {
    return await getCall(scope, id);
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

/** What was sent because of what the call started: the newest of its session. */
export async function readDeliveries(scope: ProjectScope, { turns }: CallDetail): Promise<DeliveryRecord[]> {
  const [turn] = turns;
  // A batch has many sessions: each shows its own.
  if (!turn || turns.length > 1) return [];
  const { data } = await listDeliveries(scope, { limit: MAX_DELIVERIES }, { sessionId: turn.sessionId });
  return data;
}
