import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newWebhookSecret, signatureHeaders, signWebhook } from "@/lib/domain/webhook-signature";

const body = Buffer.from(JSON.stringify({ type: "completion", output: 'Grüße 🙂\u2028\\ " end' }));
const deliveryUuid = "0b0c2c5e-6f0e-4f7c-9d68-0a4f4a1f8d11";

describe("webhook signatures", () => {
  it("makes secrets of whsec_ and 32 random bytes in base64", () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(50);
  });

  it("signs the raw bytes with the secret's text as shown, in 64 lower-case hex digits", () => {
    const secret = newWebhookSecret();
    expect(signWebhook(body, secret)).toMatch(/^[0-9a-f]{64}$/);
    expect(signWebhook(body, secret)).toBe(
      createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest("hex"),
    );
    // RFC 4231, test case 2.
    expect(signWebhook(Buffer.from("what do ya want for nothing?"), "Jefe")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it("is verified by the standardwebhooks package", () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders({ deliveryUuid, body, secrets: [secret], sentAt: new Date() });
    expect(headers["webhook-id"]).toBe(deliveryUuid);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body.toString()));
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "other" })).toThrow();
  });

  it("is refused as a replay when it is old", () => {
    const secret = newWebhookSecret();
    const sentAt = new Date(Date.now() - 3_600_000);
    const headers = signatureHeaders({ deliveryUuid, body, secrets: [secret], sentAt });
    expect(headers["webhook-timestamp"]).toBe(String(Math.floor(sentAt.getTime() / 1_000)));
    expect(() => new Webhook(secret).verify(body, headers)).toThrow(/too old/);
  });

  it("is signed by both secrets during a rotation, the newer one first", () => {
    const [newer, older] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signatureHeaders({ deliveryUuid, body, secrets: [newer, older], sentAt: new Date() });
    expect(headers["X-Service-Signature"]).toBe(signWebhook(body, newer));
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const secret of [newer, older]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    const [first] = (headers["webhook-signature"] ?? "").split(" ");
    expect(new Webhook(newer).verify(body, { ...headers, "webhook-signature": first ?? "" })).toBeTruthy();
  });
});
