import type { Pool } from "pg";

/**
 * The plan that Postgres keeps for a named statement which was just run on this pool, one call after the other, so that the
 * connection which knows it is the one that comes next.
 */
export async function keptPlan(pool: Pool, name: string): Promise<string> {
  const { rows: known } = await pool.query<{ parameters: number }>(
    "SELECT cardinality(parameter_types) AS parameters FROM pg_prepared_statements WHERE name = $1",
    [name],
  );
  const nothing = Array.from({ length: known[0]?.parameters ?? 0 }, () => "NULL").join(", ");
  const values = nothing && ` (${nothing})`;
  const { rows } = await pool.query<{ "QUERY PLAN": string }>(`EXPLAIN (COSTS OFF) EXECUTE "${name}"${values}`);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
