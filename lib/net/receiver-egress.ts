import { env } from "@/lib/env";
import { createEgressClient, type EgressClient } from "@/lib/net/egress-client";
import { readExtraCa } from "@/lib/net/extra-ca";
import { processSingleton } from "@/lib/process-singleton";

/**
 * The egress client of this process, with the operator's settings.
 * @throws SettingsError when OUTBOUND_EXTRA_CA_FILE is wrong; a start looks at it before
 */
export function receiverEgress(): EgressClient {
  return processSingleton("receiver-egress", () => {
    const { WEBHOOK_TIMEOUT_SECONDS, OUTBOUND_ALLOWED_HOSTS, OUTBOUND_EXTRA_CA_FILE } = env();
    return createEgressClient({
      timeoutMs: WEBHOOK_TIMEOUT_SECONDS * 1_000,
      allowedHosts: OUTBOUND_ALLOWED_HOSTS,
      ...(OUTBOUND_EXTRA_CA_FILE === undefined ? {} : { extraCa: readExtraCa(OUTBOUND_EXTRA_CA_FILE) }),
    });
  });
}
