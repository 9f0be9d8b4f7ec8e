import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBlobServer } from "@/e2e/support/blob-server";
import { startInngestServer } from "@/e2e/support/inngest-server";
import { startModelServer } from "@/e2e/support/model-server";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { useTestCluster } from "@/e2e/support/test-cluster";
import { createTestDatabase } from "@/e2e/support/test-database";
import { startTestService } from "@/e2e/support/test-service";
import { buildIfChanged } from "@/scripts/support/build-app";

/**
 * Playwright's global setup: Postgres, the test model and one built server for all specs. What they need to know is in a
 * file that `E2E_STATE` names (see suite.ts); which answers they saw is gathered in the one of `COVERAGE_FILE`. Where
 * `INNGEST_SERVER_BIN` names Inngest's own server, that one moves the work instead of the embedded runner; with `E2E_FILE_STORE=blob`
 * files are in a server of Vercel Blob's protocol instead of on disk.
 */
export default async function startService(): Promise<() => Promise<void>> {
  const [cluster, model] = await Promise.all([useTestCluster(), startModelServer(), buildIfChanged()]);
  process.env.TEST_CLUSTER_URL = cluster.adminUrl;
  process.env.TEST_CLUSTER_TEMPLATE = cluster.templateName;
  const database = await createTestDatabase();
  const certificates = createTestCertificates();
  const binary = process.env.INNGEST_SERVER_BIN;
  const inngest = binary ? await startInngestServer(binary) : null;
  const blob = process.env.E2E_FILE_STORE === "blob" ? await startBlobServer() : null;
  const service = await startTestService({
    databaseUrl: database.url,
    modelUrl: model.baseUrl,
    caPem: certificates.caPem,
    settings: {
      SUPPORT_CONTACT: "support@service.example",
      WEBHOOK_RETRY_DELAYS_SECONDS: "1,1,1,1",
      WEBHOOK_TIMEOUT_SECONDS: "2",
      TURN_CONCURRENCY_PER_ACCOUNT: "16",
      VIDEO_POLL_SECONDS: "1",
      ...(blob && { BLOB_READ_WRITE_TOKEN: blob.token, VERCEL_BLOB_API_URL: blob.apiUrl }),
      ...inngest?.settings,
    },
  });
  await inngest?.register(service.url);
  const folder = await mkdtemp(join(tmpdir(), "service-e2e-"));
  process.env.E2E_STATE = join(folder, "state.json");
  await writeFile(
    process.env.E2E_STATE,
    JSON.stringify({
      ...{ url: service.url, variables: service.variables, modelUrl: model.baseUrl, certificates },
      blobUrl: blob?.apiUrl ?? null,
    }),
    { mode: 0o600 },
  );
  process.env.E2E_BASE_URL = service.url;
  process.env.COVERAGE_FILE ??= join(folder, "coverage.jsonl");
  return async () => {
    await service.close();
    sayBrokenPages(service.log());
    await Promise.all([inngest?.stop(), blob?.close()]);
    await Promise.all([model.stop(), database.drop()]);
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Whoever saw a page that threw, as a browser test does, saw its digest alone: what it threw stands in the log. */
function sayBrokenPages(log: string): void {
  const lines = log.split("\n").filter((line) => line.includes("A page could not be shown."));
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}
