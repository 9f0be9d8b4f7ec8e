import { expect, it } from "vitest";
import { outputCredits, type PricedOutput } from "@/lib/domain/output-catalog";

const CASES: [output: PricedOutput, credits: number][] = [
  [{ outputType: "image", model: "gpt-image-1-mini" }, 2],
  [{ outputType: "image", model: "openai/GPT-image-1-mini-2026-01-01" }, 2],
  [{ outputType: "image", model: "gpt-image-2.5-flare" }, 6],
  [{ outputType: "image", model: "somebody-elses" }, 6],
  [{ outputType: "audio", model: "gpt-4o-mini-tts", characters: 1 }, 1],
  [{ outputType: "audio", model: "gpt-4o-mini-tts", characters: 4_000 }, 6],
  [{ outputType: "audio", model: "gpt-4o-mini-tts", characters: 4_001 }, 7],
  [{ outputType: "audio", model: "tts-1-hd", characters: 1_000 }, 3],
  [{ outputType: "video", model: "sora-2", seconds: 4 }, 40],
  [{ outputType: "video", model: "sora-2-pro-2025-10-06", seconds: 12 }, 360],
];

it.each(CASES)("prices %j at %i credits", (output, credits) => expect(outputCredits(output)).toBe(credits));
