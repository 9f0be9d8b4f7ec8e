import { describe, expect, it } from "vitest";
import { SAMPLE_EVENTS, webhookEventList, webhookPayload } from "@/lib/contracts/webhook-events";
import { WEBHOOK_EVENTS } from "@/lib/domain/webhook-events";

describe("webhook payloads", () => {
  it("has a sample of every kind that fits the contract", () => {
    expect(Object.keys(SAMPLE_EVENTS).sort()).toEqual([...WEBHOOK_EVENTS].sort());
    for (const kind of WEBHOOK_EVENTS) {
      expect(webhookPayload.parse(SAMPLE_EVENTS[kind])).toEqual(SAMPLE_EVENTS[kind]);
      expect(SAMPLE_EVENTS[kind].type).toBe(kind);
      expect(webhookPayload.safeParse({ ...SAMPLE_EVENTS[kind], test: true }).success).toBe(true);
    }
  });

  it("carries the fields of every kind, with null for what is absent", () => {
    for (const sample of Object.values(SAMPLE_EVENTS)) {
      for (const field of ["type", "sessionId", "endUserId", "templateId", "status", "timestamp"]) {
        expect(sample).toHaveProperty(field);
        const { [field as "type"]: _left, ...rest } = sample;
        expect(webhookPayload.safeParse(rest).success, `${sample.type} without ${field}`).toBe(false);
      }
      expect(webhookPayload.safeParse({ ...sample, surprise: 1 }).success).toBe(false);
    }
  });

  it("takes lists of known kinds alone", () => {
    expect(webhookEventList.safeParse(["completion", "error"]).success).toBe(true);
    for (const list of [[], ["nope"], ["completion", "Completion"], "completion", null]) {
      expect(webhookEventList.safeParse(list).success).toBe(false);
    }
  });
});
