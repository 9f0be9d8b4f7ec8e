import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  asStream,
  chunkOf,
  type RawAnswer,
  type RawModelServer,
  startRawModelServer,
} from "@/e2e/support/raw-model-server";
import { MAX_ANSWER_CHARACTERS } from "@/lib/ai/endless-answer";
import type { ModelPort } from "@/lib/ai/model-message";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";

let server: RawModelServer;
let model: ModelPort;

beforeAll(async () => {
  server = await startRawModelServer();
  model = createOpenAiModel({ baseUrl: server.baseUrl, idleTimeoutSeconds: 30, timeoutSeconds: 60 });
});
afterAll(() => server.stop());

const JSON_TYPE = { "Content-Type": "application/json" };
const PIECE = "word ".repeat(200_000);
const TOO_MANY = Math.ceil(MAX_ANSWER_CHARACTERS / PIECE.length) + 1;
const ENDLESS = PIECE.repeat(TOO_MANY);
const refused = { code: "MODEL_UNAVAILABLE", isRetryable: false, message: expect.stringContaining("come to an end") };

const answer = (body: RawAnswer, onDelta: (text: string) => void = () => {}) => {
  server.answerWith(() => body);
  const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "Go on" }] }];
  return model.streamAnswer({ model: "m", messages }, onDelta);
};

describe("what a model's server sends without end", () => {
  it("is taken no further than the most that an answer may have", async () => {
    let taken = 0;
    const pieces = Array.from({ length: TOO_MANY }, () => chunkOf({ content: PIECE }));
    const call = answer(asStream([...pieces, chunkOf({}, "stop")]), (text) => {
      taken += text.length;
    });
    await expect(call).rejects.toMatchObject(refused);
    expect(taken).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
  });

  it("is not gathered as one event", async () => {
    await expect(answer(asStream([chunkOf({ content: ENDLESS }), chunkOf({}, "stop")]))).rejects.toMatchObject(refused);
  });

  it("is not gathered as the lines of one event", async () => {
    const lines = `data: ${PIECE}\n`.repeat(TOO_MANY);
    await expect(answer({ body: lines })).rejects.toMatchObject(refused);
  });

  it("is not gathered as an answer in one piece", async () => {
    const whole = { choices: [{ index: 0, message: { content: ENDLESS }, finish_reason: "stop" }] };
    await expect(answer({ headers: JSON_TYPE, body: JSON.stringify(whole) })).rejects.toMatchObject(refused);
  });

  it("is no transcript", async () => {
    server.answerWith(() => ({ headers: JSON_TYPE, body: JSON.stringify({ text: ENDLESS }) }));
    const call = model.transcribe({ model: "whisper-1", bytes: Buffer.from("sound"), format: "mp3" });
    await expect(call).rejects.toMatchObject(refused);
  });

  it("leaves long answers alone", async () => {
    expect((await answer(asStream([chunkOf({ content: PIECE }), chunkOf({}, "stop")]))).text).toBe(PIECE);
  });
});
