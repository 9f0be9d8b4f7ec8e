import { expect, it } from "vitest";
import { eventNotification } from "@/lib/services/sessions/announce-event";

/** Postgres refuses a longer one, and with it the statement that writes the event. */
const LONGEST_NOTIFICATION_BYTES = 7_999;

it.each([
  ["漢", 2_600],
  ["😀", 1_950],
  ["a", 7_800],
  ['"', 3_900],
  ["\u0001", 1_290],
])("a notification has room in Postgres whatever the text is of: %j", (character, most) => {
  const notificationOf = (count: number) => {
    const data = JSON.stringify({ sessionId: "ses_1", delta: character.repeat(count) });
    return eventNotification({ sessionId: "ses_1", turnId: "trn_1", seq: 1, type: "chunk", data });
  };
  for (let count = 1; count < 2 * most; count += 50) {
    expect(Buffer.byteLength(notificationOf(count))).toBeLessThanOrEqual(LONGEST_NOTIFICATION_BYTES);
  }
  expect(JSON.parse(notificationOf(20)).data).toContain("delta");
  expect(JSON.parse(notificationOf(2 * most)), "where to find it").toMatchObject({
    sessionId: "ses_1",
    seq: 1,
    data: null,
  });
});
