import { createHash } from "node:crypto";
import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { samplePng } from "@/e2e/api/support/sample-files";
import { startProcessing } from "@/e2e/api/support/start-processing";
import { apiClient } from "@/e2e/support/api-client";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

/** Nobody's client: stored files are read by their address alone. */
const anyone = apiClient(suite.url);

async function storeFile(file: File): Promise<string> {
  const { api } = await newCaller();
  return new URL((await startProcessing(api, file)).fileUrl).pathname;
}

test.describe("GET {storage_url}/files/<key>", () => {
  test("gives the uploaded bytes back, exactly, without a key", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256));
    const path = await storeFile(new File([bytes], "data.bin"));
    const response = await anyone.fetch(`/${path}`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("content-length")).toBe("300000");
    expect(response.headers.get("etag")).toBe(`"${createHash("sha256").update(bytes).digest("hex")}"`);
  });

  const ACTIVE: [what: string, text: string, type: string][] = [
    ["HTML", "<!doctype html><script>alert(1)</script>", "text/html"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "image/svg+xml"],
    ["XML", '<?xml version="1.0"?><x/>', "application/xml"],
    ["a script", "alert(1)", "text/javascript"],
  ];
  for (const [what, text, type] of ACTIVE) {
    test(`never lets a browser run ${what}`, async () => {
      const response = await anyone.fetch(`/${await storeFile(new File([text], "x", { type }))}`);
      expect(await response.text()).toBe(text);
      expectCommonHeaders(response.headers);
      expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
      expect(response.headers.get("content-disposition")).toMatch(/^attachment;/);
      expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    });
  }

  test("serves ranges, HEAD and conditional requests", async () => {
    const png = samplePng();
    const path = `/${await storeFile(new File([new Uint8Array(png)], "dot.png", { type: "image/png" }))}`;
    const part = await anyone.fetch(path, { headers: { range: "bytes=1-3" } });
    expect([part.status, await part.text(), part.headers.get("content-type")]).toEqual([206, "PNG", "image/png"]);
    const head = await anyone.fetch(path, { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("content-length")]).toEqual([200, "", String(png.length)]);
    const behind = await anyone.fetch(path, { headers: { range: `bytes=${png.length}-` } });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, `bytes */${png.length}`]);
    const known = await anyone.fetch(path, { headers: { "if-none-match": head.headers.get("etag") ?? "" } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const changed = await anyone.fetch(path, { headers: { range: "bytes=1-3", "if-range": '"other"' } });
    expect([changed.status, (await changed.arrayBuffer()).byteLength]).toEqual([200, png.length]);
  });

  test("404 JSON for a key that nobody has, one with a path in it, and a file that was deleted", async () => {
    const path = await storeFile(new File(["x"], "a.txt"));
    const keys = [
      "0".repeat(40),
      "x",
      "..%2F..%2Fetc%2Fpasswd",
      `${path.slice(7)}.part`,
      path.slice(7).toUpperCase(),
      "%00",
    ];
    for (const key of keys) expectError(await anyone.get(`//files/${key}`), "NOT_FOUND");
    await prisma().storedFile.update({ where: { storageKey: path.slice(7) }, data: { deletedAt: new Date() } });
    expectError(await anyone.get(`/${path}`), "NOT_FOUND");
  });
});
