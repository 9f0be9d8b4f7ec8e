import { describe, expect, it } from "vitest";
import { findUnseen, formatCoverageTable, makeCoverageRows } from "@/e2e/support/coverage-table";

const health = { operation: "GET /health", status: 200 };
const refused = { operation: "POST /chat", status: 400, code: "VALIDATION_FAILED" };

describe("the table of endpoints and statuses", () => {
  it("counts each test once, and names what nobody saw", () => {
    const rows = makeCoverageRows([
      { ...health, test: "a" },
      { ...health, test: "a" },
      { ...health, test: "b" },
      { ...refused, test: "c" },
    ]);
    expect(rows.find(({ operation }) => operation === "GET /health")?.tests).toEqual(["a", "b"]);
    const unseen = findUnseen(rows);
    expect(unseen).not.toContain("GET /health 200");
    expect(unseen).not.toContain("POST /chat 400 VALIDATION_FAILED");
    expect(unseen).toContain("POST /chat 400 INVALID_JSON");
    expect(unseen).toContain("POST /chat 202");
    expect(unseen.join()).not.toContain("INTERNAL_ERROR");
  });

  it("has a line for each endpoint and a column for each status", () => {
    const table = formatCoverageTable(makeCoverageRows([{ ...health, test: "a" }])).split("\n");
    expect(table[0]).toMatch(/^endpoint +200 +201 +202 +204 .* 503$/);
    expect(table.find((line) => line.startsWith("GET /health "))).toMatch(/^GET \/health +1 +-.* · +-$/);
  });
});
