import { expect, it } from "vitest";
import { workMs } from "@/e2e/support/work-time";
import { parseByteRange } from "@/lib/domain/byte-range";

const CASES: [header: string | null, size: number, result: ReturnType<typeof parseByteRange>][] = [
  [null, 10, null],
  ["", 10, null],
  ["bytes=0-0", 10, { start: 0, end: 0 }],
  ["bytes=0-9", 10, { start: 0, end: 9 }],
  ["bytes=2-5", 10, { start: 2, end: 5 }],
  ["bytes=5-", 10, { start: 5, end: 9 }],
  ["bytes=5-999", 10, { start: 5, end: 9 }],
  ["bytes=9-9", 10, { start: 9, end: 9 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=10-20", 10, "unsatisfiable"],
  ["bytes=-3", 10, { start: 7, end: 9 }],
  ["bytes=-10", 10, { start: 0, end: 9 }],
  ["bytes=-99", 10, { start: 0, end: 9 }],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=-5", 0, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=0-0", 0, "unsatisfiable"],
  ["bytes=5-2", 10, null],
  ["bytes=-", 10, null],
  ["bytes=a-b", 10, null],
  ["bytes=0-1,3-4", 10, null],
  ["bytes=-1--2", 10, null],
  ["bytes=0x1-0x2", 10, null],
  ["bytes=1.5-2", 10, null],
  ["items=0-1", 10, null],
  ["bytes 0-1", 10, null],
  ["Bytes = 1 - 2", 10, { start: 1, end: 2 }],
  ["bytes=0-99999999999999999999999", 10, { start: 0, end: 9 }],
  ["bytes=99999999999999999999999-", 10, "unsatisfiable"],
];

it.each(CASES)("reads %j of %i bytes as %j", (header, size, result) => {
  expect(parseByteRange(header, size)).toEqual(result);
});

it.each([" ", "\t", "1", "1 ", "- "])("reads at once as many of %j as all headers may hold", async (piece) => {
  const header = `bytes=${piece.repeat(16_000 / piece.length)}x`;
  const read = () => {
    for (let call = 0; call < 20; call++) expect(parseByteRange(header, 10)).toBeNull();
  };
  expect(await workMs(read)).toBeLessThan(1_000);
});
