import type { RouteFunction } from "@/lib/http/route";

/** What a route file exports: a function per method. */
export type RouteModule = Partial<Record<string, RouteFunction>>;

/**
 * The routes that the server answers in front of Next, by the folder of their route file. Loaded at their first call: the
 * client of the job engine must not be made before the engine has its address.
 */
export const LANE_ROUTES: Record<string, () => Promise<object>> = {
  "/api/[[...path]]": () => import("@/app/api/[[...path]]/route"),
  "/api/inngest": () => import("@/app/api/inngest/route"),
  "/api/v1/[[...path]]": () => import("@/app/api/v1/[[...path]]/route"),
  "/api/v1/account": () => import("@/app/api/v1/account/route"),
  "/api/v1/b2b/send": () => import("@/app/api/v1/b2b/send/route"),
  "/api/v1/chat": () => import("@/app/api/v1/chat/route"),
  "/api/v1/chat/[sessionId]": () => import("@/app/api/v1/chat/[sessionId]/route"),
  "/api/v1/chat/[sessionId]/cancel": () => import("@/app/api/v1/chat/[sessionId]/cancel/route"),
  "/api/v1/chat/[sessionId]/delete": () => import("@/app/api/v1/chat/[sessionId]/delete/route"),
  "/api/v1/chat/[sessionId]/retry": () => import("@/app/api/v1/chat/[sessionId]/retry/route"),
  "/api/v1/chat/[sessionId]/stream": () => import("@/app/api/v1/chat/[sessionId]/stream/route"),
  "/api/v1/chat/[sessionId]/stream-links": () => import("@/app/api/v1/chat/[sessionId]/stream-links/route"),
  "/api/v1/chat/sessions": () => import("@/app/api/v1/chat/sessions/route"),
  "/api/v1/docs": () => import("@/app/api/v1/docs/route"),
  "/api/v1/health": () => import("@/app/api/v1/health/route"),
  "/api/v1/health/live": () => import("@/app/api/v1/health/live/route"),
  "/api/v1/health/ready": () => import("@/app/api/v1/health/ready/route"),
  "/api/v1/openapi.json": () => import("@/app/api/v1/openapi.json/route"),
  "/api/v1/process": () => import("@/app/api/v1/process/route"),
  "/api/v1/process/[id]": () => import("@/app/api/v1/process/[id]/route"),
  "/api/v1/process/[id]/cancel": () => import("@/app/api/v1/process/[id]/cancel/route"),
  "/api/v1/process/[id]/delete": () => import("@/app/api/v1/process/[id]/delete/route"),
  "/api/v1/process/[id]/download": () => import("@/app/api/v1/process/[id]/download/route"),
  "/api/v1/process/[id]/retry": () => import("@/app/api/v1/process/[id]/retry/route"),
  "/api/v1/process/batch": () => import("@/app/api/v1/process/batch/route"),
  "/api/v1/streams/[ticket]": () => import("@/app/api/v1/streams/[ticket]/route"),
  "/api/v1/templates": () => import("@/app/api/v1/templates/route"),
  "/api/v1/templates/[id]": () => import("@/app/api/v1/templates/[id]/route"),
  "/api/v1/templates/[id]/versions": () => import("@/app/api/v1/templates/[id]/versions/route"),
  "/api/v1/templates/upload": () => import("@/app/api/v1/templates/upload/route"),
  "/api/v1/uploads": () => import("@/app/api/v1/uploads/route"),
  "/api/v1/usage": () => import("@/app/api/v1/usage/route"),
  "/b2b/[[...path]]": () => import("@/app/b2b/[[...path]]/route"),
  "/b2b/partners/[partnerId]/webhooks": () => import("@/app/b2b/partners/[partnerId]/webhooks/route"),
  "/b2b/webhooks/[webhookId]/test": () => import("@/app/b2b/webhooks/[webhookId]/test/route"),
  "/files/[key]": () => import("@/app/files/[key]/route"),
  "/v1/[[...path]]": () => import("@/app/v1/[[...path]]/route"),
};

/** People's sign-in, below the lane's paths: it belongs to next-auth, which wants Next around it. */
export const LEFT_TO_NEXT = "/api/auth";

/** Other addresses of the same routes: Next's rewrites (next.config.ts). */
export const LANE_ALIASES: Record<string, string> = { "/openapi.json": "/api/v1/openapi.json" };

/**
 * Begins a path of the API whose base address lacks all of `/api/v1`, and none of a page. Answered as one that lacks a part of it;
 * by Next's rewrites, too.
 */
const WITHOUT_PREFIX = /^\/(?:account|chat|health|process|streams|templates|uploads|usage)(?=\/|$)/;

/** Where the route of a path is looked up. */
export function addressOf(path: string): string {
  return LANE_ALIASES[path] ?? (WITHOUT_PREFIX.test(path) ? `/v1${path}` : path);
}
