import { describe, expect, it } from "vitest";
import { progressWords, stepWords } from "@/components/sessions/progress-words";
import type { TurnProgress } from "@/lib/domain/turn-progress";

const HEARD = { stage: "heard", covers: "call.mp3" } as const;
const PAGES = "pages 144-287 of 2,000";

describe("how far the work of a turn is", () => {
  it.each<[TurnProgress, now: string, step: string]>([
    [
      { ...HEARD, done: 0, total: 3_900 },
      "Transcribing call.mp3 (65 min)",
      "the transcription of call.mp3 began (65 min)",
    ],
    [
      { ...HEARD, done: 1_190, total: 3_900 },
      "Transcribing call.mp3: 20 min of 65 min",
      "20 min of 65 min of call.mp3 were transcribed",
    ],
    [
      { ...HEARD, done: 0, total: 90 },
      "Transcribing call.mp3 (1 min 30 s)",
      "the transcription of call.mp3 began (1 min 30 s)",
    ],
    [{ ...HEARD, done: 3_900, total: 3_900 }, "The AI is at work", "65 min of 65 min of call.mp3 were transcribed"],
    [
      { stage: "making", done: 0, total: 1, covers: "a video" },
      "Making a video",
      "a video was ordered and is being made",
    ],
    [
      { stage: "limited", done: 4, total: 12, covers: "" },
      "Waiting: the model's provider limits requests (asked 4 of 12 times)",
      "the model's provider limited requests at try 4 of 12; it is asked again later",
    ],
    [
      { stage: "limited", done: 0, total: 14, covers: "" },
      "Waiting for its turn: the model's provider limits requests",
      "the model's provider limited requests; it waits for its turn to be asked for",
    ],
    [{ ...HEARD, done: 0, total: 0 }, "The AI is at work", "the transcription of call.mp3 began (1 s)"],
    [
      { stage: "planned", done: 0, total: 14, covers: "pages 1-2000 of 2,000" },
      "Reading 14 parts",
      "more than one call takes: it is read in 14 parts (pages 1-2000 of 2,000)",
    ],
    [
      { stage: "planned", done: 9, total: 14, covers: "pages 1-2000 of 2,000" },
      "Reading: 9 of 14 parts done",
      "more than one call takes: it is read in 14 parts (pages 1-2000 of 2,000); 9 of them an earlier try had read",
    ],
    [
      { stage: "planned", done: 14, total: 14, covers: "pages 1-2000 of 2,000" },
      "Bringing the parts' results together",
      "more than one call takes: it is read in 14 parts (pages 1-2000 of 2,000); 14 of them an earlier try had read",
    ],
    [
      { stage: "read", done: 2, total: 14, covers: PAGES },
      "Reading: 2 of 14 parts done",
      `2 of 14 parts were read, the last of them ${PAGES}`,
    ],
    [
      { stage: "read", done: 14, total: 14, covers: PAGES },
      "Bringing the parts' results together",
      `14 of 14 parts were read, the last of them ${PAGES}`,
    ],
    [
      { stage: "joined", done: 1, total: 2, covers: PAGES },
      "Bringing the parts' results together",
      `results were brought together, 1 of 2 (${PAGES})`,
    ],
    [
      { stage: "joined", done: 2, total: 2, covers: PAGES },
      "The AI is at work",
      `results were brought together, 2 of 2 (${PAGES})`,
    ],
  ])("is said in words: %j", (progress, now, step) => {
    expect(progressWords(progress)).toBe(now);
    expect(stepWords(progress)).toBe(step);
  });
});
