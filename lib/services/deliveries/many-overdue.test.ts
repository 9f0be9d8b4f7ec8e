import { expect, it } from "vitest";
import { countWaits } from "@/e2e/support/count-waits";
import { seedDelivery, seedProject } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { redispatchDeliveries } from "@/lib/services/deliveries/redispatch-deliveries";

useServiceDatabase();

const MANY = 2_000;

interface PlanNode {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Join Filter"?: number;
  Plans?: PlanNode[];
}

/** The most rows that a step of the plan went through. */
function mostRows(node: PlanNode): number {
  const own = (node["Actual Rows"] + (node["Rows Removed by Join Filter"] ?? 0)) * node["Actual Loops"];
  return Math.max(own, ...(node.Plans ?? []).map(mostRows));
}

it("goes over what is overdue once, also when the database still takes it for nothing", async () => {
  const owner = await seedProject();
  const { id } = await seedDelivery({ ...owner, url: "https://receiver.example/in", overdueSeconds: 9_000 });
  const { statements } = await countWaits(() => redispatchDeliveries());
  await db().query("UPDATE webhook_deliveries SET next_attempt_at = NULL, status = 'delivered'");
  await db().query("ANALYZE webhook_deliveries");
  await db().query(
    `INSERT INTO webhook_deliveries
     SELECT (jsonb_populate_record(d, jsonb_build_object('id', d.id || n, 'delivery_uuid', gen_random_uuid(), 'dedupe_key', n,
       'url', 'https://receiver.example/' || n % 50, 'status', 'pending', 'next_attempt_at', now() - interval '1 hour'))).*
     FROM webhook_deliveries d, generate_series(1, ${MANY}) n WHERE d.id = $1`,
    [id],
  );
  const sweep = statements.find((text) => text.includes("WITH overdue"));
  const { rows } = await db().query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sweep}`, [120, 60, 1_000, 100]);
  expect(mostRows(rows[0]["QUERY PLAN"][0].Plan)).toBeLessThanOrEqual(MANY);
});
