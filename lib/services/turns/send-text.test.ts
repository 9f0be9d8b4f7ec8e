import { expect, it } from "vitest";
import { LONG_TEXT_CHARACTERS, MAX_LONG_TEXTS, sendText } from "@/lib/services/turns/send-text";

/** Begins with as many calls as there is room for twice over, and lets all of them be accepted. */
function acceptMany(fileContent: string) {
  const stored = Promise.withResolvers<void>();
  let begun = 0;
  const accepted = Array.from({ length: 2 * MAX_LONG_TEXTS }, () =>
    sendText({ input: "", fileContent }, "acc_one", () => {
      begun += 1;
      return stored.promise;
    }),
  );
  const end = () => {
    stored.resolve();
    return Promise.all(accepted);
  };
  return { begun: () => begun, end };
}

it("has a few long texts on their way to the database at a time, all of them in the end, and no short one waits for them", async () => {
  const long = acceptMany("a".repeat(LONG_TEXT_CHARACTERS + 1));
  const short = acceptMany("a".repeat(LONG_TEXT_CHARACTERS));
  expect(long.begun()).toBe(MAX_LONG_TEXTS);
  expect(short.begun()).toBe(2 * MAX_LONG_TEXTS);
  await Promise.all([short.end(), long.end()]);
  expect(long.begun()).toBe(2 * MAX_LONG_TEXTS);
});
