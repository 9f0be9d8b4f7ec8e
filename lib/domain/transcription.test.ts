import { describe, expect, it } from "vitest";
import { guessSoundSeconds, isShortEnough, transcriptionCredits, transcriptTokens } from "@/lib/domain/transcription";

describe("transcription", () => {
  it.each([
    ["whisper-1", 0, 1],
    ["whisper-1", 100, 1],
    ["whisper-1", 101, 2],
    ["whisper-1", 600, 6],
    ["whisper-1", 3_600, 36],
    ["gpt-4o-mini-transcribe", 3_600, 18],
    ["a-model-of-ones-own", 600, 6],
    ["constructor", 600, 6],
  ])("by %s of %i seconds costs %i credits", (model, seconds, credits) => {
    expect(transcriptionCredits(model, seconds)).toBe(credits);
  });

  it.each([
    ["gpt-4o-transcribe", 1_400, true],
    ["gpt-4o-mini-transcribe-2025-12-15", 1_401, false],
    ["gpt-4o-transcribe", undefined, false],
    ["whisper-1", 36_000, true],
    ["whisper-1", undefined, true],
    ["a-model-of-ones-own", 36_000, true],
  ])("by %s of %s seconds in one piece: %s", (model, seconds, isOne) => {
    expect(isShortEnough(model, seconds)).toBe(isOne);
  });

  it("comes to a transcript of about 200 tokens a minute", () => {
    expect(transcriptTokens(60)).toBe(210);
  });

  it("is guessed by size to within a factor of two for usual recordings", () => {
    expect(guessSoundSeconds(60 * 16_000, "audio/mpeg")).toBe(60);
    expect(guessSoundSeconds(60 * 32_000, "audio/wav")).toBe(60);
    expect(guessSoundSeconds(60 * 64_000, "video/mp4")).toBe(60);
  });
});
