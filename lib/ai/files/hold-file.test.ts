import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MAX_HELD_FILES, SMALL_FILE_BYTES } from "@/lib/ai/files/hold-file";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";
import { sampleMail } from "@/lib/ai/files/samples/sample-mail";
import { understandSample } from "@/lib/ai/files/samples/sample-understand";

const LINE = "A line of text.\n";
const textOf = (bytes: number) => Buffer.from(LINE.repeat(bytes / LINE.length));

/** Reads many files at once. @returns how many of them were in memory beyond their beginnings at a time, at most */
async function heldAtOnce(bytes: Buffer): Promise<number> {
  let [held, most] = [0, 0];
  const half = Math.floor(bytes.length / 2);
  const readOne = async () => {
    let isHeld = false;
    async function* source() {
      yield bytes.subarray(0, half);
      isHeld = true;
      held += 1;
      most = Math.max(most, held);
      yield bytes.subarray(half);
    }
    await understandSample(bytes, { bytesSource: async () => source() });
    if (isHeld) held -= 1;
  };
  await Promise.all(Array.from({ length: 3 * MAX_HELD_FILES }, readOne));
  return most;
}

describe("of many files that are read at once", () => {
  it("a few are in memory at a time: those that wait hold none of theirs", async () => {
    expect(await heldAtOnce(textOf(2 * SMALL_FILE_BYTES))).toBe(MAX_HELD_FILES);
  });

  it("small ones wait for no others", async () => {
    expect(await heldAtOnce(textOf(SMALL_FILE_BYTES / 2))).toBe(3 * MAX_HELD_FILES);
  });

  it("those that hold others wait for none of theirs", async () => {
    const picture = Buffer.concat([sampleImage("png", 300, 400), randomBytes(SMALL_FILE_BYTES)]);
    const mail = sampleMail([["photo.png", "image/png", picture]]);
    const read = await Promise.all(Array.from({ length: MAX_HELD_FILES }, () => understandSample(mail)));
    expect(read.map(({ parts }) => parts.filter(({ type }) => type === "image").length)).toEqual(read.map(() => 1));
  });
});
