import { describe, expect, it } from "vitest";
import { type PageRequest, readPage } from "@/lib/domain/pagination";
import { listAt, offsetOf } from "@/lib/panel/offset-of";

it.each([
  ["50", 50],
  ["0", 0],
  [undefined, 0],
  ["", 0],
  ["-50", 0],
  ["1.5", 0],
  ["ten", 0],
  [["50", "100"], 0],
  ["2147483647", 2_147_483_647],
  ["2147483648", 0],
  ["9007199254740991", 0],
])("opens a list whose address says %j at %i", (value, offset) => {
  expect(offsetOf(value)).toBe(offset);
});

describe("listAt", () => {
  const items = Array.from({ length: 5 }, (_, index) => index);
  const listOf = (all: number[]) => (request: PageRequest) =>
    readPage(
      request,
      async ({ limit, offset }) => all.slice(offset, offset + limit),
      async () => all.length,
    );

  it.each([
    ["2", [2, 3], 2],
    ["4", [4], 4],
    ["5", [4], 4],
    ["1000", [4], 4],
  ])("lists at %s what is there, beyond the end the last part", async (value, data, offset) => {
    expect(await listAt(value, 2, listOf(items))).toMatchObject({ data, pagination: { offset, total: 5 } });
  });

  it("has a whole last part where the parts come out even", async () => {
    const even = await listAt("4", 2, listOf(items.slice(0, 4)));
    expect(even).toMatchObject({ data: [2, 3], pagination: { offset: 2, total: 4 } });
  });

  it("has no last part where nothing is", async () => {
    expect(await listAt("50", 2, listOf([]))).toMatchObject({ data: [], pagination: { total: 0 } });
  });
});
