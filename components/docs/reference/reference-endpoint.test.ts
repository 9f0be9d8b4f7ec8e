import { describe, expect, it } from "vitest";
import { asOpenApi } from "@/components/docs/reference/openapi";
import { type ReferenceEndpoint, referenceEndpoint } from "@/components/docs/reference/reference-endpoint";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { makeOpenApi } from "@/lib/contracts/openapi-document";

const DOCUMENT = asOpenApi(makeOpenApi(ENDPOINTS, { hostUrl: "https://api.example", serviceName: "Example" }));

describe("referenceEndpoint", () => {
  it("knows every endpoint, and says of each good answer what it is", () => {
    for (const { operationId } of ENDPOINTS) {
      const { answers } = endpoint(operationId);
      expect(answers.length, operationId).toBeGreaterThan(0);
      expect(answers.every(({ status, text }) => /^2\d\d$/.test(status) && text !== "")).toBe(true);
      for (const { contentType, example } of answers) {
        if (contentType === "application/json") expect(example, operationId).toMatch(/^[{[]/);
      }
    }
    expect(referenceEndpoint(DOCUMENT, "nowhere")).toBeUndefined();
  });

  it("puts the fields of a call under their places, with what is required", () => {
    expect(names(endpoint("startChat"))).toMatchObject({
      Query: ["dryRun", "maxCredits"],
      Headers: ["Idempotency-Key"],
    });
    const [path, body] = endpoint("updateTemplate").parts;
    expect(path).toMatchObject({ title: "Path", fields: [{ name: "id", isRequired: true }] });
    expect(body?.title).toBe("Body");
    const created = endpoint("createTemplate").parts.find(({ title }) => title === "Body")?.fields ?? [];
    expect(created.find(({ name }) => name === "name")).toMatchObject({ isRequired: true, type: "string" });
    expect(created.find(({ name }) => name === "description")?.isRequired).toBe(false);
  });

  it("says as what a body is sent, and what goes instead of what", () => {
    expect(note("startProcess")).toBe(
      "As `multipart/form-data`. Needs `prompt` or `templateId`, and `file` or `uploadId`.",
    );
    expect(note("send")).toBe(
      "As `multipart/form-data` or `application/json`. Needs `prompt` or `message` or `templateId`.",
    );
    expect(note("cancelProcess")).toBe("As `application/json`. May be left out.");
    expect(names(endpoint("send")).Body).toContain("file");
  });

  it("has what stands in an answer, its headers, and the body as it is written", () => {
    const [answer] = endpoint("getChatSession").answers;
    const messages = answer?.fields.find(({ name }) => name === "messages");
    expect(messages).toMatchObject({ type: "array of objects", isRequired: true });
    expect(messages?.fields.map(({ name }) => name)).toContain("role");
    expect(answer?.headers.map(({ name }) => name)).toContain("X-Request-Id");
    expect(JSON.parse(answer?.example ?? "")).toHaveProperty("messages");
    expect(endpoint("streamChatSession").answers[0]?.example).toContain("event: ");
    expect(endpoint("deleteTemplate").answers[0]).toMatchObject({ status: "204", contentType: undefined });
  });

  it("has the usual answer before that to a dry run", () => {
    expect(endpoint("startChat").answers.map(({ status }) => status)).toEqual(["202", "200"]);
    expect(endpoint("streamChatSession").answers.map(({ status }) => status)).toEqual(["200", "204"]);
  });

  it("names every code that it is refused with, and what it means", () => {
    const { refusals } = endpoint("startChat");
    expect(refusals).toContainEqual(expect.objectContaining({ status: "402", code: "INSUFFICIENT_CREDITS" }));
    expect(refusals.every(({ text }) => text.length > 10)).toBe(true);
  });

  it("leads on to every other endpoint", () => {
    const seen: string[] = [];
    for (let id: string | undefined = ENDPOINTS[0]?.operationId; id; id = endpoint(id).next?.id) seen.push(id);
    expect(seen.toSorted()).toEqual(ENDPOINTS.map(({ operationId }) => operationId).toSorted());
    expect(endpoint(seen[1] ?? "").previous?.id).toBe(seen[0]);
  });
});

function endpoint(id: string): ReferenceEndpoint {
  const found = referenceEndpoint(DOCUMENT, id);
  if (!found) throw new Error(`${id} is not in the reference.`);
  return found;
}

function names({ parts }: ReferenceEndpoint): Record<string, string[]> {
  return Object.fromEntries(parts.map(({ title, fields }) => [title, fields.map(({ name }) => name)]));
}

function note(id: string): string | undefined {
  return endpoint(id).parts.find(({ title }) => title === "Body")?.note;
}
