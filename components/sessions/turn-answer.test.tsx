import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { TurnAnswer } from "@/components/sessions/turn-answer";
import type { SessionTurn } from "@/lib/contracts/sessions";

const TURN: SessionTurn = {
  id: "trn_1",
  position: 0,
  status: "completed",
  endpoint: "POST /chat",
  requestId: "req_1",
  apiKeyId: null,
  input: "Read it",
  fileContent: null,
  template: null,
  files: [],
  output: null,
  outputType: "text",
  error: null,
  model: "model",
  tokensIn: 1,
  tokensOut: 1,
  creditsUsed: 1,
  creditsReserved: 0,
  maxCredits: null,
  isBySchema: true,
  context: null,
  createdAt: "2026-01-31T09:30:00.000Z",
  startedAt: "2026-01-31T09:30:00.000Z",
  endedAt: "2026-01-31T09:30:01.000Z",
};

const address = () => "/panel";
const ADDRESSES = { call: address, template: address, file: address, memory: null, stream: "/stream" };

function shown(output: string): string {
  return renderToStaticMarkup(<TurnAnswer addresses={ADDRESSES} isLatest turn={{ ...TURN, output }} />);
}

describe("an answer by a schema", () => {
  it("keeps all digits of its numbers", () => {
    expect(shown('{"invoice": 12345678901234567890}')).toContain("12345678901234567890");
  });

  it("keeps the signs that Markdown has a use for, however long it is", () => {
    const note = `*urgent* __today__ ${"x".repeat(100_000)}`;
    expect(shown(JSON.stringify({ note }))).toContain("*urgent* __today__");
  });

  it("is open where it is short, and by its first level where drawing all of it would take seconds", () => {
    const rows = (count: number) =>
      JSON.stringify({ rows: Array.from({ length: count }, (_, row) => ({ row, of: "tea" })) });
    expect(shown(rows(10))).toContain("tea");
    expect(shown(rows(2_000))).toContain("rows");
    expect(shown(rows(2_000))).not.toContain("tea");
  });
});
