import { createHmac } from "node:crypto";
import { expect } from "playwright/test";
import { Webhook } from "standardwebhooks";
import type { ApiClient } from "@/e2e/support/api-client";
import {
  type HttpsReceiver,
  type ReceivedRequest,
  type ReceiverOptions,
  startHttpsReceiver,
} from "@/e2e/support/https-receiver";
import { suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { webhookPayload } from "@/lib/contracts/webhook-events";

/** A registration as its creation answers. */
export interface CreatedRegistration {
  id: string;
  partnerId: string;
  url: string;
  events: string[];
  active: boolean;
  status: string;
  secret: string;
}

/** A receiver that the running service trusts. */
export const startReceiver = (behaviour?: ReceiverOptions["behaviour"]): Promise<HttpsReceiver> =>
  startHttpsReceiver({ certificates: suite.certificates, ...(behaviour && { behaviour }) });

/** Registers a receiver as a client does. */
export async function register(
  { account, api }: { account: Pick<TestAccount, "accountId">; api: ApiClient },
  url: string,
  events: string[],
  more: Record<string, unknown> = {},
): Promise<CreatedRegistration> {
  const path = `//b2b/partners/${account.accountId}/webhooks`;
  const { status, body } = await api.post<CreatedRegistration>(path, { url, events, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/**
 * The body of a delivery, after all that a receiver checks: method, headers, the raw HMAC and the signature of Standard
 * Webhooks (§6.3, contract §8), and that the body is exactly of its kind's shape.
 */
export function verifiedEvent(request: ReceivedRequest | undefined, secret: string): Record<string, unknown> {
  if (!request) throw new Error("Nothing arrived.");
  const { method, headers, body } = request;
  expect(method).toBe("POST");
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["user-agent"]).toBe("Service-Webhooks/1.0");
  expect(headers["x-service-delivery"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(headers["webhook-id"]).toBe(headers["x-service-delivery"]);
  expect(headers["x-service-signature"]).toBe(createHmac("sha256", secret).update(body).digest("hex"));
  new Webhook(secret).verify(body, headers as Record<string, string>);
  const event = JSON.parse(body.toString("utf8")) as Record<string, unknown>;
  expect(headers["x-service-event"]).toBe(event.type);
  expect(webhookPayload.parse(event)).toEqual(event);
  return event;
}
