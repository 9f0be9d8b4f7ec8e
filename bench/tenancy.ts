import type { Benchmark } from "@/bench/support/benchmark";
import { openSuite } from "@/bench/support/open-suite";
import { seededRandom } from "@/bench/support/random";
import { setStage } from "@/bench/support/stage";
import { startModelServer } from "@/e2e/support/model-server";

const FULL = { accounts: 4, projects: 3, perKind: 120, panelShare: 1 };
const SHORT = { accounts: 2, projects: 2, perKind: 6, panelShare: 0.1 };

/**
 * Every endpoint of the API, in random order, with ids of other accounts, projects and end users, without permissions, with
 * dead keys and with others' keys of idempotency; then every page and action of the panel for everybody who may come to it.
 * Nobody is told more than somebody who asks for what nobody has, and no row of who is not asked changes.
 */
export const tenancy: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 100_000 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl);
  await openSuite(stage, model.baseUrl);
  const { runPanelTrust } = await import("@/e2e/support/run-panel-trust");
  const { runTenancy } = await import("@/e2e/api/support/tenancy/run-tenancy");
  const seed = run.option("seed", Date.now() % 1_000_000);
  const random = seededRandom(seed);
  const size = run.isShort ? SHORT : FULL;
  const result = await runTenancy(random, size);
  const { report } = run;
  report.figure("calls", result.calls, "");
  for (const [kind, calls] of [...result.kinds].sort()) report.figure(`  with ${kind}`, calls, "");
  report.figure("endpoints", result.endpoints, "");
  report.figure("projects", result.tenants, "");
  report.figure("kinds of ids", result.idKinds.size, "");
  report.figure("ids and words watched for", result.marks, "");
  report.figure("tables of quiet projects and accounts compared", result.tables, "");
  report.figure("requests to the model looked at", result.modelRequests, "");
  report.figure("deliveries looked at", result.deliveries, "");
  const panel = await runPanelTrust(random, size.panelShare);
  report.figure("pages, downloads and actions of the panel, by visitor", panel.asked, "");
  report.figure("  with addresses of another account", panel.foreignPages, "");
  report.figure("actions that take an id", panel.actionsWithIds, "");
  report.figure("  calls with ids of another account", panel.foreignActions, "");
  const violations = [...result.violations, ...panel.violations];
  report.figure("leaks", violations.length, "", { atMost: 0 });
  const alike = Map.groupBy(violations, (violation) => violation.slice(0, 40));
  for (const some of alike.values()) for (const violation of some.slice(0, 3)) report.mustHold(false, violation);
  report.note(`Seed ${seed}.`);
};
