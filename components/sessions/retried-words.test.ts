import { expect, it } from "vitest";
import { retriedWords } from "@/components/sessions/retried-words";

const LEFT = "Some are left: try all again for those.";

it.each([
  [{ started: 1, refused: 0, why: null, hasMore: false }, "1 session runs again."],
  [{ started: 1_200, refused: 0, why: null, hasMore: false }, "1,200 sessions run again."],
  [{ started: 0, refused: 0, why: null, hasMore: false }, "Nothing failed here"],
  [
    { started: 3, refused: 0, unreadable: 1, why: null, hasMore: false },
    "3 sessions run again; 1 other, whose file cannot be read, is left out.",
  ],
  [
    { started: 1, refused: 0, unreadable: 20, why: null, hasMore: false },
    "1 session runs again; 20 others, whose files cannot be read, are left out.",
  ],
])("says that all of it was done: %o", (done, words) => {
  expect(retriedWords({ unreadable: 0, ...done })).toBe(words);
});

it.each([
  [
    { started: 1_200, refused: 1, why: "Gone.", hasMore: false },
    { title: "1,200 sessions run again, 1 other could not", description: "Gone." },
  ],
  [
    { started: 2, refused: 2, why: "No.", hasMore: true },
    { title: "2 sessions run again, 2 others could not", description: `No. ${LEFT}` },
  ],
  [
    { started: 4, refused: 0, why: "No credits are free.", hasMore: true },
    { title: "4 sessions run again, others do not yet", description: `No credits are free. ${LEFT}` },
  ],
  [
    { started: 1_000, refused: 0, why: null, hasMore: true },
    { title: "1,000 sessions run again, others do not yet", description: LEFT },
  ],
  [
    { started: 0, refused: 3, why: "Gone.", hasMore: false },
    { title: "3 sessions could not be tried again", description: "Gone." },
  ],
  [
    { started: 1, refused: 1, unreadable: 2, why: "Gone.", hasMore: true },
    {
      title: "1 session runs again, 1 other could not",
      description: `Gone. 2 others, whose files cannot be read, are left out. ${LEFT}`,
    },
  ],
  [
    { started: 0, refused: 0, unreadable: 3, why: null, hasMore: false },
    {
      title: "Nothing to try again",
      description:
        "What failed here has files that cannot be read. Filter by UNSUPPORTED_FILE to try those all the same.",
    },
  ],
  [
    { started: 0, refused: 0, why: null, hasMore: true },
    { title: "None was found in time", description: "Narrow the filters, and try all again." },
  ],
])("says what was left undone, and why: %o", (done, partly) => {
  expect(retriedWords({ unreadable: 0, ...done })).toEqual(partly);
});
