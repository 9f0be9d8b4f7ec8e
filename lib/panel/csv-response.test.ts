import { expect, it } from "vitest";
import { csvResponse } from "@/lib/panel/csv-response";

async function* pieces() {
  yield "url,note\r\n";
  yield "https://bücher.example,größer\r\n";
}

it("begins with the mark by which spreadsheets know UTF-8, once, and then gives the document as it is", async () => {
  const response = csvResponse("deliveries", pieces());
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
  const reader = csvResponse("calls", endless()).body?.getReader();
  await reader?.read();
  await reader?.read();
  await reader?.cancel();
  expect(isEnded).toBe(true);
});
