import { describe, expect, it } from "vitest";
import { deliverWebhookFunction } from "@/inngest/functions/deliver-webhook";
import { LANES_PER_ACCOUNT, readyEvent } from "@/lib/services/deliveries/ready-event";

const receiverOf = (accountId: string, place: number | null, url = "https://receiver.example/in") =>
  (readyEvent({ id: "dlv_1", round: 1, accountId, place, url, isLate: false }).data as { receiver: string }).receiver;

describe("the receiver of a delivery in the queue", () => {
  it("is one for all callbacks of an account to a host, whatever else stands in the address", () => {
    const callback = (url: string) => receiverOf("acc_a", null, url);
    expect(callback("https://hooks.example/one?x=1")).toBe(callback("https://hooks.example/two"));
    expect(new Set(["a", "b", "c", "d"].map((name) => callback(`https://${name}.example/`))).size).toBeGreaterThan(1);
  });

  it("is never shared by accounts, also where they call the same host", () => {
    expect(receiverOf("acc_a", null)).not.toBe(receiverOf("acc_b", null));
    expect(receiverOf("acc_a", 3)).not.toBe(receiverOf("acc_b", 3));
    expect(receiverOf("acc_a", 3)).not.toBe(receiverOf("acc_a", null));
  });

  it("is one of a few, however many hosts an account names: all of them leave half of the places to others", () => {
    const hosts = Array.from({ length: 2_000 }, (_, index) => receiverOf("acc_a", null, `https://h${index}.example/`));
    const webhooks = Array.from({ length: 32 }, (_, place) => receiverOf("acc_a", place));
    const lanes = new Set([...hosts, ...webhooks]).size;
    expect(lanes).toBe(LANES_PER_ACCOUNT);
    const [all, one] = deliverWebhookFunction.opts.concurrency as { limit: number }[];
    expect(lanes * (one?.limit ?? 0)).toBeLessThanOrEqual((all?.limit ?? 0) / 2);
  });
});
