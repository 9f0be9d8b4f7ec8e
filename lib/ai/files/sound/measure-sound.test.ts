import { describe, expect, it } from "vitest";
import { longestHoldMs } from "@/e2e/support/work-time";
import type { SoundFormat } from "@/lib/ai/files/file-kinds";
import {
  sampleFlac,
  sampleMp2,
  sampleMp3,
  sampleMp4,
  sampleOgg,
  sampleWav,
  sampleWebm,
} from "@/lib/ai/files/samples/sample-sound";
import { measureSound } from "@/lib/ai/files/sound/measure-sound";

const THREE = { seconds: 3, speech: "Hello" };
const SAMPLES: [name: string, format: SoundFormat, bytes: Buffer][] = [
  ["WAV", "wav", sampleWav(THREE)],
  ["MP3 of one rate", "mp3", sampleMp3(THREE)],
  ["MP3 with its count of frames", "mp3", sampleMp3(THREE, true)],
  ["layer II of MPEG", "mp3", sampleMp2(3)],
  ["FLAC", "flac", sampleFlac(THREE)],
  ["OGG", "ogg", sampleOgg(THREE)],
  ["M4A", "m4a", sampleMp4(THREE, { brand: "M4A " })],
  ["WebM", "webm", sampleWebm(THREE)],
];

describe("measureSound", () => {
  it.each(SAMPLES)("finds the length of %s", (_name, format, bytes) => {
    const { seconds, ...tracks } = measureSound(bytes, format);
    expect(seconds).toBeCloseTo(3, 1);
    expect(tracks).toEqual({ hasSound: true, hasPictures: false });
  });

  it("tells videos from sound, and videos with sound from silent ones", () => {
    expect(measureSound(sampleMp4(THREE, { tracks: ["vide", "soun"] }), "mp4")).toMatchObject({
      hasSound: true,
      hasPictures: true,
    });
    expect(measureSound(sampleMp4(THREE, { tracks: ["vide"] }), "mp4").hasSound).toBe(false);
    expect(measureSound(sampleWebm(THREE, [1, 2]), "webm")).toMatchObject({ hasSound: true, hasPictures: true });
    expect(measureSound(sampleWebm(THREE, [1]), "webm").hasSound).toBe(false);
  });

  it("gives no length where the file says none", () => {
    expect(measureSound(sampleWebm({}), "webm")).toEqual({ hasSound: true, hasPictures: false });
  });

  it.each(SAMPLES)("bears every cut and every wrong byte of %s", (_name, format, bytes) => {
    const small = bytes.subarray(0, 600);
    for (let at = 0; at < small.length; at++) {
      const wrong = Buffer.from(small);
      wrong[at] = 255;
      for (const sample of [small.subarray(0, at), wrong]) {
        const { seconds = 1 } = measureSound(sample, format);
        expect(Number.isFinite(seconds)).toBe(true);
      }
    }
  });

  const LARGEST = 25 * 1024 * 1024;
  const box = (name: string, size: number, content: Uint8Array = Buffer.alloc(0)) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(size);
    head.write(name, 4, "latin1");
    return Buffer.concat([head, content]);
  };
  const parent = (children: Buffer) => box("moov", children.length + 8, children);
  it.each<[name: string, format: SoundFormat, piece: Buffer]>([
    ["MP4", "mp4", parent(Buffer.alloc(9_000 * 8, box("free", 8)))],
    ["MP4 that says what its tracks are", "mp4", parent(Buffer.alloc(9_000 * 20, box("hdlr", 20, Buffer.alloc(12))))],
    [
      "WebM",
      "webm",
      Buffer.concat([Buffer.from([0xae, 0x10, 0, 0x46, 0x50]), Buffer.alloc(18_000, "\xec\x80", "latin1")]),
    ],
  ])("looks at no more than a part of a %s of nothing but parts", async (_name, format, piece) => {
    const bytes = Buffer.alloc(LARGEST - (LARGEST % piece.length), new Uint8Array(piece));
    expect(await longestHoldMs(() => measureSound(bytes, format))).toBeLessThan(150);
  });
});
