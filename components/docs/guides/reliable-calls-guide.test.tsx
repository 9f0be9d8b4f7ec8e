import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ReliableCallsGuide } from "@/components/docs/guides/reliable-calls-guide";

describe("the guide to calls", () => {
  it("says what a turn costs, with the least of it (contract §7)", () => {
    const words = renderToStaticMarkup(<ReliableCallsGuide apiUrl="https://service.test/api/v1" />);
    expect(words.replace(/\s+/g, " ")).toContain("rounded up to whole credits, and at least 1");
  });
});
