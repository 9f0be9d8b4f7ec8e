import { describe, expect, it } from "vitest";
import { referenceGroups } from "@/components/docs/reference-entries";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { makeOpenApi } from "@/lib/contracts/openapi-document";

const GROUPS = referenceGroups(makeOpenApi(ENDPOINTS, { hostUrl: "https://api.example", serviceName: "Example" }));
const ENTRIES = GROUPS.flatMap(({ entries }) => entries);
const entry = (name: string) => ENTRIES.find(({ method, base, path }) => `${method} ${base}${path}` === name);

describe("referenceGroups", () => {
  it("has every endpoint once, each at an address of its own", () => {
    expect(ENTRIES).toHaveLength(ENDPOINTS.length);
    expect(new Set(ENTRIES.map(({ anchor }) => anchor)).size).toBe(ENDPOINTS.length);
  });

  it("says where each stands, also those at the host's root", () => {
    expect(entry("POST /api/v1/chat")?.anchor).toBe("tag/chat/POST/chat");
    expect(entry("POST /b2b/webhooks/{webhookId}/test")?.base).toBe("");
  });

  it("says what each does and what it needs, and neither twice", () => {
    expect(entry("GET /api/v1/chat/{sessionId}")).toMatchObject({
      summary: "Read a session with its messages.",
      text: "Needs the permission `chat`.",
    });
  });

  it("names the fields of path, query, headers and body, and which are required", () => {
    const fields = entry("PUT /api/v1/templates/{id}")?.fields ?? [];
    expect(fields).toContainEqual(expect.objectContaining({ name: "id", place: "path", isRequired: true }));
    const chat = entry("POST /api/v1/chat")?.fields ?? [];
    expect(chat).toContainEqual(expect.objectContaining({ name: "message", place: "body", isRequired: false }));
    expect(chat).toContainEqual(expect.objectContaining({ name: "Idempotency-Key", place: "header" }));
    const created = entry("POST /api/v1/templates")?.fields ?? [];
    expect(created).toContainEqual(expect.objectContaining({ name: "name", place: "body", isRequired: true }));
  });

  it("says of every good answer what it is, and of fields what the document says", () => {
    for (const { answers } of ENTRIES) {
      expect(answers.length).toBeGreaterThan(0);
      expect(answers.every(({ text }) => text.length > 0)).toBe(true);
    }
    const described = ENTRIES.flatMap(({ fields }) => fields).filter(({ text }) => text.length > 0);
    expect(described.length).toBeGreaterThan(50);
    const files = entry("POST /api/v1/process/batch")?.fields.find(({ name }) => name === "file");
    expect(files?.text).toContain("at most");
  });
});
