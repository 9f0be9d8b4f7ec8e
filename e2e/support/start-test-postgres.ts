import { useTestCluster } from "@/e2e/support/test-cluster";

/** Vitest's global setup: one Postgres for the run; `createTestDatabase` reads these two variables. */
export default async function startTestPostgres(): Promise<() => Promise<void>> {
  const cluster = await useTestCluster();
  process.env.TEST_CLUSTER_URL = cluster.adminUrl;
  process.env.TEST_CLUSTER_TEMPLATE = cluster.templateName;
  return cluster.stop;
}
