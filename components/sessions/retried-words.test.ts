import { expect, it } from "vitest";
import { retriedWords } from "@/components/sessions/retried-words";

it.each([
  [{ started: 1, refused: 0, why: null, hasMore: false }, "1 session runs again."],
  [{ started: 1_200, refused: 1, why: "Gone.", hasMore: false }, "1,200 sessions run again, 1 other could not. Gone."],
  [
    { started: 2, refused: 2, why: "No.", hasMore: true },
    "2 sessions run again, 2 others could not. No. Some are left: try all again for those.",
  ],
  [{ started: 0, refused: 0, why: null, hasMore: false }, "Nothing failed here"],
  [{ started: 0, refused: 0, why: null, hasMore: true }, "None was found in time: narrow the filters"],
])("says what became of trying many again: %o", (done, words) => {
  expect(retriedWords(done)).toBe(words);
});
