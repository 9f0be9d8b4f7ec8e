import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { sampleFlac, sampleMp3, sampleWav } from "@/lib/ai/files/samples/sample-sound";
import { refusalOf, storeOfOne, understandSample } from "@/lib/ai/files/samples/sample-understand";
import type { FileToUnderstand } from "@/lib/ai/files/understand-file";
import type { HeardSound } from "@/lib/ai/files/understood-file";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  vi.stubEnv("OPENAI_BASE_URL", server.baseUrl);
  vi.stubEnv("OPENAI_API_KEY", "sk-test");
  vi.stubEnv("TRANSCRIPTION_MODEL", "gpt-4o-mini-transcribe");
  vi.stubEnv("MODEL_RETRY_DELAYS_SECONDS", "0,0");
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

/** At 8,000 bytes a second this is more than providers take at once. */
const HOUR = { seconds: 3_600, speech: "It begins", later: { 1500: "It goes on", 3000: "It ends" } };

const textOf = async (call: ReturnType<typeof understand>) => {
  const [part] = (await call).parts;
  return part?.type === "text" ? part.text : "";
};

describe("a long recording", () => {
  it("of more bytes than providers take goes in pieces, each with what was said before", async () => {
    const { kind, parts, extraction, soundSeconds } = await understand(sampleWav(HOUR));
    const said = "It begins\nIt goes on\nIt ends";
    expect(parts).toEqual([{ type: "text", text: `<document name="call.txt" kind="audio">\n${said}\n</document>` }]);
    expect({ kind, soundSeconds }).toEqual({ kind: "audio", soundSeconds: 3_600 });
    expect(extraction).toMatchObject({ seconds: 3_600, characters: said.length });
    const sent = server.journal.map(({ body }) => body as Record<string, unknown>);
    expect(sent.map(({ prompt }) => prompt)).toEqual([
      undefined,
      "It begins",
      "It begins\nIt goes on",
      "It begins\nIt goes on\nIt ends",
    ]);
    expect(
      sent.every(({ fileName, fileBytes }) => fileName === "sound.wav" && Number(fileBytes) < 25 * 1024 * 1024),
    ).toBe(true);
  });

  it("of more minutes than the model takes goes in pieces", async () => {
    const bytes = sampleWav({ seconds: 1_800, speech: "It begins", later: { 1500: "It ends" } });
    expect(await textOf(understand(bytes))).toContain("It begins\nIt ends");
    expect(server.journal).toHaveLength(2);
  });

  it("of fewer goes whole", async () => {
    await understand(sampleWav({ seconds: 1_300, speech: "Some twenty minutes" }));
    expect(server.journal).toHaveLength(1);
  });

  it("is asked for again piece by piece, once one was heard", async () => {
    const bytes = sampleWav({ ...HOUR, later: { 1500: "[[reset:2]]It goes on", 3000: "It ends" } });
    expect(await textOf(understand(bytes))).toMatch(/It begins\n.*It goes on\nIt ends/);
    expect(server.journal).toHaveLength(6);
  });

  it("is asked for again piece by piece, also where no word was said so far", async () => {
    const bytes = sampleWav({ ...HOUR, speech: "", later: { 1500: "[[reset:2]]It goes on", 3000: "It ends" } });
    expect(await textOf(understand(bytes))).toContain("It goes on\nIt ends");
    expect(server.journal).toHaveLength(6);
  });

  it("says how far it is, and begins at that again", async () => {
    const transcripts = storeOfOne();
    const heard: number[][] = [];
    const onHeard = async ({ seconds, ofSeconds }: HeardSound) => void heard.push([Math.round(seconds), ofSeconds]);
    const bytes = sampleWav({ ...HOUR, later: { 1500: "[[reset:3]]It goes on", 3000: "It ends" } });
    await refusalOf(understand(bytes, { transcripts, onHeard }));
    const [, [first = 0] = []] = heard;
    expect(first).toBeGreaterThan(1_000);
    expect(heard).toEqual([
      [0, 3_600],
      [first, 3_600],
    ]);
    await understand(bytes, { transcripts, onHeard });
    expect(heard[2]).toEqual([first, 3_600]);
    expect(heard.at(-1)).toEqual([3_600, 3_600]);
  });

  it("ends with what whoever is told of it ends with", async () => {
    const lost = new Error("somebody else took the turn");
    const transcripts = storeOfOne();
    const onHeard = async ({ seconds }: HeardSound) => {
      if (seconds > 0) throw lost;
    };
    expect(await refusalOf(understand(sampleWav(HOUR), { transcripts, onHeard }))).toBe(lost);
    expect(server.journal).toHaveLength(1);
    expect(await transcripts.findDraft("gpt-4o-mini-transcribe")).toMatchObject({ text: "It begins" });
  });

  it("goes on with the piece that failed when it is read again", async () => {
    const transcripts = storeOfOne();
    const bytes = sampleWav({ ...HOUR, later: { 1500: "[[reset:3]]It goes on", 3000: "It ends" } });
    expect(await refusalOf(understand(bytes, { transcripts }))).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(server.journal).toHaveLength(4);
    expect(await textOf(understand(bytes, { transcripts }))).toContain("It begins\n");
    expect(server.journal.slice(4).map(({ body }) => (body as { prompt?: string }).prompt)).toEqual([
      "It begins",
      expect.stringMatching(/It goes on$/),
      expect.stringMatching(/It ends$/),
    ]);
  });

  it("is given up with the signal's own reason while the next try waits", async () => {
    const abort = new AbortController();
    const bytes = sampleWav({ ...HOUR, later: { 1500: "[[fail:503]] It goes on" } });
    const transcripts = storeOfOne();
    const reason = new Error("canceled");
    const call = refusalOf(understand(bytes, { transcripts, signal: abort.signal }));
    await server.waitForRequests(2);
    abort.abort(reason);
    expect(await call).toBe(reason);
  });

  it("is approved as a whole before the first piece is sent", async () => {
    const refused = new Error("too expensive");
    const lengths: number[] = [];
    const approve = (_model: string, seconds: number) => {
      lengths.push(seconds);
      throw refused;
    };
    expect(await refusalOf(understand(sampleWav(HOUR), { transcripts: { ...storeOfOne(), approve } }))).toBe(refused);
    expect(lengths).toEqual([3_600]);
    expect(server.journal).toEqual([]);
  });

  it("that is longer than it says is approved for what it is", async () => {
    const bytes = sampleMp3({ seconds: 1_700 }, true);
    bytes.write("{{say:Dear}}", 1_000);
    // The first frame behind the tag counts the others.
    bytes.writeUInt32BE(100, 30 + 44);
    const lengths: number[] = [];
    const approve = (_model: string, seconds: number) => void lengths.push(Math.round(seconds));
    const { soundSeconds } = await understand(bytes, { transcripts: { ...storeOfOne(), approve } });
    expect(lengths).toEqual([3, expect.closeTo(1_195, -1), 1_700]);
    expect(soundSeconds).toBeCloseTo(1_700, 0);
  });

  it("costs a quote nothing but an estimate by its length", async () => {
    const { parts, extraction } = await understand(sampleWav(HOUR), { isQuote: true });
    expect(parts).toEqual([]);
    expect(extraction).toEqual({ kind: "audio", seconds: 3_600, tokens: 12_600 });
    expect(server.journal).toEqual([]);
  });

  it("of more hours than are transcribed is refused before anything is sent", async () => {
    const bytes = sampleFlac({ seconds: 13 * 3_600 });
    const error = await refusalOf(understand(bytes));
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/longer than 12 hours/) });
    expect(server.journal).toEqual([]);
  });

  it("that cannot be cut is refused with what to send instead", async () => {
    const bytes = Buffer.concat([sampleWav({ seconds: 1 }).subarray(0, 20), Buffer.alloc(2_000, 9)]);
    const error = await refusalOf(understand(bytes, { size: 25 * 1024 * 1024 + 1 }));
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/Send it as MP3/) });
    expect(server.journal).toEqual([]);
  });
});
