import { Readable } from "node:stream";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { describe, expect, it } from "vitest";
import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import { sampleRecording } from "@/lib/ai/files/samples/sample-recording";
import { sampleFlacFrames, sampleMp3, sampleWav } from "@/lib/ai/files/samples/sample-sound";
import { cutSound, lookAtSound, type SoundPiece } from "@/lib/ai/files/sound/cut-sound";

const fileOf = (bytes: Buffer): RangedFile => ({
  size: bytes.byteLength,
  bytesSource: async ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) =>
    Readable.from([bytes.subarray(start, end + 1)]),
});

const BOUNDS = { fromSeconds: 0, maxBytes: 1_000_000, maxSeconds: 60 };

async function piecesOf(bytes: Buffer, bounds: Partial<typeof BOUNDS> = {}): Promise<SoundPiece[]> {
  const pieces: SoundPiece[] = [];
  await cutSound(fileOf(bytes), { ...BOUNDS, ...bounds }, async (piece) => void pieces.push(piece));
  return pieces;
}

/** What is packed in a file of sound, packet after packet. */
async function packetsIn(bytes: Uint8Array): Promise<string[]> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryAudioTrack();
  if (!track) return [];
  const packets: string[] = [];
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    // Bare AAC has a head before each packet.
    packets.push(
      Buffer.from(data)
        .toString("hex")
        .replace(/^fff1.{10}/, ""),
    );
  }
  return packets;
}

const packetsOfAll = async (pieces: SoundPiece[]) =>
  (await Promise.all(pieces.map(({ bytes }) => packetsIn(bytes)))).flat();

const MINUTES = { seconds: 150, said: { 1: "First", 70: "Second", 140: "Third" } };
const VIDEO = { ...MINUTES, hasPictures: true };

describe("a recording in pieces", () => {
  it.each([
    ["an MP4", () => sampleRecording("mp4", VIDEO), "m4a"],
    ["a film of an iPhone (MOV)", () => sampleRecording("mov", VIDEO), "m4a"],
    ["a MKV", () => sampleRecording("mkv", VIDEO), "m4a"],
    ["a stream of a camera (TS)", () => sampleRecording("ts", VIDEO), "m4a"],
    ["bare AAC", () => sampleRecording("aac", MINUTES), "m4a"],
    ["an MP3", async () => sampleMp3({ seconds: 150 }), "mp3"],
    ["a WAV", async () => sampleWav({ seconds: 150, later: { 70: "Second" } }), "wav"],
    ["a FLAC", async () => sampleFlacFrames({ seconds: 150 }), "flac"],
  ])("holds all that is packed in it, once and in order: %s", async (_what, make, format) => {
    const bytes = await make();
    const pieces = await piecesOf(bytes);
    expect(pieces.map((piece) => piece.format)).toEqual([format, format, format]);
    expect(pieces.every(({ seconds }) => seconds <= BOUNDS.maxSeconds)).toBe(true);
    expect(pieces.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(150, 0);
    const packets = await packetsOfAll(pieces);
    expect(packets.length).toBeGreaterThan(100);
    expect(packets.join("")).toBe((await packetsIn(bytes)).join(""));
  });

  it("holds what is there of a file that breaks off", async () => {
    const bytes = sampleFlacFrames({ seconds: 50 });
    const pieces = await piecesOf(bytes.subarray(0, bytes.length / 2));
    expect(pieces.map(({ heardSeconds }) => heardSeconds)).toEqual([expect.closeTo(25, 0)]);
  });

  it("leaves out a video's pictures", async () => {
    const pieces = await piecesOf(await sampleRecording("mov", VIDEO));
    for (const { bytes } of pieces) {
      const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
      expect((await input.getTracks()).map(({ type }) => type)).toEqual(["audio"]);
    }
  });

  it("ends its pieces in pauses", async () => {
    const [first, second] = await piecesOf(await sampleRecording("mp4", MINUTES));
    // Every tenth second is one.
    expect(((first?.until ?? 0) % 10) - 9).toBeGreaterThan(0);
    expect(((second?.until ?? 0) % 10) - 9).toBeGreaterThan(0);
  });

  it("ends a piece of a WAV where nobody speaks", async () => {
    const bytes = sampleWav({ seconds: 100 });
    // A hum all along, but for one second.
    for (let at = 44; at < bytes.length; at++) bytes[at] = 128 + (at % 50);
    bytes.fill(128, 44 + 50 * 8000, 44 + 51 * 8000);
    const [first] = await piecesOf(bytes);
    expect(first?.until).toBeGreaterThan(50);
    expect(first?.until).toBeLessThan(51);
  });

  it("leaves no piece that is too short to be heard", async () => {
    const pieces = await piecesOf(sampleWav({ seconds: 61 }));
    expect(pieces.map(({ seconds }) => Math.round(seconds))).toEqual([55, 6]);
  });

  it("keeps its pieces below so many bytes", async () => {
    const pieces = await piecesOf(sampleWav({ seconds: 100 }), { maxBytes: 300_000 });
    expect(pieces).toHaveLength(3);
    expect(pieces.every(({ bytes }) => bytes.byteLength < 301_000)).toBe(true);
  });

  it.each(["mp4", "mkv", "aac"] as const)("goes on where an earlier piece ended: %s", async (format) => {
    const bytes = await sampleRecording(format, MINUTES);
    const all = await piecesOf(bytes);
    for (const [index, { until }] of all.entries()) {
      const rest = await piecesOf(bytes, { fromSeconds: until });
      expect(await packetsOfAll(rest)).toEqual(await packetsOfAll(all.slice(index + 1)));
    }
  });

  it("waits for what becomes of a piece before it cuts the next", async () => {
    const open: number[] = [];
    let atOnce = 0;
    await cutSound(fileOf(sampleWav({ seconds: 150 })), BOUNDS, async ({ until }) => {
      open.push(until);
      atOnce = Math.max(atOnce, open.length);
      await new Promise(setImmediate);
      open.pop();
    });
    expect(atOnce).toBe(1);
  });

  it("ends with what a piece ended with", async () => {
    const fault = new Error("no credits");
    const seen: number[] = [];
    const cut = cutSound(fileOf(sampleWav({ seconds: 150 })), BOUNDS, async ({ until }) => {
      seen.push(until);
      throw fault;
    });
    await expect(cut).rejects.toBe(fault);
    expect(seen).toHaveLength(1);
  });

  it("ends with the signal's own reason", async () => {
    const abort = new AbortController();
    const reason = new Error("canceled");
    const cut = cutSound(fileOf(sampleWav({ seconds: 150 })), { ...BOUNDS, signal: abort.signal }, async () => {
      abort.abort(reason);
      await new Promise(() => {});
    });
    await expect(cut).rejects.toBe(reason);
  });

  it("ends with what its source ended with", async () => {
    const away = new Error("the store is away");
    const bytesSource = () => Promise.reject(away);
    await expect(cutSound({ size: 1_000, bytesSource }, BOUNDS, async () => {})).rejects.toBe(away);
  });

  it("that is damaged is refused", async () => {
    const bytes = Buffer.concat([sampleWav({ seconds: 1 }).subarray(0, 20), Buffer.alloc(2_000, 9)]);
    await expect(piecesOf(bytes)).rejects.toMatchObject({ code: "UNSUPPORTED_FILE" });
    expect(await lookAtSound(fileOf(bytes), {})).toBeNull();
  });
});

describe("a look at a recording", () => {
  it.each([
    ["an MP4", () => sampleRecording("mp4", VIDEO), true],
    ["a MOV", () => sampleRecording("mov", VIDEO), true],
    ["a MKV", () => sampleRecording("mkv", MINUTES), false],
    ["a TS", () => sampleRecording("ts", VIDEO), true],
    ["bare AAC, which does not say its length", () => sampleRecording("aac", MINUTES), false],
    ["an MP3", async () => sampleMp3({ seconds: 150 }), false],
    ["a WAV", async () => sampleWav({ seconds: 150 }), false],
  ])("says how long it is, and whether it has pictures: %s", async (_what, make, hasPictures) => {
    const seen = await lookAtSound(fileOf(await make()), {});
    expect(seen).toEqual({ hasSound: true, hasPictures, seconds: expect.closeTo(150, 0) });
  });
});
