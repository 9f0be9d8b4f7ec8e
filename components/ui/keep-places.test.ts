import { describe, expect, it } from "vitest";
import { type DrawnPart, keepPlaces } from "@/components/ui/keep-places";

interface Row {
  id: string;
  state?: string;
}

const part = (ids: string, nextCursor: string | null = null): DrawnPart<Row> => ({
  rows: [...ids].map((id) => ({ id })),
  nextCursor,
});
const ids = ({ rows }: DrawnPart<Row>) => rows.map(({ id }) => id).join("");

describe("a list that goes on while somebody reads it", () => {
  it("keeps each row in its place, and counts those that came", () => {
    const kept = keepPlaces(part("cba"), part("edcba"));
    expect(ids(kept)).toBe("cba");
    expect(kept).toMatchObject({ newCount: 2, isMore: false });
  });

  it("shows the newest state of each row", () => {
    const drawn = { rows: [{ id: "b" }, { id: "a", state: "completed" }], nextCursor: null };
    expect(keepPlaces(part("a"), drawn).rows).toEqual([{ id: "a", state: "completed" }]);
  });

  it("keeps what new rows pushed off the part that is drawn, and where the next part begins", () => {
    const kept = keepPlaces(part("cba", "after-a"), part("edc", "after-c"));
    expect(ids(kept)).toBe("cba");
    expect(kept).toMatchObject({ newCount: 2, nextCursor: "after-a" });
  });

  it("says so when more came than is drawn", () => {
    const kept = keepPlaces(part("cba", "after-a"), part("gfe", "after-e"));
    expect(ids(kept)).toBe("cba");
    expect(kept).toMatchObject({ newCount: 3, isMore: true });
  });

  it("lets a row go that was deleted, and takes the one that follows the part for no new one", () => {
    const kept = keepPlaces(part("cba", "after-a"), part("ca0", "after-0"));
    expect(ids(kept)).toBe("ca");
    expect(kept.newCount).toBe(0);
  });

  it("counts a row that comes between others, or at the end of the whole list", () => {
    expect(keepPlaces(part("ca"), part("cba")).newCount).toBe(1);
    expect(keepPlaces(part("cb"), part("cba")).newCount).toBe(1);
  });

  it("shows the first rows of an empty list at once", () => {
    const kept = keepPlaces(part(""), part("ba"));
    expect(ids(kept)).toBe("ba");
    expect(kept.newCount).toBe(0);
  });
});
