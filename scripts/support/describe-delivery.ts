import type { ReceivedDelivery } from "@/scripts/support/callback-receiver";
import type { DeliveryVerdicts } from "@/scripts/support/verify-delivery";

export interface ShownDelivery {
  delivery: ReceivedDelivery;
  /** 1 for the first time that this delivery came. */
  attempt: number;
  verdicts: DeliveryVerdicts;
  /** The status that it is answered with. */
  answered: number;
  /** How long after it is shown. */
  delaySeconds: number;
}

/** A delivery for the terminal: what it is about, whether it is ours, and its body. */
export function describeDelivery(shown: ShownDelivery): string {
  const { delivery, attempt, verdicts, answered, delaySeconds } = shown;
  const { headers, body } = delivery;
  const event = readEvent(body);
  const facts: [string, unknown][] = [
    ["delivery", headers["x-service-delivery"] ?? "without an id"],
    ["attempt", attempt],
    ["session", event?.sessionId],
    ["end user", event?.endUserId],
    ["X-Service-Signature", verdicts.service],
    ["webhook-signature", verdicts.standard],
    // Whoever sent it may not wait for an answer that is still to come.
    delaySeconds > 0 ? ["will be answered", `${answered} in ${delaySeconds} s`] : ["answered", answered],
  ];
  const lines = facts
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `  ${name.padEnd(20)} ${printable(String(value))}`);
  const text = printable(event ? JSON.stringify(event, null, 2) : body.toString("utf8"));
  const indented = text.split("\n").map((line) => `  ${line}`);
  return [`${printable(headers["x-service-event"] ?? "no event")}`, ...lines, "", ...indented, ""].join("\n");
}

function readEvent(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whoever sends this must not be able to drive the reader's terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd");
}
