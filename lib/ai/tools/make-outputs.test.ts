import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { madeImage, madeSpeech, madeVideo } from "@/e2e/support/model-server-outputs";
import type { ImageOrder, ModelPort, SpeechOrder, VideoOrder } from "@/lib/ai/model-message";
import { createOpenAiModel } from "@/lib/ai/openai-adapter";

let server: ModelServer;
/** With limits that a busy machine keeps. */
let model: ModelPort;
/** With limits that a test can wait for. */
let impatient: ModelPort;

beforeAll(async () => {
  server = await startModelServer();
  const settings = { apiKey: "k", baseUrl: server.baseUrl };
  model = createOpenAiModel({ ...settings, idleTimeoutSeconds: 15, timeoutSeconds: 30 });
  impatient = createOpenAiModel({ ...settings, idleTimeoutSeconds: 0.4, timeoutSeconds: 1 });
});
afterAll(() => server.stop());
beforeEach(() => {
  server.setBehaviour({});
  server.journal.length = 0;
});

const image: ImageOrder = { model: "gpt-image-2.5-flare", prompt: "a hut", shape: "landscape" };
const speech: SpeechOrder = { model: "gpt-4o-mini-tts", text: "Good day", voice: "alloy", manner: "slowly" };
const video: VideoOrder = { model: "sora-2", prompt: "a wave", seconds: 8, shape: "portrait" };

const sent = () => server.journal[0]?.body;

describe("createImage", () => {
  it("orders a set quality of the provider's own models, and gives the picture", async () => {
    expect((await buffer(await model.createImage(image, { idempotencyKey: "turn" }))).equals(madeImage())).toBe(true);
    expect(sent()).toMatchObject({ model: image.model, prompt: "a hut", size: "1536x1024", n: 1, quality: "medium" });
    expect(sent()).not.toHaveProperty("response_format");
    expect(server.journal[0]?.headers["idempotency-key"]).toBe("turn");
  });

  it("asks other models for the picture itself", async () => {
    await buffer(await model.createImage({ ...image, model: "flux" }, {}));
    expect(sent()).toMatchObject({ response_format: "b64_json" });
    expect(sent()).not.toHaveProperty("quality");
  });

  it("fetches a picture that comes by an address on the same server", async () => {
    server.setBehaviour({ pictureAddress: "own" });
    expect((await buffer(await model.createImage(image, {}))).equals(madeImage())).toBe(true);
    expect(server.journal.map(({ path }) => path)).toEqual(["/v1/images/generations", "/pictures/1.png"]);
  });

  it.each([
    "http://169.254.169.254/latest",
    "https://elsewhere.example/x.png",
    "file:///etc/passwd",
    "http://u:p@127.0.0.1/",
    "",
  ])("asks nobody at the address %j", async (pictureAddress) => {
    server.setBehaviour({ pictureAddress });
    await expect(model.createImage(image, {})).rejects.toMatchObject({ code: "UNSUPPORTED_OUTPUT" });
    expect(server.journal).toHaveLength(1);
  });

  it("reads a picture that is written into its address", async () => {
    server.setBehaviour({ pictureAddress: `data:image/png;base64,${madeImage().toString("base64")}` });
    expect((await buffer(await model.createImage(image, {}))).equals(madeImage())).toBe(true);
  });
});

describe("createSpeech", () => {
  it("streams the recording", async () => {
    expect((await buffer(await model.createSpeech(speech, {}))).equals(madeSpeech("Good day"))).toBe(true);
    expect(sent()).toMatchObject({ input: "Good day", voice: "alloy", instructions: "slowly", response_format: "mp3" });
  });

  it("gives no instructions to models that refuse them", async () => {
    await buffer(await model.createSpeech({ ...speech, model: "tts-1" }, {}));
    expect(sent()).not.toHaveProperty("instructions");
  });

  it.each([
    ["break", "MODEL_UNAVAILABLE"],
    ["stall", "MODEL_TIMEOUT"],
  ] as const)("says of a recording with a %s in it: %s", async (kind, code) => {
    server.setBehaviour({ fault: { kind } });
    const port = kind === "stall" ? impatient : model;
    await expect(port.createSpeech(speech, {}).then(buffer)).rejects.toMatchObject({ code, isRetryable: true });
  });

  it("lets go of the connection when its reader stops early", async () => {
    server.setBehaviour({ fault: { kind: "stall" } });
    for await (const _ of await model.createSpeech(speech, {})) break;
    await expect.poll(() => server.journal[0]?.outcome).toBe("closed");
  });

  it("lets go of the connection when nobody begins to read", async () => {
    server.setBehaviour({ fault: { kind: "stall" } });
    await impatient.createSpeech(speech, {});
    await expect.poll(() => server.journal[0]?.outcome, { timeout: 5_000 }).toBe("closed");
  });

  it("stops with the signal's own reason while bytes come", async () => {
    server.setBehaviour({ fault: { kind: "stall" } });
    const controller = new AbortController();
    const reason = new Error("canceled");
    const reading = buffer(await model.createSpeech(speech, { signal: controller.signal }));
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await expect.poll(() => server.journal[0]?.outcome).toBe("closed");
  });
});

describe("videos", () => {
  it("are begun, asked after and fetched", async () => {
    const jobId = await model.startVideo(video, { idempotencyKey: "turn" });
    expect(sent()).toMatchObject({ model: "sora-2", prompt: "a wave", seconds: "8", size: "720x1280" });
    expect(await model.readVideo(jobId, {})).toEqual({ status: "working" });
    expect(await model.readVideo(jobId, {})).toEqual({ status: "completed" });
    expect((await buffer(await model.openVideo(jobId, {}))).equals(madeVideo("a wave"))).toBe(true);
    expect(await model.startVideo(video, { idempotencyKey: "turn" })).toBe(jobId);
  });

  it("that failed are said so in our own words", async () => {
    server.setBehaviour({ videoQuestions: 0, isVideoFailing: true });
    const jobId = await model.startVideo(video, {});
    await expect(model.readVideo(jobId, {})).rejects.toMatchObject({
      code: "MODEL_REJECTED",
      message: expect.not.stringMatching(/SECRET/),
    });
  });
});

describe("a refusal", () => {
  const CALLS = {
    image: (port: ModelPort) => port.createImage(image, {}),
    speech: (port: ModelPort) => port.createSpeech(speech, {}),
    video: (port: ModelPort) => port.startVideo(video, {}),
    question: (port: ModelPort) => port.readVideo("video_1", {}),
  };
  const FAULTS: [status: number, code: string, isRetryable: boolean][] = [
    [400, "MODEL_REJECTED", false],
    [401, "MODEL_NOT_CONFIGURED", false],
    [404, "UNSUPPORTED_OUTPUT", false],
    [405, "UNSUPPORTED_OUTPUT", false],
    [410, "UNSUPPORTED_OUTPUT", false],
    [429, "MODEL_RATE_LIMITED", true],
    [500, "MODEL_UNAVAILABLE", true],
    [501, "UNSUPPORTED_OUTPUT", false],
    [503, "MODEL_UNAVAILABLE", true],
  ];
  const cases = FAULTS.flatMap((fault) =>
    (Object.keys(CALLS) as (keyof typeof CALLS)[]).map((call) => [...fault, call] as const),
  );

  it.each(cases)(
    "with %i ends as %s (again: %s) for %s, after one request",
    async (status, code, isRetryable, call) => {
      server.setBehaviour({ fault: { kind: "status", status } });
      const error = await CALLS[call](model).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code, isRetryable, message: expect.not.stringMatching(/SECRET|org-/) });
      expect(server.journal).toHaveLength(1);
    },
  );

  it.each(Object.keys(CALLS) as (keyof typeof CALLS)[])("by silence ends as MODEL_TIMEOUT for %s", async (call) => {
    server.setBehaviour({ fault: { kind: "hang" } });
    const cause = { message: expect.stringMatching(/^nothing came for /) };
    await expect(CALLS[call](impatient)).rejects.toMatchObject({ code: "MODEL_TIMEOUT", isRetryable: true, cause });
    await expect.poll(() => server.journal[0]?.outcome).toBe("closed");
  });

  it("of a model that the server does not know is the operator's to set right", async () => {
    server.setBehaviour({ fault: { kind: "status", status: 404, code: "model_not_found" } });
    await expect(CALLS.image(model)).rejects.toMatchObject({ code: "MODEL_NOT_CONFIGURED" });
  });
});
