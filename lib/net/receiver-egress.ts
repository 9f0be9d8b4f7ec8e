import { readFileSync } from "node:fs";
import { env } from "@/lib/env";
import { createEgressClient, type EgressClient } from "@/lib/net/egress-client";
import { processSingleton } from "@/lib/process-singleton";

/**
 * The egress client of this process, with the operator's settings.
 * @throws Error when OUTBOUND_EXTRA_CA_FILE cannot be read.
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

function readExtraCa(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`OUTBOUND_EXTRA_CA_FILE: ${file} cannot be read. Name a PEM file or leave it out.`, { cause });
  }
}
