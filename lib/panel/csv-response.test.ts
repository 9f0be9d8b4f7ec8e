import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { csvDocument } from "@/lib/domain/csv";
import { csvResponse } from "@/lib/panel/csv-response";

async function* pieces() {
  yield "url,note\r\n";
  yield "https://bücher.example,größer\r\n";
}

it("begins with the mark by which spreadsheets know UTF-8, once, and then gives the document as it is", async () => {
  const response = csvResponse("deliveries", { accountId: "acc_1" }, pieces());
  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="deliveries.csv"');
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.subarray(3).toString("utf8")).toBe("url,note\r\nhttps://bücher.example,größer\r\n");
});

it("ends the reading of rows when the browser takes no more", async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield "x\r\n";
    } finally {
      isEnded = true;
    }
  }
  const reader = csvResponse("calls", { accountId: "acc_1" }, endless()).body?.getReader();
  await reader?.read();
  await reader?.read();
  await reader?.cancel();
  expect(isEnded).toBe(true);
});

it("ends the reading of rows when the browser leaves while none are found: the search would go on to the last row", async () => {
  let looked = 0;
  let isEnded = false;
  const leave = Promise.withResolvers<void>();
  async function* findNothing() {
    try {
      // Far more than are looked at before a browser that left is noticed.
      for (; looked < 1_000; looked += 1) {
        if (looked === 10) leave.resolve();
        await setImmediate();
        yield [];
      }
    } finally {
      isEnded = true;
    }
  }
  const reader = csvResponse("sessions", { accountId: "acc_1" }, csvDocument(["id"], findNothing())).body?.getReader();
  await reader?.read();
  await reader?.read();
  const more = reader?.read();
  await leave.promise;
  await reader?.cancel();
  expect(await more).toEqual({ done: true, value: undefined });
  expect(isEnded).toBe(true);
  expect(looked).toBeLessThan(1_000);
});

it("reads few pieces at once, however many lists are taken away, and does not let one account's stand before another's", async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  async function* held(accountId: string) {
    begun.push(accountId);
    await new Promise<void>((end) => ends.push(end));
    yield "x\r\n";
  }
  const taken = ["acc_1", "acc_1", "acc_1", "acc_1", "acc_2"].map((accountId) =>
    csvResponse("calls", { accountId }, held(accountId)).text(),
  );
  await setImmediate();
  expect(begun).toEqual(["acc_1", "acc_1"]);
  ends[0]?.();
  await setImmediate();
  expect(begun).toEqual(["acc_1", "acc_1", "acc_2"]);
  for (let ended = 1; ended < taken.length; ended++) {
    ends[ended]?.();
    await setImmediate();
  }
  expect(await Promise.all(taken)).toEqual(taken.map(() => "x\r\n"));
});
