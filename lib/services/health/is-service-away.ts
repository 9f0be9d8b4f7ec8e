import { isDatabaseAway } from "@/lib/db/failures";

/** Whether an error means that the database cannot be reached right now: nothing was accepted (503). */
export function isServiceAway(error: unknown): boolean {
  return isDatabaseAway(error);
}
