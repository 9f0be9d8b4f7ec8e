import { describe, expect, it } from "vitest";
import { endpointName, endpointPath } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { nearEndpoint } from "@/lib/contracts/near-endpoint";

describe("nearEndpoint", () => {
  it.each([
    ["POST", "/api/v1/b2b/partners/acc_1/webhooks", "POST /b2b/partners/:partnerId/webhooks"],
    ["POST", "/api/v1/b2b/webhooks/wh_1/test", "POST /b2b/webhooks/:webhookId/test"],
    ["POST", "/b2b/send", "POST /api/v1/b2b/send"],
    ["POST", "/api/v1/api/v1/chat", "POST /api/v1/chat"],
    ["POST", "/v1/chat", "POST /api/v1/chat"],
    ["GET", "/api/chat/ses_1", "GET /api/v1/chat/:sessionId"],
    ["POST", "/api/v2/process", "POST /api/v1/process"],
    ["POST", "/api/v1/Chat", "POST /api/v1/chat"],
    ["POST", "/api/v1/chats", "POST /api/v1/chat"],
    ["POST", "/api/v1/processes", "POST /api/v1/process"],
    ["GET", "/api/v1/template/tpl_1", "GET /api/v1/templates/:id"],
    ["DELETE", "/api/v1/template/tpl_1", "DELETE /api/v1/templates/:id"],
    ["GET", "/api/v1/chats/session/", "GET /api/v1/chat/sessions"],
    ["GET", "/api/v1/b2b/partners/acc_1/webhooks", "POST /b2b/partners/:partnerId/webhooks"],
  ])("%s %s meant %s", (method, pathname, meant) => {
    expect(nearEndpoint(ENDPOINTS, method, pathname)).toBe(meant);
  });

  it.each([
    "/api/v1/",
    "/api/v1",
    "/api",
    "/v1",
    "/v1/nothing",
    "/b2b",
    "/api/v1/end-users",
    "/api/v1/x/y/z",
    "/api/v1/%00",
    "/api/v1/constructor",
  ])("nothing is near to %s", (pathname) => {
    expect(nearEndpoint(ENDPOINTS, "GET", pathname)).toBeUndefined();
  });

  it("finds every endpoint by its own path", () => {
    for (const each of ENDPOINTS) {
      const [method] = endpointName(each).split(" ");
      expect(nearEndpoint(ENDPOINTS, method ?? "", endpointPath(each).toUpperCase())).toContain(`${method} `);
    }
  });
});
