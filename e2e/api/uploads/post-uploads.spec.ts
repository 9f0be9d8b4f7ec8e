import { expect, test } from "playwright/test";
import { newKey } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError, TIMESTAMP } from "@/e2e/api/support/expect-error";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { MAX_FILE_BYTES } from "@/lib/domain/limits";
import { openTicket } from "@/lib/services/files/upload-ticket";

test.describe("POST /uploads", () => {
  test("201 with an address for that many bytes, which ends within a quarter of an hour", async () => {
    const { api } = await newCaller();
    const { status, headers, body } = await api.post("/uploads", { name: "a.txt", size: 5, contentType: "text/plain" });
    expect(status).toBe(201);
    expectCommonHeaders(headers);
    expect(body).toEqual({
      uploadId: expect.stringMatching(/^v1\./),
      uploadUrl: `${suite.url}/files/${body.uploadId}`,
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      expiresAt: expect.stringMatching(TIMESTAMP),
      maxBytes: 5,
    });
    const { startedAtMs } = openTicket(String(body.uploadId));
    expect(Date.parse(String(body.expiresAt)) - startedAtMs).toBe(15 * 60_000);
  });

  test("413 FILE_TOO_LARGE for a file above 500 MB, before it is sent", async () => {
    const { api } = await newCaller();
    const answer = await api.post("/uploads", { name: "a.txt", size: MAX_FILE_BYTES + 1 });
    expectError(answer, "FILE_TOO_LARGE", { param: "size" });
  });

  const WRONG: [what: string, body: object, param: string][] = [
    ["no name", { size: 5 }, "name"],
    ["an empty name", { name: "", size: 5 }, "name"],
    ["no size", { name: "a" }, "size"],
    ["nothing to upload", { name: "a", size: 0 }, "size"],
    ["half a byte", { name: "a", size: 1.5 }, "size"],
    ["a size that is a text", { name: "a", size: "5" }, "size"],
    ["a field that it does not know", { name: "a", size: 5, endUserId: "x" }, "endUserId"],
  ];
  for (const [what, body, param] of WRONG) {
    test(`400 VALIDATION_FAILED for ${what}`, async () => {
      const { api } = await newCaller();
      expectError(await api.post("/uploads", body), "VALIDATION_FAILED", { param });
    });
  }

  test("403 INSUFFICIENT_PERMISSION for a key that may not process", async () => {
    const { account } = await newCaller();
    const { apiKey } = await newKey(account, { permissions: ["chat"] });
    const answer = await apiClient(suite.url, apiKey).post("/uploads", { name: "a", size: 5 });
    expectError(answer, "INSUFFICIENT_PERMISSION", { message: /process/ });
  });
});
