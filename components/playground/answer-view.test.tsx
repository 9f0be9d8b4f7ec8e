import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AnswerView, TurnView } from "@/components/playground/answer-view";

describe("AnswerView", () => {
  it("says of a call without an answer that it may be under way: sent again it could cost twice", () => {
    const shown = renderToStaticMarkup(<AnswerView answer="unreached" />);
    expect(shown).toContain("the API may have taken the call all the same");
    expect(shown).toContain("into Logs, before you send it again");
  });

  it.each([
    ["a host that takes no request of this size, and where to send the file then", 413, {}, true, true],
    ["a proxy that does not get its answer", 502, {}, true, false],
    ["none where the API itself refused it", 413, { "x-request-id": "req_a" }, false, false],
    ["none where it went well", 200, {}, false, false],
  ])("speaks of %s", (_what, status, headers, isForeign, isTooLarge) => {
    const answer = { status, durationMs: 12, headers, body: { kind: "text" as const, text: "No." } };
    const shown = renderToStaticMarkup(<AnswerView answer={answer} />);
    expect([shown.includes("This is no answer of the API"), shown.includes('href="/docs/files#direct"')]).toEqual([
      isForeign,
      isTooLarge,
    ]);
  });

  it("leads to each session that a batch has started, in the order of its files", () => {
    const value = ["ses_a", "ses_b"].map((sessionId) => ({
      sessionId,
      status: "started",
      fileUrl: "https://files.example/files/x",
    }));
    const headers = { "x-request-id": "req_a" };
    const answer = { status: 202, durationMs: 12, headers, body: { kind: "json" as const, value } };
    const shown = renderToStaticMarkup(<AnswerView answer={answer} />);
    expect(shown).toMatch(/href="[^"]*ses_a"[^>]*>Session 1<.*href="[^"]*ses_b"[^>]*>Session 2</);
    expect(shown).toMatch(/href="\/panel\/sessions\?q=req_a"[^>]*>All in a list</);
  });
});

describe("TurnView", () => {
  const turn = { raw: "", phase: "completed", error: null } as const;

  it("keeps an answer that is JSON as it was written: Markdown takes signs for its own", () => {
    const shown = renderToStaticMarkup(
      <TurnView turn={{ ...turn, text: '{\n  "no": 12345678901234567890,\n  "note": "*now*"\n}' }} />,
    );
    expect(shown).toContain("12345678901234567890");
    expect(shown).toContain("*now*");
  });

  it.each(["{not JSON} *now*", "[1](/x) *now*", '{"half": "*now*'])(
    "lays %s out as Markdown, as any other answer",
    (text) => {
      expect(renderToStaticMarkup(<TurnView turn={{ ...turn, text }} />)).toContain("<em>now");
    },
  );
});
