import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { AddressParams } from "@/components/ui/address";
import type { Filter } from "@/components/ui/filter-kinds";
import { NothingListed } from "@/components/ui/nothing-listed";

const FILTERS: Filter[] = [
  { kind: "text", param: "accountId", label: "Account" },
  { kind: "dates", param: "from", toParam: "to", label: "Days" },
];

const shown = (params: AddressParams, problem: string | null = null) =>
  renderToStaticMarkup(
    <NothingListed filters={FILTERS} params={params} problem={problem} title="No call is like that">
      Calls are listed here.
    </NothingListed>,
  );

describe("NothingListed", () => {
  it("says what will stand in a list that nothing is filtered from", () => {
    expect(shown({})).toBe("Calls are listed here.");
    expect(shown({ accountId: "", call: "req_1" })).toBe("Calls are listed here.");
  });

  it.each([{ accountId: "acc_1" }, { from: "2026-01-01" }, { to: "2026-01-01" }, { cursor: "abc" }])(
    "tells who narrowed the list by %o that nothing is like that",
    (params) => {
      expect(shown(params)).toContain("No call is like that");
      expect(shown(params)).not.toContain("Calls are listed here.");
    },
  );

  it("names the filter that cannot be read", () => {
    expect(shown({ accountId: "x" }, "accountId must be an id.")).toContain("accountId must be an id.");
  });
});
