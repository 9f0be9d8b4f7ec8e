import { expect, it } from "vitest";
import { usageAlertMessage } from "@/lib/services/alerts/usage-alert-message";

it.each([
  [0, "0 credits of 8 are left"],
  [1, "1 credit of 8 is left"],
  [2, "2 credits of 8 are left"],
])("of credits that run out, %s, is said in one number", (of, words) => {
  const message = usageAlertMessage({ kind: "credits.low", planId: "free", of, by: 8 }, new Date());
  expect(message.startsWith(words)).toBe(true);
});
