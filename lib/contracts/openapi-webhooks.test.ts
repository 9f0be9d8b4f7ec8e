import { Ajv2020 } from "ajv/dist/2020";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "@/lib/contracts/json-schema";
import { makeWebhooks } from "@/lib/contracts/openapi-webhooks";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { WEBHOOK_EVENTS } from "@/lib/domain/webhook-events";
import { newWebhookSecret, signatureHeaders } from "@/lib/domain/webhook-signature";

interface Webhook {
  post: {
    operationId: string;
    parameters: { name: string; required: boolean }[];
    requestBody: { content: { "application/json": { schema: { $ref: string }; example: object } } };
    responses: object;
  };
}

const schemas: Record<string, JsonSchema> = {};
const webhooks = makeWebhooks(schemas) as Record<string, Webhook>;

function bodyOf(kind: string): { fits: (body: object) => boolean; example: object } {
  const { schema, example } = webhooks[kind]?.post.requestBody.content["application/json"] ?? {};
  const body = schemas[schema?.$ref.split("/").at(-1) ?? ""];
  if (!body || !example) throw new Error(`${kind} is not in the document.`);
  const validate = new Ajv2020({ strict: false, formats: { "date-time": true, uri: true, int64: true } }).compile(body);
  return { fits: (value) => validate(value) === true, example };
}

describe("the webhooks of the OpenAPI document", () => {
  it("are those that a receiver can be registered for, each with an id of its own", () => {
    expect(Object.keys(webhooks)).toEqual([...WEBHOOK_EVENTS]);
    expect(new Set(Object.values(webhooks).map(({ post }) => post.operationId)).size).toBe(WEBHOOK_EVENTS.length);
  });

  it.each(WEBHOOK_EVENTS)("describe the body of %s so that what is sent fits, and no other event", (kind) => {
    const { fits, example } = bodyOf(kind);
    expect(fits(example)).toBe(true);
    expect(fits({ ...SAMPLE_EVENTS[kind], test: true })).toBe(true);
    for (const other of WEBHOOK_EVENTS) expect(fits(SAMPLE_EVENTS[other])).toBe(other === kind);
  });

  it.each(WEBHOOK_EVENTS)("let the body of %s grow: receivers shall not refuse a field that comes later", (kind) => {
    const { fits, example } = bodyOf(kind);
    expect(fits({ ...example, later: 1 })).toBe(true);
  });

  it("say of times that they are times, and repeat it in no pattern", () => {
    expect(schemas.CompletionEvent).toMatchObject({ properties: { timestamp: { format: "date-time" } } });
    expect(JSON.stringify(schemas)).not.toContain('"pattern"');
  });

  it("name every header that signs a delivery", () => {
    const delivery = { deliveryUuid: "0b7e1f6a-52c3-4c1d-9a0e-7f3d5b8c2a41", body: Buffer.from("{}") };
    const signed = signatureHeaders({ ...delivery, secrets: [newWebhookSecret()], sentAt: new Date() });
    for (const { post } of Object.values(webhooks)) {
      const required = post.parameters.filter((header) => header.required).map(({ name }) => name);
      expect(required).toEqual(
        expect.arrayContaining([...Object.keys(signed), "X-Service-Event", "X-Service-Delivery"]),
      );
    }
  });
});
