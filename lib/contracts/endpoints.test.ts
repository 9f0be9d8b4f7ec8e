import { expect, it } from "vitest";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

/** As specification §5 and contract §5 have it, and not as the definitions do: the other tests ask those what to expect. */
const WHO_MAY_CALL = {
  "GET /health": "everybody",
  "GET /health/live": "everybody",
  "GET /health/ready": "everybody",
  "GET /openapi.json": "everybody",
  "GET /streams/:ticket": "everybody",

  "GET /account": "any key",
  "GET /usage": "any key",
  "GET /docs": "any key",
  "POST /b2b/partners/:partnerId/webhooks": "any key",
  "POST /b2b/webhooks/:webhookId/test": "any key",

  "POST /process": "process",
  "POST /process/batch": "process",
  "GET /process": "process",
  "GET /process/:id": "process",
  "GET /process/:id/download": "process",
  "POST /process/:id/cancel": "process",
  "POST /process/:id/retry": "process",
  "POST /process/:id/delete": "process",
  "POST /uploads": "process",

  "POST /chat": "chat",
  "GET /chat/sessions": "chat",
  "GET /chat/:sessionId": "chat",
  "GET /chat/:sessionId/stream": "chat",
  "POST /chat/:sessionId/stream-links": "chat",
  "POST /chat/:sessionId/cancel": "chat",
  "POST /chat/:sessionId/retry": "chat",
  "POST /chat/:sessionId/delete": "chat",

  "POST /b2b/send": "b2bSend",

  "GET /templates": "templates",
  "POST /templates": "templates",
  "POST /templates/upload": "templates",
  "GET /templates/:id": "templates",
  "PUT /templates/:id": "templates",
  "DELETE /templates/:id": "templates",
  "GET /templates/:id/versions": "templates",
};

it("asks of each endpoint for the permission that the specification names", () => {
  const asked = ENDPOINTS.map((definition) => {
    const { auth, permission } = definition;
    return [endpointName(definition), auth === "none" ? "everybody" : (permission ?? "any key")];
  });
  expect(Object.fromEntries(asked)).toEqual(WHO_MAY_CALL);
});
