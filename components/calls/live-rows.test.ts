import { describe, expect, it } from "vitest";
import { mergeCalls, NO_LIVE_ROWS, takeIn } from "@/components/calls/live-rows";
import type { LoggedCall } from "@/lib/contracts/call-log";

function call(id: string, second: number, more: Partial<LoggedCall> = {}): LoggedCall {
  return {
    id,
    projectId: "prj_1",
    apiKeyId: null,
    requestId: `req_${id}`,
    endpoint: "POST /chat",
    path: "/api/v1/chat",
    status: 202,
    errorCode: null,
    durationMs: 3,
    credits: 0,
    ip: null,
    userAgent: null,
    sessionId: null,
    turnId: null,
    endUserId: null,
    summary: {},
    createdAt: new Date(second * 1_000).toISOString(),
    ...more,
  };
}

const ids = (calls: LoggedCall[]) => calls.map(({ id }) => id);

describe("live rows", () => {
  it("puts what came above what was drawn, newest first, and marks it", () => {
    const rows = takeIn(NO_LIVE_ROWS, [call("b", 2), call("c", 3)], false);
    expect(ids(mergeCalls([call("a", 1)], [call("a", 1)], rows))).toEqual(["c", "b", "a"]);
    expect([...rows.newIds]).toEqual(["b", "c"]);
  });

  it("marks only what came last", () => {
    const rows = takeIn(takeIn(NO_LIVE_ROWS, [call("b", 2)], false), [call("c", 3)], false);
    expect([...rows.newIds]).toEqual(["c"]);
  });

  it("moves no row while the reader is busy, also when the server has drawn the new ones", () => {
    const rows = takeIn(NO_LIVE_ROWS, [call("b", 2)], true);
    expect(ids(mergeCalls([call("a", 1)], [call("b", 2), call("a", 1)], rows))).toEqual(["a"]);
    expect(rows.held).toHaveLength(1);
  });

  it("takes no row from a page that is drawn again: not before the tail has asked whether it may come", () => {
    expect(ids(mergeCalls([call("a", 1)], [call("b", 2), call("a", 1)], NO_LIVE_ROWS))).toEqual(["a"]);
  });

  it("keeps the rows that later ones pushed off the part that is drawn", () => {
    expect(ids(mergeCalls([call("b", 2), call("a", 1)], [call("b", 2)], NO_LIVE_ROWS))).toEqual(["b", "a"]);
  });

  it("shows all that waited when the reader asks for it", () => {
    const held = takeIn(takeIn(NO_LIVE_ROWS, [call("b", 2)], true), [call("c", 3)], true);
    const rows = takeIn(held, [], false);
    expect(ids(mergeCalls([call("a", 1)], [call("a", 1)], rows))).toEqual(["c", "b", "a"]);
    expect(rows.held).toEqual([]);
  });

  it("keeps one order among calls of the same millisecond, whichever came first", () => {
    const rows = takeIn(NO_LIVE_ROWS, [call("b", 1), call("d", 1), call("c", 1)], false);
    expect(ids(mergeCalls([call("e", 2), call("a", 1)], [], rows))).toEqual(["e", "d", "c", "b", "a"]);
  });

  it("shows a call once, as the server knows it", () => {
    const rows = takeIn(NO_LIVE_ROWS, [call("a", 1)], false);
    const merged = mergeCalls([], [call("a", 1, { credits: 7 })], rows);
    expect(merged.map(({ credits }) => credits)).toEqual([7]);
  });

  it("keeps a bounded number of rows, the newest ones", () => {
    const many = Array.from({ length: 400 }, (_, index) => call(String(index), index));
    const rows = takeIn(NO_LIVE_ROWS, many, false);
    expect(rows.shown).toHaveLength(300);
    expect(rows.shown.at(-1)?.id).toBe("399");
    const waiting = takeIn(takeIn(NO_LIVE_ROWS, many, true), [call("400", 400)], true);
    expect(waiting.held).toHaveLength(300);
    expect(waiting.held.at(-1)?.id).toBe("400");
  });
});
