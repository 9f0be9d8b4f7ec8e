import type { BusyUser } from "@/e2e/api/support/erasure/end-user-acts";
import { countInDatabase, findInFiles } from "@/e2e/support/canary-search";
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
  const traces = new Map<string, Traces>();
  for (const canary of canaries) {
    const files = await findInFiles(suite.variables.DATA_DIR ?? "", canary);
    traces.set(canary, { rows: rows.get(canary) ?? new Map(), files });
  }
  return traces;
}

export const countRows = (traces: Traces | undefined) => sum([...(traces?.rows ?? [])].map(([, count]) => count));
export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
