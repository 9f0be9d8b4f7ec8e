import { describe, expect, it } from "vitest";
import { SAMPLE_EVENTS, webhookPayload } from "@/lib/contracts/webhook-events";
import { createWebhookBody, updateWebhookBody } from "@/lib/contracts/webhooks";
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
});

describe("the events of a registration", () => {
  const url = "https://client.example/hook";
  const read = (events: unknown) => createWebhookBody.safeParse({ url, events });

  it("are known kinds, each once", () => {
    expect(read(["completion", "error", "completion"]).data?.events).toEqual(["completion", "error"]);
    expect(read([...WEBHOOK_EVENTS]).data?.events).toEqual([...WEBHOOK_EVENTS]);
  });

  it.each([[[]], [["nope"]], [["completion", "Completion"]], ["completion"], [null], [undefined]])(
    "are never %j, neither at first nor in a change",
    (events) => {
      expect(read(events).error?.issues[0]?.path[0]).toBe("events");
      if (events !== undefined) expect(updateWebhookBody.safeParse({ events }).success).toBe(false);
    },
  );

  it("are at most a hundred names", () => {
    expect(read(Array(100).fill("error")).success).toBe(true);
    expect(read(Array(101).fill("error")).success).toBe(false);
  });
});

describe("a change of a registration", () => {
  it("names at least one field: a call that changes nothing is a mistake of its caller", () => {
    expect(updateWebhookBody.safeParse({}).error?.issues[0]?.message).toBe("must name at least one field to change");
    expect(updateWebhookBody.safeParse({ active: false }).data).toEqual({ active: false });
  });
});
