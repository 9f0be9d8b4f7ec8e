import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { expectError } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { type StartedProcess, startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { newCaller } from "@/e2e/support/suite";

const SCHEMA = {
  type: "object",
  properties: { total: { type: "number" }, currency: { type: "string" } },
  required: ["total", "currency"],
  additionalProperties: false,
};
const TEXT = JSON.stringify(SCHEMA);
const RIGHT = '{"total":12.50,"currency":"EUR"}';
const answering = (text: string) => `What does it cost? ${randomUUID()} [[answer:${text}]]`;

test.describe("outputSchema", () => {
  test("makes a chat's answer JSON, as the client's program reads it, and is of that call alone", async () => {
    const { api } = await newCaller();
    const message = answering(RIGHT);
    const { status, body } = await api.post<{ sessionId: string }>("/chat", { message, outputSchema: SCHEMA });
    expect(status, JSON.stringify(body)).toBe(202);
    expect(await api.waitUntilDone(`/chat/${body.sessionId}`)).toMatchObject({ lastOutput: RIGHT, outputType: "text" });
    await api.post("/chat", { message: "And in words?", sessionId: body.sessionId });
    const session = await api.waitUntilDone(`/chat/${body.sessionId}`);
    expect(session).toMatchObject({ status: "completed", lastOutput: "Echo: And in words?" });
  });

  test("goes with a file as a string of JSON, and its answer downloads as it is", async () => {
    const { api } = await newCaller();
    const prompt = answering(RIGHT);
    const { sessionId } = await startProcessing(api, textFile("Tea 12.50 EUR"), { prompt, outputSchema: TEXT });
    const record = await api.waitUntilDone(`/process/${sessionId}`);
    expect(record).toMatchObject({ status: "completed", output: RIGHT, outputType: "text" });
    const [asked] = await modelRequestsWith(prompt.slice(0, 50));
    expect(asked?.body.response_format).toMatchObject({ json_schema: { schema: SCHEMA, strict: true } });
    const download = await api.fetch(`/process/${sessionId}/download`);
    expect(await download.text()).toBe(RIGHT);
  });

  test("holds for each file of a batch, and for both forms of /b2b/send", async () => {
    const { api } = await newCaller();
    const prompt = answering(RIGHT);
    const file = [textFile("Tea", "a.txt"), textFile("Cake", "b.txt")];
    const batch = await api.upload<StartedProcess[]>("/process/batch", { file, prompt, outputSchema: TEXT });
    expect(batch.status, JSON.stringify(batch.body)).toBe(202);
    const sent = [
      await api.post<{ sessionId: string }>("/b2b/send", { prompt, outputSchema: SCHEMA }),
      await api.upload<{ sessionId: string }>("/b2b/send", { prompt, outputSchema: TEXT, file: textFile("Tea") }),
    ];
    for (const { sessionId } of [...batch.body, ...sent.map(({ body }) => body)]) {
      expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ status: "completed", lastOutput: RIGHT });
    }
  });

  test("ends the turn as failed, free of charge, when no answer fits", async () => {
    const { api } = await newCaller();
    const { body } = await api.post<{ sessionId: string }>("/chat", {
      message: answering('{"total":"much"}'),
      outputSchema: SCHEMA,
    });
    expect(await api.waitUntilDone(`/chat/${body.sessionId}`)).toMatchObject({
      status: "failed",
      lastOutput: null,
      creditsUsed: 0,
      error: { code: "OUTPUT_SCHEMA_NOT_MET", message: expect.stringContaining("in 3 tries") },
    });
  });

  test("counts in a quote", async () => {
    const { api } = await newCaller();
    const quote = async (more: object) => {
      const { status, body } = await api.post<{ tokensInEstimate: number }>("/chat?dryRun=true", {
        message: "x",
        ...more,
      });
      expect(status).toBe(200);
      return body.tokensInEstimate;
    };
    expect(await quote({ outputSchema: SCHEMA })).toBeGreaterThan((await quote({})) + 50);
  });

  test("is part of what an idempotency key stands for", async () => {
    const { api } = await newCaller();
    const headers = { "Idempotency-Key": randomUUID() };
    const message = answering(RIGHT);
    const first = await api.post<{ sessionId: string }>("/chat", { message, outputSchema: SCHEMA }, headers);
    const again = await api.post<{ sessionId: string }>("/chat", { message, outputSchema: SCHEMA }, headers);
    expect(again.body.sessionId).toBe(first.body.sessionId);
    const other = { message, outputSchema: { ...SCHEMA, required: [] } };
    expectError(await api.post("/chat", other, headers), "IDEMPOTENCY_KEY_REUSED");
  });

  for (const [what, outputSchema, param, words] of [
    ["what is no schema", "an invoice", "outputSchema", "must be an object: a JSON Schema"],
    ["null", null, "outputSchema", "must be an object: a JSON Schema"],
    ["a list as the answer", { type: "array" }, "outputSchema.type", 'must be "object"'],
    [
      "a keyword that is not taken",
      { type: "object", properties: { a: { not: {} } } },
      "outputSchema.properties.a.not",
      "is not a keyword that is taken",
    ],
    [
      "a reference that leads back",
      { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { items: { $ref: "#/$defs/A" } } } },
      "outputSchema.properties.a.$ref.items.$ref",
      "must not lead back to itself",
    ],
  ] as const) {
    test(`is refused, naming the place: ${what}`, async () => {
      const { api } = await newCaller();
      const refused = await api.post("/chat", { message: "x", outputSchema });
      expectError(refused, "VALIDATION_FAILED", { param, message: words });
      const form = await api.upload("/process", {
        file: textFile(),
        prompt: "x",
        outputSchema: JSON.stringify(outputSchema),
      });
      expectError(form, "VALIDATION_FAILED", { param, message: words });
    });
  }

  test("is refused in a form where it is no JSON", async () => {
    const { api } = await newCaller();
    const refused = await api.upload("/process", { file: textFile(), prompt: "x", outputSchema: "{type: object}" });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("outputSchema");
  });
});
