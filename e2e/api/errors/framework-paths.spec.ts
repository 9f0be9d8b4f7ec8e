import { expect, test } from "playwright/test";
import { samplePng } from "@/e2e/api/support/sample-files";
import { startProcessing } from "@/e2e/api/support/start-processing";
import { newCaller, suite } from "@/e2e/support/suite";

/** Addresses that packages answer, not we: what they take from strangers. */

test("Next's image endpoint opens no uploaded file: it would keep copies that no deletion reaches", async () => {
  const { api } = await newCaller();
  const file = new File([new Uint8Array(samplePng())], "dot.png", { type: "image/png" });
  const path = new URL((await startProcessing(api, file)).fileUrl).pathname;
  const response = await fetch(`${suite.url}/_next/image?url=${encodeURIComponent(path)}&w=640&q=75`);
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  expect(response.headers.get("content-security-policy")).toContain("'nonce-");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});
