import { suite } from "@/e2e/support/suite";
import { startTestService, type TestService } from "@/e2e/support/test-service";

/** A server with Next alone, on the suite's database and files. */
export function startNextService(): Promise<TestService> {
  const { DATABASE_URL = "", DATA_DIR = "", ENCRYPTION_KEY = "", OPENAI_BASE_URL = "" } = suite.variables;
  // It works on the suite's queue too: turns and deliveries of other tests must go through it as they go through the first
  // server, with which it shares a public address, as two behind one proxy do.
  const {
    APP_URL = "",
    OUTBOUND_EXTRA_CA_FILE = "",
    WEBHOOK_RETRY_DELAYS_SECONDS = "",
    WEBHOOK_TIMEOUT_SECONDS = "",
  } = suite.variables;
  const shared = { APP_URL, OUTBOUND_EXTRA_CA_FILE, WEBHOOK_RETRY_DELAYS_SECONDS, WEBHOOK_TIMEOUT_SECONDS };
  return startTestService({
    databaseUrl: DATABASE_URL,
    modelUrl: OPENAI_BASE_URL,
    settings: { SERVICE_MOUNT: "next", DATA_DIR, ENCRYPTION_KEY, ...shared },
  });
}
