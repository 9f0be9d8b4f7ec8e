import { describe, expect, it } from "vitest";
import { sampleFlac, sampleFlacFrames } from "@/lib/ai/files/samples/sample-sound";
import { endOfFlac } from "@/lib/ai/files/sound/end-of-flac";

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const WHOLE = sampleFlacFrames({ seconds: 60 });

describe("endOfFlac", () => {
  it("is the end of what is there in a whole file, also with something behind it", () => {
    expect(endOfFlac(viewOf(WHOLE))).toBe(WHOLE.length);
    const tagged = Buffer.concat([WHOLE, Buffer.from(`TAG${" ".repeat(125)}`)]);
    expect(endOfFlac(viewOf(tagged))).toBe(tagged.length);
  });

  it.each([0.99, 0.9, 0.6, 0.3, 0.02])("lies as far beyond as samples are missing: cut at %d", (share) => {
    const cut = WHOLE.subarray(0, Math.floor(WHOLE.length * share));
    // Within a frame, of which it is not known how much is there.
    expect((endOfFlac(viewOf(cut)) ?? 0) / WHOLE.length).toBeCloseTo(1, share < 0.1 ? 0 : 1);
    expect(endOfFlac(viewOf(cut))).toBeGreaterThan(cut.length);
  });

  it("is not misled by what looks like the head of a frame within one", () => {
    const bytes = Buffer.from(WHOLE.subarray(0, WHOLE.length / 2));
    const first = bytes.indexOf(Buffer.from([0xff, 0xf8]));
    // The head of the third frame, in the last one.
    const third = bytes.indexOf(Buffer.from([0xff, 0xf8]), first + 100);
    bytes.copy(bytes, bytes.length - 20, third, third + 7);
    expect((endOfFlac(viewOf(bytes)) ?? 0) / WHOLE.length).toBeCloseTo(1, 1);
  });

  it.each([
    ["the rate in kilohertz and 1,000 samples", 1_000, ["fff87c08c58803e70bdd", "fff87c08c58903e70bcb"], 330_000],
    ["the rate in hertz and 200 samples", 200, ["fff86d08e0b3aac756276c", "fff86d08e0b3abc756277a"], 661_600],
    ["sizes and rates of the list", 4_608, ["fff85908c49dd7", "fff85908c49ede"], 4_608 * 287],
    ["their first sample", 0, ["fff9c918fe84aa819f888003", "fff92918fe84aa81a0888086"], 5_000_004_672],
  ])("reads heads of frames that name %s", (_what, blockSamples, heads, reached) => {
    const head = sampleFlac({ seconds: 0 });
    head.writeUInt16BE(blockSamples, 10);
    head.writeUInt8(Math.floor((reached * 2) / 2 ** 32), 21);
    head.writeUInt32BE((reached * 2) % 2 ** 32, 22);
    const bytes = Buffer.concat([head, ...heads.flatMap((frame) => [Buffer.from(frame, "hex"), Buffer.alloc(40)])]);
    expect(endOfFlac(viewOf(bytes))).toBe(bytes.length * 2);
  });

  it.each([
    ["that counts no samples", sampleFlac({ seconds: 0 })],
    ["without frames", sampleFlac({ seconds: 3 })],
    ["of which the first frame alone begins", WHOLE.subarray(0, 60)],
  ])("is not known of one %s", (_what, bytes) => {
    expect(endOfFlac(viewOf(bytes))).toBeUndefined();
  });
});
