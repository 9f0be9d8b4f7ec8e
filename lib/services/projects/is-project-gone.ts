import { isTenantGone } from "@/lib/db/failures";

/** Whether an error means that a call's project, or all of its account, was erased since the call was let in: nothing was accepted. */
export function isProjectGone(error: unknown): boolean {
  return isTenantGone(error);
}
