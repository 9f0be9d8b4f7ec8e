import { describe, expect, it, vi } from "vitest";
import { guardPanel } from "@/lib/panel/guard-action";
import type { PanelContext } from "@/lib/panel/panel-context";
import { panelRoute } from "@/lib/panel/panel-route";

vi.mock("next/headers", () => ({ headers: vi.fn(), cookies: vi.fn() }));
vi.mock("@/lib/panel/guard-action", async (original) => ({
  ...(await original<typeof import("@/lib/panel/guard-action")>()),
  guardPanel: vi.fn(),
}));

describe("a route of the panel", () => {
  it("lets go of the body that nobody reads when it is asked for its head, which stays as it is", async () => {
    vi.mocked(guardPanel).mockResolvedValue({
      session: { sessionId: "uss_1" },
      account: { id: "acc_1" },
    } as PanelContext);
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
});
