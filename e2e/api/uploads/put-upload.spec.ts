import { createHash } from "node:crypto";
import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { abandonedRequest, rawRequest } from "@/e2e/api/support/raw-request";
import { askForUpload, putUpload, uploadDirectly } from "@/e2e/api/support/upload-directly";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { openTicket, sealTicket } from "@/lib/services/files/upload-ticket";

test.describe("PUT {storage_url}/files/<ticket>", () => {
  test("204 without a key; the bytes are nobody's to read until they are used", async () => {
    const { api } = await newCaller();
    const given = await askForUpload(api, 5);
    const answer = await putUpload(given, "whole");
    expect(answer.status).toBe(204);
    expectCommonHeaders(answer.headers);
    const { storageKey } = openTicket(given.uploadId);
    for (const key of [storageKey, given.uploadId]) expect((await fetch(`${suite.url}/files/${key}`)).status).toBe(404);
  });

  test("may be sent by pages of any site, which read refusals too; what is stored they may not read", async () => {
    const { api } = await newCaller();
    const given = await askForUpload(api, 5);
    const asked = { "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "content-type" };
    const preflight = await fetch(given.uploadUrl, {
      method: "OPTIONS",
      headers: { Origin: "https://client.example", ...asked },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("PUT");
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/\bContent-Type\b/);
    const refused = await putUpload({ ...given, uploadUrl: `${suite.url}/files/v1.made-up` }, "whole");
    for (const { headers } of [preflight, refused, await putUpload(given, "whole")]) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
    const { body } = await api.upload<{ fileUrl: string }>("/process", { uploadId: given.uploadId, prompt: "Sum up" });
    const stored = await fetch(body.fileUrl);
    expect([stored.status, stored.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  test("takes many megabytes as they come", async () => {
    const { api } = await newCaller();
    const bytes = Buffer.alloc(9_000_001, "0123456789");
    const { uploadId } = await uploadDirectly(api, bytes, "data.txt");
    const { status, body } = await api.upload<{ fileUrl: string }>("/process", { uploadId, prompt: "Sum up" });
    expect(status).toBe(202);
    const stored = await fetch(new URL(new URL(body.fileUrl).pathname, suite.url));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(stored.headers.get("etag")).toBe(`"${sha256}"`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("404 NOT_FOUND for a ticket that is none, is expired, or was used", async () => {
    const { api } = await newCaller();
    const used = await uploadDirectly(api, "whole");
    const expired = await askForUpload(api, 5);
    const ticket = openTicket(expired.uploadId);
    const old = sealTicket({ ...ticket, startedAtMs: ticket.startedAtMs - 15 * 60_000 });
    for (const uploadUrl of [used.uploadUrl, `${suite.url}/files/${old}`, `${suite.url}/files/v1.made-up`]) {
      expectError(await putUpload({ ...used, uploadUrl }, "other"), "NOT_FOUND");
    }
  });

  test("413 FILE_TOO_LARGE at the first byte too many, whether a length is told or not", async () => {
    const { api } = await newCaller();
    const given = await askForUpload(api, 5);
    expectError(await putUpload(given, "longer"), "FILE_TOO_LARGE");
    async function* body() {
      yield Buffer.from("who");
      yield Buffer.from("le and more");
    }
    const path = new URL(given.uploadUrl).pathname;
    expectError(await rawRequest({ method: "PUT", path, body: body() }), "FILE_TOO_LARGE");
    expect((await putUpload(given, "whole")).status).toBe(204);
  });

  test("400 VALIDATION_FAILED for fewer bytes than were announced", async () => {
    const { api } = await newCaller();
    const given = await askForUpload(api, 5);
    expectError(await putUpload(given, "who"), "VALIDATION_FAILED");
    expect((await putUpload(given, "whole")).status).toBe(204);
  });

  test("an upload that breaks off can be sent again", async () => {
    const { api } = await newCaller();
    const given = await askForUpload(api, 1_000_000);
    const { storageKey, startedAtMs } = openTicket(given.uploadId);
    await abandonedRequest({
      method: "PUT",
      path: new URL(given.uploadUrl).pathname,
      headers: { "content-length": "1000000" },
      body: Buffer.alloc(300_000),
    });
    await expect
      .poll(async () => (await putUpload(given, new Uint8Array(1_000_000))).status, { timeout: 15_000 })
      .toBe(204);
    const row = await prisma().pendingUpload.findUniqueOrThrow({ where: { storageKey } });
    expect(row.startedAt.getTime()).toBe(startedAtMs + 1);
  });
});
