import { describe, expect, it } from "vitest";
import { searchRow } from "@/lib/ai/files/pages/search-row.mjs";

/** What was asked about a row whose kinds these are, in order. */
async function search(kinds: readonly unknown[], most = 32): Promise<number[]> {
  const asked: number[] = [];
  await searchRow(kinds.length, most, async (index) => {
    asked.push(index);
    return kinds[index];
  });
  return asked;
}

const row = (...lengths: number[]) => lengths.flatMap((length, kind) => Array.from({ length }, () => kind % 2));

/** Pairs of neighbours that differ, by the index of the second. */
const changes = (kinds: readonly unknown[]) =>
  kinds.flatMap((kind, index) => (index > 0 && kind !== kinds[index - 1] ? [index] : []));

describe("searchRow", () => {
  it.each([
    ["in the middle", row(500, 500)],
    ["near the end", row(995, 5)],
    ["before the last one", row(999, 1)],
    ["behind the first one", row(1, 999)],
    ["in two places", row(300, 400, 300)],
  ])("asks both sides of each change, and few others: %s", async (_, kinds) => {
    const asked = await search(kinds);
    for (const index of changes(kinds)) expect(asked).toEqual(expect.arrayContaining([index - 1, index]));
    expect(asked.length).toBeLessThanOrEqual(24);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("looks all over a row in which nothing changes, its ends first", async () => {
    const asked = await search(row(1_000));
    expect(asked.slice(0, 2)).toEqual([0, 999]);
    expect(asked).toHaveLength(8);
    const sorted = asked.toSorted((a, b) => a - b);
    expect(Math.max(...sorted.map((at, index) => at - (sorted[index - 1] ?? 0)))).toBeLessThanOrEqual(250);
  });

  it("asks about all of a short row", async () => {
    for (const length of [1, 2, 5, 8]) {
      expect((await search(row(length))).toSorted((a, b) => a - b)).toEqual(row(length).map((_, index) => index));
    }
  });

  it("stops at as many as it may ask", async () => {
    expect(
      await search(
        Array.from({ length: 1_000 }, (_, index) => index % 2),
        20,
      ),
    ).toHaveLength(20);
  });
});
