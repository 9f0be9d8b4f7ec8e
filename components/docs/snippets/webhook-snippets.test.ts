import { describe, expect, it } from "vitest";
import type { Snippet } from "@/components/docs/snippets/snippet";
import { VERIFY_FRESHNESS } from "@/components/docs/snippets/webhook-freshness";
import { SIGNATURE_VECTOR, VERIFY_SIGNATURE } from "@/components/docs/snippets/webhook-signature";
import { startReceiverSnippet } from "@/e2e/support/receiver-snippet";
import { isInstalled, runVerification } from "@/e2e/support/run-verification";
import type { VerificationCase } from "@/e2e/support/verification-program";
import { newWebhookSecret, signatureHeaders } from "@/lib/domain/webhook-signature";

const RUN_TIMEOUT_MS = 60_000;
const STALE_MS = 10 * 60 * 1_000;
const [NEW, OLD, FOREIGN] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
// With what a re-encoding would change: a character of two bytes, a space, a number with a trailing zero.
const BODY = Buffer.from('{"output":"Ça marche." , "n":1.0}');

/** As the service sends it while the secret is being rotated. */
function delivery(sentAt = new Date()): VerificationCase {
  const deliveryUuid = "0b7e1f6a-52c3-4c1d-9a0e-7f3d5b8c2a41";
  const headers = signatureHeaders({ deliveryUuid, body: BODY, secrets: [NEW, OLD], sentAt });
  return { body: BODY, headers: lowerCase(headers), secrets: [NEW] };
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

type Case = [what: string, is: boolean, change: (right: VerificationCase) => VerificationCase];

const BOTH: Case[] = [
  ["takes what the service sends", true, (right) => right],
  ["refuses a changed body", false, (right) => ({ ...right, body: Buffer.from(`${BODY} `) })],
  ["refuses another secret", false, (right) => ({ ...right, secrets: [FOREIGN] })],
  ["refuses a delivery without signatures", false, (right) => ({ ...right, headers: {} })],
];
const SEVERAL: Case = ["takes any of several secrets", true, (right) => ({ ...right, secrets: [FOREIGN, NEW] })];
const FRESH: Case[] = [
  ...BOTH,
  ["takes the old secret during a rotation", true, (right) => ({ ...right, secrets: [OLD] })],
  [
    "refuses another delivery's id",
    false,
    (right) => ({ ...right, headers: { ...right.headers, "webhook-id": "another" } }),
  ],
];
const REPLAYS: Case[] = [
  ["refuses a replay", false, () => delivery(new Date(Date.now() - STALE_MS))],
  [
    "refuses a time of more digits than numbers have, as anybody may send it",
    false,
    (right) => ({ ...right, headers: { ...right.headers, "webhook-timestamp": "9".repeat(5_000) } }),
  ],
  ["refuses a time in the future", false, () => delivery(new Date(Date.now() + STALE_MS))],
];

/** One command looks at one delivery: it knows neither several secrets nor what time it is. */
const isByHand = ({ language }: Snippet) => language === "Shell";

for (const snippet of VERIFY_SIGNATURE.snippets.filter(({ language }) => isInstalled(language))) {
  describe(`X-Service-Signature in ${snippet.language}`, () => {
    const cases = isByHand(snippet) ? BOTH : [...BOTH, SEVERAL];
    it.each(cases)("%s", { timeout: RUN_TIMEOUT_MS }, async (_what, is, change) => {
      expect(await runVerification(snippet, "isSigned", change(delivery()))).toBe(is);
    });
  });
}

for (const snippet of VERIFY_FRESHNESS.snippets.filter(({ language }) => isInstalled(language))) {
  describe(`Standard Webhooks in ${snippet.language}`, () => {
    const cases = isByHand(snippet) ? FRESH : [...FRESH, SEVERAL, ...REPLAYS];
    it.each(cases)("%s", { timeout: RUN_TIMEOUT_MS }, async (_what, is, change) => {
      expect(await runVerification(snippet, "isFresh", change(delivery()))).toBe(is);
    });
  });
}

describe("the receiver in TypeScript", () => {
  it("goes on when a delivery breaks off in the middle", { timeout: RUN_TIMEOUT_MS }, async () => {
    const receiver = await startReceiverSnippet([NEW]);
    try {
      await receiver.breakOff();
      const { body, headers } = delivery();
      expect(await receiver.post(body, headers)).toBe(204);
    } finally {
      await receiver.stop();
    }
  });

  it("refuses what is not ours, and works once on what comes twice", { timeout: RUN_TIMEOUT_MS }, async () => {
    const receiver = await startReceiverSnippet([NEW, OLD]);
    try {
      const { body, headers } = delivery();
      const event = { ...headers, "x-service-delivery": headers["webhook-id"] ?? "" };
      expect(await receiver.post(BODY, { ...event, "webhook-signature": "v1,AAAA" })).toBe(401);
      expect(await receiver.post(body, event)).toBe(204);
      expect(await receiver.post(body, event)).toBe(204);
      expect(await receiver.post(body, { ...event, "x-service-delivery": "the-last" })).toBe(204);
      expect(await receiver.linesUntil(2)).toHaveLength(2);
    } finally {
      await receiver.stop();
    }
  });
});

describe("the vector in the text", () => {
  it("is what the service would send", () => {
    const { secret, body, headers } = SIGNATURE_VECTOR;
    const sent = signatureHeaders({
      deliveryUuid: headers["webhook-id"],
      body: Buffer.from(body),
      secrets: [secret],
      sentAt: new Date(Number(headers["webhook-timestamp"]) * 1_000),
    });
    expect(sent).toEqual(headers);
  });
});
