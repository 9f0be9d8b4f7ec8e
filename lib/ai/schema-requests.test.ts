import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RawModelServer, refusal, said, startRawModelServer } from "@/e2e/support/raw-model-server";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";

/** How servers refuse an answer by a schema, as their documents, sources and reports of faults have it. */

let server: RawModelServer;

beforeAll(async () => {
  server = await startRawModelServer();
});
afterEach(() => {
  server.asked.length = 0;
});
afterAll(() => server.stop());

const newModel = () => createOpenAiModel({ baseUrl: server.baseUrl, idleTimeoutSeconds: 15, timeoutSeconds: 30 });
const SCHEMA = { type: "object", properties: { a: { type: "string" } } };

function ask(model = newModel(), outputSchema: object = SCHEMA) {
  const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }];
  return model.streamAnswer({ model: "m", messages, outputSchema: outputSchema as typeof SCHEMA }, () => {});
}

/** Whether each request so far asked for a schema. */
const formats = () => server.asked.map(({ response_format }) => response_format !== undefined);

function refuseFormats(status: number, error: object): void {
  server.answerWith(({ response_format }) =>
    response_format === undefined ? said('{"a":"b"}') : refusal(status, { error }),
  );
}

describe("an answer by a schema", () => {
  it.each([
    [
      "the model takes none: OpenAI, of older models",
      400,
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      [true, false, false],
    ],
    ["the model takes none: DeepSeek", 400, "This response_format type is unavailable now", [true, false, false]],
    [
      "the model takes none: Groq",
      400,
      "This model does not support response format `json_schema`.",
      [true, false, false],
    ],
    [
      "the model takes none: a server that checks its fields",
      422,
      "response_format.type: Input should be 'text' or 'json_object'",
      [true, false, false],
    ],
    [
      "this schema alone is not taken: OpenAI",
      400,
      "Invalid schema for response_format 'answer': In context=('properties', 'a'), 'minLength' is not permitted.",
      [true, false, true, false],
    ],
    [
      "this schema alone is not taken: llama.cpp",
      500,
      "failed to initialize samplers: failed to parse grammar",
      [true, false, true, false],
    ],
    [
      "this schema alone is not taken: vLLM",
      400,
      'Grammar error: Unimplemented keys: ["propertyNames"]',
      [true, false, true, false],
    ],
  ])("is asked for without one where %s", async (_why, status, message, asked) => {
    refuseFormats(status, { message });
    const model = newModel();
    expect(await ask(model)).toMatchObject({ text: '{"a":"b"}' });
    expect(await ask(model)).toMatchObject({ text: '{"a":"b"}' });
    expect(formats()).toEqual(asked);
  });

  it.each([
    [
      "Gemini",
      400,
      "Unknown name \"const\" at 'generation_config.response_schema.properties[0].value': Cannot find field.",
    ],
    [
      "Anthropic",
      400,
      "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    ],
    ["Groq", 400, "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details."],
    ["Ollama", 500, "invalid JSON schema in format"],
    ["Fireworks", 400, "JSON Schema not supported: could not understand the instance `{}`."],
    ["llama.cpp", 400, "JSON schema conversion failed:\nUnrecognized schema: {}"],
  ])(
    "is asked for without one this time alone where the schema is what %s does not take",
    async (_who, status, message) => {
      refuseFormats(status, { message });
      const model = newModel();
      for (const _ of [1, 2]) expect(await ask(model)).toMatchObject({ text: '{"a":"b"}' });
      expect(formats()).toEqual([true, false, true, false]);
    },
  );

  it("is not asked for anew where something else is wrong", async () => {
    server.answerWith(() => refusal(400, { error: { message: "The image is damaged." } }));
    await expect(ask()).rejects.toMatchObject({ code: "MODEL_REJECTED" });
    expect(formats()).toEqual([true]);
  });

  it("is held to it word by word where providers can do that", async () => {
    server.answerWith(() => said("{}"));
    await ask(newModel(), SCHEMA);
    await ask(newModel(), { ...SCHEMA, required: ["a"], additionalProperties: false });
    const strict = server.asked.map(({ response_format }) => (response_format as { json_schema: object }).json_schema);
    expect(strict).toMatchObject([{ strict: false }, { strict: true }]);
  });
});
