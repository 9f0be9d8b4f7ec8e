import type { Pool, PoolClient } from "pg";

/**
 * The plan that Postgres keeps for a named statement which was run on this pool. Whichever of its connections ran it alone
 * knows it, so that all that it may have are asked: one that is still at work, such as an announcement, is waited for.
 * @throws Error when none does
 */
export async function keptPlan(pool: Pool, name: string): Promise<string> {
  const clients: PoolClient[] = [];
  try {
    for (let left = pool.options.max; left > 0; left--) {
      const client = await pool.connect();
      clients.push(client);
      const plan = await planOn(client, name);
      if (plan !== undefined) return plan;
    }
  } finally {
    for (const client of clients) client.release();
  }
  throw new Error(`No connection of the pool knows the statement ${name}.`);
}

async function planOn(client: PoolClient, name: string): Promise<string | undefined> {
  const { rows: known } = await client.query<{ parameters: number }>(
    "SELECT cardinality(parameter_types) AS parameters FROM pg_prepared_statements WHERE name = $1",
    [name],
  );
  if (!known[0]) return undefined;
  const nothing = Array.from({ length: known[0].parameters }, () => "NULL").join(", ");
  const values = nothing && ` (${nothing})`;
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (COSTS OFF) EXECUTE "${name}"${values}`);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
