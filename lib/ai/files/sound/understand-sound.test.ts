import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { type RecordingFormat, sampleRecording } from "@/lib/ai/files/samples/sample-recording";
import {
  sampleFlac,
  sampleFlacFrames,
  sampleMp3,
  sampleMp4,
  sampleOgg,
  sampleWav,
  sampleWebm,
} from "@/lib/ai/files/samples/sample-sound";
import { refusalOf, storeOfOne, understandSample } from "@/lib/ai/files/samples/sample-understand";
import type { FileToUnderstand } from "@/lib/ai/files/understand-file";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  vi.stubEnv("OPENAI_BASE_URL", server.baseUrl);
  vi.stubEnv("OPENAI_API_KEY", "sk-test");
});
beforeEach(() => {
  server.setBehaviour({});
  server.journal.length = 0;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

const understand = (bytes: Uint8Array, more: Partial<FileToUnderstand> = {}) =>
  understandSample(bytes, { name: "call.txt", contentType: "text/plain", ...more });

describe("sound", () => {
  it.each([
    ["mp3", sampleMp3({ seconds: 2, speech: "Hello from MP3" }), "Hello from MP3"],
    ["wav", sampleWav({ seconds: 2, speech: "Hello from WAV" }), "Hello from WAV"],
    ["m4a", sampleMp4({ seconds: 2, speech: "Hello from M4A" }, { brand: "M4A " }), "Hello from M4A"],
    ["ogg", sampleOgg({ seconds: 2, speech: "Hello from OGG" }), "Hello from OGG"],
    ["flac", sampleFlac({ seconds: 2, speech: "Hello from FLAC" }), "Hello from FLAC"],
    ["webm", sampleWebm({ seconds: 2, speech: "Hello from WebM" }), "Hello from WebM"],
    ["mp4", sampleMp4({ seconds: 2, speech: "Hello from MP4" }), "Hello from MP4"],
  ])("becomes its transcript, whatever its name says: %s", async (format, bytes, said) => {
    const { kind, parts, extraction } = await understand(bytes);
    expect(kind).toBe("audio");
    expect(parts).toEqual([{ type: "text", text: `<document name="call.txt" kind="audio">\n${said}\n</document>` }]);
    expect(extraction).toEqual({
      kind: "audio",
      seconds: 2,
      transcribedBy: "whisper-1",
      characters: said.length,
      tokens: expect.any(Number),
    });
    expect(server.journal).toHaveLength(1);
    expect(server.journal[0]).toMatchObject({
      path: "/v1/audio/transcriptions",
      headers: { authorization: "Bearer sk-test" },
      body: { model: "whisper-1", response_format: "json", fileName: `sound.${format}`, fileBytes: bytes.length },
    });
  });

  it("of a video is transcribed, and its pictures are said to be missing", async () => {
    const bytes = sampleMp4({ seconds: 4, speech: "Cut!" }, { tracks: ["vide", "soun"] });
    const { kind, parts, extraction } = await understand(bytes);
    expect(kind).toBe("video");
    expect(parts[0]).toMatchObject({ text: expect.stringMatching(/its pictures are not here[\s\S]*Cut!/) });
    expect(extraction).toMatchObject({ kind: "video", seconds: 4, skipped: { frames: true } });
  });

  it("that a video has not is refused without asking the model", async () => {
    const error = await refusalOf(understand(sampleWebm({ seconds: 2 }, [1])));
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/no sound/) });
    expect(server.journal).toEqual([]);
  });

  it("in which nothing is said is refused", async () => {
    expect(await refusalOf(understand(sampleWav({ seconds: 1 })))).toMatchObject({ code: "UNSUPPORTED_FILE" });
  });

  it("longer than the window is cut, and says so", async () => {
    const bytes = sampleWav({ seconds: 1, speech: "word ".repeat(1_000) });
    const { extraction } = await understand(bytes, { maxTokens: 50 });
    expect(extraction.leftOut).toMatchObject({ reason: "window", characters: expect.any(Number) });
  });

  it("is transcribed once where its transcript is kept", async () => {
    const bytes = sampleWav({ seconds: 1, speech: "Only once" });
    const transcripts = storeOfOne();
    const first = await understand(bytes, { transcripts });
    expect(await understand(bytes, { transcripts })).toEqual(first);
    expect(server.journal).toHaveLength(1);
  });

  it("that may not be paid for is not sent to the provider", async () => {
    const refused = new Error("too expensive");
    const lengths: number[] = [];
    const approve = (_model: string, seconds: number) => {
      lengths.push(seconds);
      throw refused;
    };
    const bytes = sampleWav({ seconds: 90, speech: "Expensive" });
    expect(await refusalOf(understand(bytes, { transcripts: { ...storeOfOne(), approve } }))).toBe(refused);
    expect(lengths).toEqual([90]);
    expect(server.journal).toEqual([]);
  });

  it("ends with the signal's own reason, and the call of the provider with it", async () => {
    const abort = new AbortController();
    const call = refusalOf(understand(sampleWav({ seconds: 1, speech: "[[hang]]" }), { signal: abort.signal }));
    await server.waitForRequests(1);
    const reason = new Error("canceled");
    abort.abort(reason);
    expect(await call).toBe(reason);
    await expect.poll(() => server.journal[0]?.outcome).toBe("closed");
  });

  it("costs a quote nothing but an estimate by its length", async () => {
    const { parts, extraction, soundSeconds } = await understand(sampleWav({ seconds: 60, speech: "Expensive" }), {
      isQuote: true,
    });
    expect(parts).toEqual([]);
    expect(soundSeconds).toBe(60);
    expect(extraction).toEqual({ kind: "audio", seconds: 60, tokens: 210 });
    expect(server.journal).toEqual([]);
  });
});

describe("a long recording of few bytes", () => {
  it("goes whole to a model that takes it", async () => {
    await understand(sampleWav({ seconds: 1_800, speech: "Half an hour" }));
    expect(server.journal).toHaveLength(1);
  });
});

describe("a recording that breaks off", () => {
  const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6));
  const recording = (format: RecordingFormat) => sampleRecording(format, { seconds: 100, said: { 1: "So far" } });

  it.each([
    ["mp4", () => recording("mp4")],
    ["mov", () => recording("mov")],
    ["mkv", () => recording("mkv")],
    ["wav", async () => sampleWav({ seconds: 100, speech: "So far" })],
    ["flac", async () => sampleFlacFrames({ seconds: 100, speech: "So far" })],
  ])("says so, and how much of it is missing: %s", async (_format, make) => {
    const { parts, extraction, soundSeconds } = await understand(cut(await make()));
    expect(parts[0]).toMatchObject({
      text: expect.stringMatching(/the recording breaks off: about (3|4)\d seconds[\s\S]*So far/),
    });
    expect(extraction.seconds).toBeGreaterThan(50);
    expect((extraction.seconds ?? 0) + (extraction.breaksOff?.seconds ?? 0)).toBeCloseTo(100, -1);
    // What was not heard is not paid for.
    expect(soundSeconds).toBeLessThan(70);
  });

  it("is said to break off also where its file does not say how long it was", async () => {
    const whole = sampleOgg({ seconds: 2, speech: "So far" });
    const { parts } = await understand(whole.subarray(0, whole.length - 2));
    expect(parts[0]).toMatchObject({ text: expect.stringMatching(/breaks off: its end is missing[\s\S]*So far/) });
  });

  it("is no video whose sound ends before its pictures do", async () => {
    const bytes = await sampleRecording("mkv", {
      seconds: 10,
      said: { 1: "All" },
      hasPictures: true,
      picturesSeconds: 30,
    });
    expect((await understand(bytes)).extraction).not.toHaveProperty("breaksOff");
  });
});

describe("a container that transcription does not take", () => {
  it.each([
    ["mov", true],
    ["mkv", true],
    ["ts", true],
    ["aac", false],
  ] as const)("gives its sound in one that it does: %s", async (format, hasPictures) => {
    const bytes = await sampleRecording(format, { seconds: 4, said: { 1: `Said in ${format}` }, hasPictures });
    const { kind, extraction } = await understand(bytes);
    expect(kind).toBe(hasPictures ? "video" : "audio");
    expect(extraction).toMatchObject({
      seconds: expect.closeTo(4, 0),
      ...(hasPictures && { skipped: { frames: true } }),
    });
    expect(server.journal.map(({ body }) => body)).toMatchObject([
      { fileName: "sound.m4a", spoken: `Said in ${format}` },
    ]);
  });

  it("is refused with what to send instead when it is damaged", async () => {
    const bytes = await sampleRecording("mov", { seconds: 4, said: {} });
    const error = await refusalOf(understand(Buffer.concat([bytes.subarray(0, 24), Buffer.alloc(2_000, 9)])));
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/damaged/) });
    expect(server.journal).toEqual([]);
  });
});

describe("a transcription that fails", () => {
  it.each([
    [404, undefined, "UNSUPPORTED_FILE", /does not transcribe/, false],
    [501, undefined, "UNSUPPORTED_FILE", /does not transcribe/, false],
    [404, "model_not_found", "MODEL_NOT_CONFIGURED", /does not know the model/, false],
    [413, undefined, "UNSUPPORTED_FILE", /more sound than/, false],
    [400, undefined, "UNSUPPORTED_FILE", /could not be read/, false],
    [401, undefined, "MODEL_NOT_CONFIGURED", /credentials/, false],
    [429, undefined, "MODEL_RATE_LIMITED", /too many requests/, true],
    [429, "insufficient_quota", "MODEL_UNAVAILABLE", /could not be reached/, false],
    [500, undefined, "MODEL_UNAVAILABLE", /could not be reached/, true],
  ])("by %s %s is %s, in our words", async (status, code, expected, message, isRetryable) => {
    server.setBehaviour({ fault: { kind: "status", status, ...(code && { code }) } });
    const error = await refusalOf(understand(sampleWav({ seconds: 1, speech: `Fails with ${status} ${code}` })));
    expect(error).toMatchObject({ code: expected, message: expect.stringMatching(message), isRetryable });
    expect(error.message).not.toContain("SECRET");
  });

  it("by a broken connection may be tried again", async () => {
    const bytes = sampleWav({ seconds: 1, speech: "[[reset:1]]Second try" });
    expect(await refusalOf(understand(bytes))).toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true });
    expect((await understand(bytes)).parts[0]).toMatchObject({ text: expect.stringContaining("Second try") });
  });
});
