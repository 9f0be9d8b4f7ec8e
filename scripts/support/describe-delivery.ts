import type { ReceivedDelivery } from "@/scripts/support/callback-receiver";
import type { DeliveryVerdicts } from "@/scripts/support/verify-delivery";

export interface ShownDelivery {
  delivery: ReceivedDelivery;
  /** 1 for the first time that this delivery came. */
  attempt: number;
  verdicts: DeliveryVerdicts;
  /** The status that it is answered with. */
  answered: number;
}

/** A delivery for the terminal: what it is about, whether it is ours, and its body. */
export function describeDelivery({ delivery: { headers, body }, attempt, verdicts, answered }: ShownDelivery): string {
  const event = readEvent(body);
  const facts: [string, unknown][] = [
    ["delivery", headers["x-service-delivery"] ?? "without an id"],
    ["attempt", attempt],
    ["session", event?.sessionId],
    ["end user", event?.endUserId],
    ["X-Service-Signature", verdicts.service],
    ["webhook-signature", verdicts.standard],
    ["answered", answered],
  ];
  const lines = facts
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `  ${name.padEnd(20)} ${printable(String(value))}`);
  const text = printable(event ? JSON.stringify(event, null, 2) : body.toString("utf8"));
  const shown = text.split("\n").map((line) => `  ${line}`);
  return [`${printable(headers["x-service-event"] ?? "no event")}`, ...lines, "", ...shown, ""].join("\n");
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
