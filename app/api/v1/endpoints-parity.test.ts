import { readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { endpointName, endpointPath } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import type { EndpointFunction } from "@/lib/http/endpoint";

const APP = resolve("app");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

/** Route files below the API's roots, except those that answer for unknown paths. */
const routeFiles = ["api/v1", "b2b"].flatMap((root) =>
  readdirSync(resolve(APP, root), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("route.ts") && !file.includes("[[..."))
    .map((file) => resolve(APP, root, file)),
);

/** app/api/v1/chat/[sessionId]/route.ts serves /api/v1/chat/:sessionId. */
function pathOf(file: string): string {
  return `/${relative(APP, file)
    .replace(/\/route\.ts$/, "")
    .replaceAll(/\[(\w+)\]/g, ":$1")}`;
}

type RouteModule = Partial<Record<(typeof METHODS)[number], Partial<EndpointFunction>>>;

describe("routes and definitions", () => {
  const modules = new Map<string, RouteModule>();

  beforeAll(async () => {
    for (const file of routeFiles) modules.set(pathOf(file), (await import(file)) as RouteModule);
  }, 30_000);

  it.each(ENDPOINTS.map((definition) => [endpointName(definition), definition] as const))(
    "%s is served by the route of its path",
    (_name, definition) => {
      expect(modules.get(endpointPath(definition))?.[definition.method]?.definition).toBe(definition);
    },
  );

  it("serves no method that has no definition", () => {
    const served = [...modules].flatMap(([path, module]) =>
      METHODS.filter((method) => module[method]?.definition).map((method) => `${method} ${path}`),
    );
    const defined = ENDPOINTS.map((definition) => `${definition.method} ${endpointPath(definition)}`);
    expect(served.sort()).toEqual(defined.sort());
  });

  it.each(routeFiles.map((file) => [pathOf(file)] as const))("%s answers to every method", (path) => {
    expect(METHODS.filter((method) => typeof modules.get(path)?.[method] !== "function")).toEqual([]);
  });
});
