import { describe, expect, it } from "vitest";
import { asOpenApi } from "@/components/docs/reference/openapi";
import { referenceAddress, referenceGroups } from "@/components/docs/reference/reference-entries";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { makeOpenApi } from "@/lib/contracts/openapi-document";

const DOCUMENT = asOpenApi(makeOpenApi(ENDPOINTS, { hostUrl: "https://api.example", serviceName: "Example" }));
const ENTRIES = referenceGroups(DOCUMENT).flatMap(({ entries }) => entries);
const entry = (name: string) => ENTRIES.find(({ method, base, path }) => `${method} ${base}${path}` === name);

describe("referenceGroups", () => {
  it("has every endpoint once, each at an address of its own", () => {
    expect(ENTRIES.map(({ id }) => id).toSorted()).toEqual(ENDPOINTS.map(({ operationId }) => operationId).toSorted());
    expect(new Set(ENTRIES.map(referenceAddress)).size).toBe(ENDPOINTS.length);
  });

  it("says where each stands, also those at the host's root", () => {
    expect(entry("POST /api/v1/chat")?.id).toBe("startChat");
    expect(entry("POST /b2b/webhooks/{webhookId}/test")?.base).toBe("");
  });

  it("says what each does and what it needs, and neither twice", () => {
    expect(entry("GET /api/v1/chat/{sessionId}")).toMatchObject({
      summary: "Read a session with its messages.",
      text: "Needs the permission `chat`.",
    });
  });
});
