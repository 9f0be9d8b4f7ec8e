import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type ReceivedDelivery, readDelivery } from "@/scripts/support/callback-receiver";
import { describeDelivery } from "@/scripts/support/describe-delivery";
import type { LocalCertificate } from "@/scripts/support/local-certificate";
import { verifyDelivery } from "@/scripts/support/verify-delivery";

export interface WebhookListenerOptions {
  certificate: LocalCertificate;
  /** 0 for any free one. */
  port: number;
  /** Any of them may have signed; empty: nothing is checked. */
  secrets: readonly string[];
  /** What a delivery is answered with; absent: 204 when the signatures are right or unchecked, else 401. */
  status?: number;
  /** How long each answer takes. */
  delaySeconds?: number;
  /** Takes the text of each delivery. */
  show(text: string): void;
}

export interface WebhookListener {
  /** The address to register. */
  url: string;
  close(): Promise<void>;
}

const NO_CONTENT = 204;
const UNAUTHORIZED = 401;

/**
 * Starts an HTTPS receiver that checks and shows what it gets.
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startWebhookListener(options: WebhookListenerOptions): Promise<WebhookListener> {
  const attempts = new Map<string, number>();
  const { certPem: cert, keyPem: key } = options.certificate;
  const server = createServer({ cert, key }, (request, response) => {
    readDelivery(request).then(
      (delivery) => receive(delivery, response, attempts, options),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port, "127.0.0.1", resolve);
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/webhooks`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The service does not say which try it is: this receiver counts them per delivery. */
async function receive(
  delivery: ReceivedDelivery,
  response: ServerResponse,
  attempts: Map<string, number>,
  { secrets, status, delaySeconds = 0, show }: WebhookListenerOptions,
): Promise<void> {
  const id = delivery.headers["x-service-delivery"] ?? "";
  const attempt = (attempts.get(id) ?? 0) + 1;
  attempts.set(id, attempt);
  const verdicts = verifyDelivery(delivery, secrets);
  const isTrusted = Object.values(verdicts).every((verdict) => verdict === "right" || verdict === "unchecked");
  const answered = status ?? (isTrusted ? NO_CONTENT : UNAUTHORIZED);
  show(describeDelivery({ delivery, attempt, verdicts, answered, delaySeconds }));
  await delay(delaySeconds * 1_000);
  response.writeHead(answered).end();
}
