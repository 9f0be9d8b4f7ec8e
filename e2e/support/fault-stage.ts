import { type ApiClient, apiClient, observeResponses } from "@/e2e/support/api-client";
import { type HttpsReceiver, startHttpsReceiver } from "@/e2e/support/https-receiver";
import { startInngestServer } from "@/e2e/support/inngest-server";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { operate } from "@/e2e/support/operator";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { startTestCluster, type TestCluster } from "@/e2e/support/test-cluster";
import { createTestDatabase } from "@/e2e/support/test-database";
import { startTestService, type TestService, type TestServiceOptions } from "@/e2e/support/test-service";

/** As `create-account` prints it. */
interface OperatorAccount {
  accountId: string;
  projectId: string;
  apiKey: string;
  owner: { email: string; password: string };
}

/** Everything that a fault test breaks, for itself alone: Postgres, model, receiver and server. */
export interface FaultStage {
  cluster: TestCluster;
  databaseUrl: string;
  model: ModelServer;
  receiver: HttpsReceiver;
  service: TestService;
  account: OperatorAccount;
  api: ApiClient;
  /** A further server on the same database and files. */
  startSecond(): Promise<TestService>;
  /** A proxy that finds a server dead calls another: a real Inngest is told where the functions are; the embedded runner knows. */
  failOver(to: TestService): Promise<void>;
  close(): Promise<void>;
}

/** Sets the stage; commits are durable, as in production. */
export async function setFaultStage(settings: Record<string, string> = {}, credits = 100_000): Promise<FaultStage> {
  // A benchmark runs this too: it measures, and has no test to fail.
  if (process.env.E2E_STATE) observeResponses((await import("@/e2e/support/validate-response")).validateResponse);
  const certificates = createTestCertificates();
  const [cluster, model, receiver] = await Promise.all([
    startTestCluster({ isDurable: true }),
    startModelServer({ journalLimit: 1_000 }),
    startHttpsReceiver({ certificates }),
  ]);
  process.env.TEST_CLUSTER_URL = cluster.adminUrl;
  process.env.TEST_CLUSTER_TEMPLATE = cluster.templateName;
  const databaseUrl = (await createTestDatabase()).url;
  const binary = process.env.INNGEST_SERVER_BIN;
  const inngest = binary ? await startInngestServer(binary) : null;
  const options: TestServiceOptions = {
    databaseUrl,
    modelUrl: model.baseUrl,
    caPem: certificates.caPem,
    settings: { WEBHOOK_RETRY_DELAYS_SECONDS: "1,1,1,1", TURN_STALE_SECONDS: "10", ...inngest?.settings, ...settings },
  };
  const service = await startTestService(options);
  await inngest?.register(service.url);
  const others: TestService[] = [];
  const account = await operate<OperatorAccount>(
    service.variables,
    ...["create-account", "--company", "Faults", "--email", "owner@faults.test", "--verified"],
    ...["--plan", "scale", "--credits", String(credits)],
  );
  return {
    cluster,
    databaseUrl,
    model,
    receiver,
    service,
    account,
    api: apiClient(service.url, account.apiKey),
    startSecond: async () => {
      const { PORT: _port, APP_URL: _url, DATA_DIR: _dir, ...shared } = service.variables;
      const second = await startTestService({ ...options, settings: shared });
      others.push(second);
      return second;
    },
    failOver: async (to) => {
      await inngest?.register(to.url);
    },
    close: async () => {
      await Promise.all([service, ...others].map((each) => each.close()));
      await inngest?.stop();
      await Promise.all([model.stop(), receiver.close()]);
      await cluster.stop();
    },
  };
}
