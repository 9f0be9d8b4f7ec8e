import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { routeMatcher } from "@/app/_lane/match-route";
import { addressOf, LANE_ALIASES, LANE_ROUTES, LEFT_TO_NEXT } from "@/app/_lane/routes";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import nextConfig from "@/next.config";

const FOLDERS = ["api", "b2b", "files", "v1"];

const match = routeMatcher(Object.keys(LANE_ROUTES), LEFT_TO_NEXT);

describe("the lane's routes", () => {
  it("are the route files of the API, the stored files and the job endpoint, all of them", () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(`app/${folder}`, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith("/route.ts"))
        .map((path) => `/${folder}/${path.slice(0, -"/route.ts".length)}`),
    );
    expect(Object.keys(LANE_ROUTES).sort()).toEqual(
      files.filter((path) => !path.startsWith(`${LEFT_TO_NEXT}/`)).sort(),
    );
  });

  it("load the file that they are named after", async () => {
    const loaders = Object.entries(LANE_ROUTES).map(([route, load]) => [route, String(load)] as const);
    for (const [route, source] of loaders) expect(source).toContain(`app${route}/route`);
  });

  it("have the other addresses that Next rewrites to them", async () => {
    const rewrites = ((await nextConfig.rewrites?.()) ?? []) as { source: string; destination: string }[];
    expect(rewrites.filter(({ destination }) => destination in LANE_ROUTES)).toEqual(
      Object.entries(LANE_ALIASES).map(([source, destination]) => ({ source, destination })),
    );
  });
});

describe("a path whose base address lacks all of /api/v1", () => {
  const BESIDE = ["b2b", "docs", "openapi.json"];
  const begins = [...new Set(ENDPOINTS.map(({ path }) => path.split("/")[1] ?? ""))].filter(
    (begin) => !BESIDE.includes(begin),
  );

  it.each(begins)(
    "is told where it is, by the lane and by Next's rewrites, and has no page's headers: /%s",
    async (begin) => {
      expect(addressOf(`/${begin}`)).toBe(`/v1/${begin}`);
      expect(addressOf(`/${begin}/x`)).toBe(`/v1/${begin}/x`);
      expect(addressOf(`/${begin}s-of-mine`)).toBe(`/${begin}s-of-mine`);
      const rewrites = ((await nextConfig.rewrites?.()) ?? []) as { source: string; destination: string }[];
      const rewrite = rewrites.find(({ destination }) => destination === "/v1/:endpoint/:rest*");
      expect(
        rewrite?.source
          .match(/^\/:endpoint\((.*)\)\/:rest\*$/)?.[1]
          ?.split("|")
          .toSorted(),
      ).toEqual(begins.toSorted());
      const [pages] = (await nextConfig.headers?.()) ?? [];
      for (const path of [`/${begin}`, `/${begin}/x`]) expect(path).not.toMatch(new RegExp(`^${pages?.source}$`));
      expect(`/${begin}-of-mine`).toMatch(new RegExp(`^${pages?.source}$`));
    },
  );
});

describe("a path", () => {
  it.each<[string, string, Record<string, string>]>([
    ["/api/v1/chat", "/api/v1/chat", {}],
    ["/api/v1/chat/sessions", "/api/v1/chat/sessions", {}],
    ["/api/v1/chat/ses_1", "/api/v1/chat/[sessionId]", { sessionId: "ses_1" }],
    ["/api/v1/chat/ses_1/stream", "/api/v1/chat/[sessionId]/stream", { sessionId: "ses_1" }],
    ["/api/v1/chat/a%2Fb", "/api/v1/chat/[sessionId]", { sessionId: "a/b" }],
    ["/api/v1/chat/%E0%A4%A", "/api/v1/chat/[sessionId]", { sessionId: "%E0%A4%A" }],
    ["/api/v1/process/batch", "/api/v1/process/batch", {}],
    ["/api/v1/process/batch/download", "/api/v1/process/[id]/download", { id: "batch" }],
    ["/b2b/partners/acc_1/webhooks", "/b2b/partners/[partnerId]/webhooks", { partnerId: "acc_1" }],
    ["/files/abc", "/files/[key]", { key: "abc" }],
    ["/api/v1", "/api/v1/[[...path]]", {}],
    ["/api/v1/end-users", "/api/v1/[[...path]]", {}],
    ["/api/v1/chat/a/b/c", "/api/v1/[[...path]]", {}],
    ["/api/v1/chat//stream", "/api/v1/[[...path]]", {}],
    ["/b2b/anything", "/b2b/[[...path]]", {}],
    ["/api", "/api/[[...path]]", {}],
    ["/api/v10", "/api/[[...path]]", {}],
    ["/api/chat", "/api/[[...path]]", {}],
    ["/v1/chat", "/v1/[[...path]]", {}],
  ])("%s is served by %s", (path, route, params) => {
    expect(match(path)).toEqual({ route, params });
  });

  it.each([
    "/",
    "/panel",
    "/v10",
    "/api/auth",
    "/api/auth/session",
    "/api/auth/callback/credentials",
    "/files",
    "/files/a/b",
    "/b2bx",
    "*",
    "http://x/api/v1",
  ])("%s is Next's", (path) => {
    expect(match(path)).toBeNull();
  });
});
