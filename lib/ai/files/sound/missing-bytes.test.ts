import { describe, expect, it } from "vitest";
import { sampleRecording } from "@/lib/ai/files/samples/sample-recording";
import {
  sampleFlac,
  sampleMp3,
  sampleMp4,
  sampleOgg,
  sampleWav,
  sampleWebm,
} from "@/lib/ai/files/samples/sample-sound";
import { missingBytes } from "@/lib/ai/files/sound/missing-bytes";

const THREE = { seconds: 3, speech: "Hello" };
const LOST = 3;

/** One whose first frame says how many bytes there are, as encoders write it. */
function countedMp3(): Buffer {
  const bytes = sampleMp3(THREE, true);
  const at = bytes.indexOf("Xing");
  bytes.writeUInt32BE(3, at + 4);
  bytes.writeUInt32BE(bytes.length - 30, at + 12);
  return bytes;
}

describe("missingBytes", () => {
  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ["WAV", () => sampleWav(THREE)],
    ["MP3 that counts its bytes", countedMp3],
    ["MP4", () => sampleRecording("mp4", { seconds: 3, said: {} })],
    ["MOV", () => sampleRecording("mov", { seconds: 3, said: {}, hasPictures: true })],
    ["MKV", () => sampleRecording("mkv", { seconds: 3, said: {} })],
    ["OGG", () => sampleOgg(THREE)],
  ])("says how much of a %s is missing, and that none of a whole one is", async (_what, make) => {
    const bytes = await make();
    expect(missingBytes(bytes, bytes.length)).toBe(0);
    const size = bytes.length - LOST;
    expect(missingBytes(bytes.subarray(0, size), size)).toBe(LOST);
  });

  it("needs no more than the beginning of what says there how long it is", async () => {
    for (const bytes of [sampleWav(THREE), countedMp3(), await sampleRecording("mkv", { seconds: 3, said: {} })]) {
      const head = bytes.subarray(0, 600);
      expect(missingBytes(head, bytes.length)).toBe(0);
      expect(missingBytes(head, bytes.length - LOST)).toBe(LOST);
    }
  });

  it("takes a file with more behind its end for a whole one", () => {
    expect(missingBytes(Buffer.concat([sampleWav(THREE), Buffer.alloc(128)]), sampleWav(THREE).length + 128)).toBe(0);
  });

  it.each([
    ["an MP3 that counts nothing", sampleMp3(THREE)],
    ["a FLAC without frames", sampleFlac(THREE)],
    ["a recording of a browser", sampleWebm({})],
    ["an MP4 of which only the index is there to be seen", sampleMp4(THREE).subarray(0, 40)],
    ["a text", Buffer.from("nothing of the kind")],
    ["nothing", Buffer.alloc(0)],
  ])("does not know it of %s", (_what, bytes) => {
    expect(missingBytes(bytes, 1_000_000)).toBeUndefined();
  });

  it.each([0, 0xffffffff, 0x7fffffff])(
    "does not take the size of a WAV that nobody could go back in for one: %d",
    (size) => {
      const bytes = sampleWav(THREE);
      bytes.writeUInt32LE(size, 40);
      expect(missingBytes(bytes, bytes.length)).toBeUndefined();
    },
  );
});
