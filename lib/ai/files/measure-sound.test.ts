import { describe, expect, it } from "vitest";
import type { SoundFormat } from "@/lib/ai/files/file-kinds";
import { measureSound } from "@/lib/ai/files/measure-sound";
import { sampleFlac, sampleMp3, sampleMp4, sampleOgg, sampleWav, sampleWebm } from "@/lib/ai/files/sample-sound";

const THREE = { seconds: 3, speech: "Hello" };
const SAMPLES: [name: string, format: SoundFormat, bytes: Buffer][] = [
  ["WAV", "wav", sampleWav(THREE)],
  ["MP3 of one rate", "mp3", sampleMp3(THREE)],
  ["MP3 with its count of frames", "mp3", sampleMp3(THREE, true)],
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
});
