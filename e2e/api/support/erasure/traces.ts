import type { BusyUser } from "@/e2e/api/support/erasure/end-user-acts";
import { findAllInStore } from "@/e2e/api/support/find-in-store";
import { countInDatabase } from "@/e2e/support/canary-search";
import { suite } from "@/e2e/support/suite";

/** Of one canary: rows by table, and files. */
export interface Traces {
  rows: Map<string, number>;
  files: string[];
}

/** What there is of each user, by their canary. */
export async function tracesOf(users: BusyUser[]): Promise<Map<string, Traces>> {
  const canaries = users.map(({ canary }) => canary);
  const rows = await countInDatabase(suite.variables.DATABASE_URL ?? "", canaries);
  const files = await findAllInStore(canaries);
  return new Map(
    canaries.map((canary) => [canary, { rows: rows.get(canary) ?? new Map(), files: files.get(canary) ?? [] }]),
  );
}

export const countRows = (traces: Traces | undefined) => sum([...(traces?.rows ?? [])].map(([, count]) => count));
export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
