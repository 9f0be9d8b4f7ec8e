import { describe, expect, it } from "vitest";
import { type PageRequest, readPage } from "@/lib/domain/pagination";

const items = (count: number) => Array.from({ length: count }, (_, index) => index);

/** The page as it is read while the list has `listed` items, beside a count of the moment when it had `counted`. */
const pageOf = (listed: number, counted: number, request: PageRequest) =>
  readPage(
    request,
    async ({ limit, offset }) => items(listed).slice(offset, offset + limit),
    async () => counted,
  );

describe("readPage", () => {
  it.each([
    ["the first of three pages", 50, { limit: 20, offset: 0 }, 20, true],
    ["the last page, not full", 50, { limit: 20, offset: 40 }, 10, false],
    ["the last page, full", 40, { limit: 20, offset: 20 }, 20, false],
    ["a page beyond the end", 50, { limit: 20, offset: 1000 }, 0, false],
    ["an empty list", 0, { limit: 20, offset: 0 }, 0, false],
  ])("answers %s", async (_, total, request, length, hasMore) => {
    const page = await pageOf(total, total, request);

    expect(page).toEqual({
      data: items(total).slice(request.offset, request.offset + length),
      pagination: { ...request, total, hasMore },
    });
  });

  it.each([
    ["25 items there, 20 counted before", 25, 20, { limit: 20, offset: 0 }, true, 21],
    ["20 items there, 25 counted after", 20, 25, { limit: 20, offset: 0 }, false, 20],
    ["44 items there, 41 counted before", 44, 41, { limit: 100, offset: 0 }, false, 44],
    ["7 items there, 8 counted after", 7, 8, { limit: 100, offset: 0 }, false, 7],
    ["none there, 1 counted after", 0, 1, { limit: 20, offset: 0 }, false, 0],
    ["40 items there, 41 counted after, beyond them", 40, 41, { limit: 20, offset: 40 }, false, 40],
  ])("says of a list that is written to what its own page shows: %s", async (_, ...scene) => {
    const [listed, counted, request, hasMore, total] = scene;

    const page = await pageOf(listed, counted, request);

    expect(page.pagination).toEqual({ ...request, total, hasMore });
    expect(page.data).toEqual(items(listed).slice(request.offset, request.offset + request.limit));
  });
});
