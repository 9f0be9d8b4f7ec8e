import { signatureHeaders } from "@/lib/domain/webhook-signature";
import { isSignedWith, type ReceivedDelivery } from "@/scripts/support/callback-receiver";

/** What a signature is worth. `unchecked`: no secret is known. */
export type Verdict = "right" | "wrong" | "missing" | "too old" | "unchecked";

/** The two ways in which a delivery says where it comes from. */
export interface DeliveryVerdicts {
  /** `X-Service-Signature` (§6.3). */
  service: Verdict;
  /** The headers of Standard Webhooks (contract §8). */
  standard: Verdict;
}

/** How far the signed time may be from now. */
const TOLERANCE_SECONDS = 300;

/** Checks both signatures against any of the secrets. */
export function verifyDelivery(
  delivery: ReceivedDelivery,
  secrets: readonly string[],
  now = new Date(),
): DeliveryVerdicts {
  return {
    service: verdict(delivery.headers["x-service-signature"], secrets, (secret) => isSignedWith(secret, delivery)),
    standard: standardVerdict(delivery, secrets, now),
  };
}

function verdict(given: string | undefined, secrets: readonly string[], fits: (secret: string) => boolean): Verdict {
  if (!given) return "missing";
  if (secrets.length === 0) return "unchecked";
  return secrets.some(fits) ? "right" : "wrong";
}

function standardVerdict({ headers, body }: ReceivedDelivery, secrets: readonly string[], now: Date): Verdict {
  const { "webhook-id": deliveryUuid = "", "webhook-timestamp": time = "", "webhook-signature": given = "" } = headers;
  if (!/^\d{1,12}$/.test(time)) return given ? "wrong" : "missing";
  const sentAt = new Date(Number(time) * 1_000);
  const found = verdict(given, secrets, (secret) => {
    const expected = signatureHeaders({ deliveryUuid, body, secrets: [secret], sentAt })["webhook-signature"];
    // Timing tells nobody anything here: whoever sends to this receiver sits at the same machine.
    return given.split(" ").some((entry) => entry === expected);
  });
  const isOld = Math.abs(now.getTime() - sentAt.getTime()) > TOLERANCE_SECONDS * 1_000;
  return found === "right" && isOld ? "too old" : found;
}
