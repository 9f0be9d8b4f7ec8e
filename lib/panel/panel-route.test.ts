import { describe, expect, it, onTestFinished, vi } from "vitest";
import { guardPanel } from "@/lib/panel/guard-action";
import type { PanelContext } from "@/lib/panel/panel-context";
import { panelRoute } from "@/lib/panel/panel-route";
import { mayStill } from "@/lib/services/members/may-still";

vi.mock("next/headers", () => ({ headers: vi.fn(), cookies: vi.fn() }));
vi.mock("@/lib/panel/guard-action", async (original) => ({
  ...(await original<typeof import("@/lib/panel/guard-action")>()),
  guardPanel: vi.fn(),
}));
vi.mock("@/lib/services/members/may-still", () => ({ mayStill: vi.fn() }));

const CONTEXT = { session: { sessionId: "uss_1" }, account: { id: "acc_1" } } as PanelContext;

describe("a route of the panel", () => {
  it("lets go of the body that nobody reads when it is asked for its head, which stays as it is", async () => {
    vi.mocked(guardPanel).mockResolvedValue(CONTEXT);
    const letGo = vi.fn();
    const get = panelRoute("sessions.view", () => {
      const body = new ReadableStream({ cancel: letGo });
      return new Response(body, { status: 206, headers: { "Content-Type": "text/event-stream" } });
    });
    const ask = (method: string) =>
      get(new Request("https://service.example/panel", { method }), { params: Promise.resolve({}) });
    const head = await ask("HEAD");
    expect([head.status, head.headers.get("Content-Type"), head.body]).toEqual([206, "text/event-stream", null]);
    expect(letGo).toHaveBeenCalledOnce();
    expect((await ask("GET")).body).not.toBeNull();
    expect(letGo).toHaveBeenCalledOnce();
  });

  it("gives an answer that takes long for as long as whoever asked may have it", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    vi.mocked(guardPanel).mockResolvedValue(CONTEXT);
    vi.mocked(mayStill).mockResolvedValue(false);
    const get = panelRoute("sessions.view", () => new Response(new ReadableStream()));
    const { body } = await get(new Request("https://service.example/panel"), { params: Promise.resolve({}) });
    const read = expect(body?.getReader().read()).rejects.toMatchObject({ name: "AbortError" });
    await vi.advanceTimersByTimeAsync(5_000);
    await read;
    expect(mayStill).toHaveBeenCalledExactlyOnceWith({ sessionId: "uss_1", accountId: "acc_1" }, "sessions.view");
  });

  it("is kept by no cache and taken for no other kind, and finds nothing by what cannot be an id", async () => {
    vi.mocked(guardPanel).mockResolvedValue(CONTEXT);
    const handler = vi.fn(() => new Response("x"));
    const ask = (id: string) =>
      panelRoute("sessions.view", handler)(new Request("https://service.example/panel"), {
        params: Promise.resolve({ id }),
      });
    const { headers } = await ask("ses_1");
    expect([headers.get("Cache-Control"), headers.get("X-Content-Type-Options")]).toEqual([
      "private, no-store",
      "nosniff",
    ]);
    expect((await ask("ses_\u0000")).status).toBe(404);
    expect(handler).toHaveBeenCalledOnce();
  });

  it("says when to come again where the database is away, as pages and the API do", async () => {
    vi.mocked(guardPanel).mockRejectedValue(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
    const get = panelRoute("sessions.view", () => new Response("x"));
    const answer = await get(new Request("https://service.example/panel"), { params: Promise.resolve({}) });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } });
  });
});
