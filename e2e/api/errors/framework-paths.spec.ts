import { expect, test } from "playwright/test";
import { rawRequest } from "@/e2e/api/support/raw-request";
import { samplePng } from "@/e2e/api/support/sample-files";
import { startProcessing } from "@/e2e/api/support/start-processing";
import { findAction } from "@/e2e/support/call-action";
import { newCaller, suite } from "@/e2e/support/suite";

/** Addresses that packages answer, not we: what they take from strangers. */

const MEGABYTE = 1024 * 1024;
const FORM = "application/x-www-form-urlencoded";

/** As a browser or anybody else sends it, without a session. */
const post = (path: string, contentType: string, body: string) =>
  fetch(`${suite.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": contentType, Origin: suite.url },
    body,
  });

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

test("the sign-in reads no more than a sign-in has, whoever sends it", async () => {
  const response = await post("/api/auth/callback/credentials", FORM, `email=${"a".repeat(MEGABYTE)}`);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: "BODY_TOO_LARGE" } });
  // One of the usual size comes as far as the check of its token.
  const small = await post("/api/auth/callback/credentials", FORM, "email=nobody%40example.test&password=x");
  expect([small.status, small.headers.get("location")]).toEqual([302, expect.stringContaining("csrf=true")]);
  const question = await fetch(`${suite.url}/api/auth/providers`, { headers: { "Content-Type": "application/json" } });
  expect([question.status, Object.keys(await question.json())]).toEqual([200, ["credentials"]]);
});

test("the sign-in keeps nothing that strangers report of themselves", async () => {
  const report = JSON.stringify({ level: "error", code: "The database is gone." });
  const response = await post("/api/auth/_log", "application/json", report);
  expect([response.status, await response.text()]).toEqual([204, ""]);
});

test("a call of an action makes no objects of what no page sends, whoever sends it", async () => {
  const action = findAction({ file: "app/panel/(auth)/actions.ts", name: "requestResetAction" });
  const call = (body: string | FormData) =>
    fetch(`${suite.url}${action?.path}`, {
      method: "POST",
      headers: { Accept: "text/x-component", "Next-Action": action?.id ?? "", Origin: suite.url },
      body,
    });
  const deep = "[".repeat(MEGABYTE) + "]".repeat(MEGABYTE);
  const form = new FormData();
  form.append("0", '["$1"]');
  form.append("1", deep);
  for (const body of [deep, form]) {
    const refused = await call(body);
    expect([refused.status, await refused.text()]).toEqual([400, "No page of this service sends such a call.\n"]);
    expect(refused.headers.get("x-request-id")).toMatch(/^req_/);
  }
  expect((await call(`["${"a".repeat(5 * MEGABYTE)}"]`)).status).toBe(413);
  // One of the usual size comes as far as the action.
  expect(await (await call('[{"email":""}]')).text()).toContain('"code":"VALIDATION_FAILED"');
});

test("the job endpoint reads no more than its engine sends", async () => {
  const path = "/api/inngest?fnId=answer-turn&stepId=step";
  const response = await post(path, "application/json", `{"a":"${"a".repeat(17 * MEGABYTE)}"}`);
  expect(response.status).toBe(413);
  expect((await post(path, "application/json", "{}")).status).toBe(401);
});

test("what is no JSON is told so, and is no fault of ours", async () => {
  for (const path of ["/api/auth/signout", "/api/inngest?fnId=answer-turn&stepId=step"]) {
    for (const body of ["{", "-", "email=x"]) {
      const response = await post(path, "application/json", body);
      expect([path, body, response.status]).toEqual([path, body, 400]);
      expect(await response.json()).toMatchObject({ error: { code: "INVALID_JSON" } });
    }
  }
  // A script of next-auth's may send none at all.
  expect((await post("/api/auth/signout", "application/json", "")).status).toBe(400);
});

test.describe("a call of an action that cannot be read", () => {
  const at = (path: string, headers: Record<string, string>, body: string) =>
    fetch(`${suite.url}${path}`, { method: "POST", headers: { Origin: suite.url, ...headers }, body });
  const action = findAction({ file: "app/panel/(auth)/actions.ts", name: "requestResetAction" });
  const text = { "Next-Action": action?.id ?? "", "Content-Type": "text/plain" };
  const UNREADABLE: [what: string, headers: Record<string, string>, body: string][] = [
    ["no JSON", text, "{"],
    ["no list", text, "5"],
    ["a part that is not there", text, '["$B1"]'],
    ["another site's", { ...text, Origin: "https://evil.example" }, "[]"],
    ["of no site", { ...text, Origin: "evil" }, "[]"],
    ["a form without an end", { "Content-Type": "multipart/form-data; boundary=x" }, "--x"],
    ["of another build", { ...text, "Next-Action": `40${"a".repeat(40)}` }, "[]"],
    ["of no build", { ...text, "Next-Action": "toString" }, "[]"],
  ];
  test("is no fault of ours", async () => {
    for (const [what, headers, body] of UNREADABLE) {
      const response = await at(action?.path ?? "", headers, body);
      expect([what, response.status], await response.text()).toEqual([what, what === "of another build" ? 409 : 400]);
    }
  });
});

test("what says of a page that it is shown already and cannot be read gets all of the next page", async () => {
  for (const state of ["", "x", "%", "[]", encodeURIComponent('["",{"children":5}]')]) {
    const headers = { RSC: "1", "Next-Router-State-Tree": state };
    const response = await fetch(`${suite.url}/panel/sign-in`, { headers });
    expect([state, response.status]).toEqual([state, 200]);
    expect(await response.text()).toContain("Sign in");
  }
});

test("a sign-in that cannot be read is no fault of ours", async () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${suite.url}/api/auth/${path}`, { headers });
  for (const path of [
    "session?callbackUrl=x",
    "csrf?callbackUrl=http://[",
    "error?error=%0d%0aa",
    "error?error=%E2%82%AC",
  ])
    expect([path, (await get(path)).status]).toEqual([path, 400]);
  const spoilt = await get("providers", { Cookie: "panel.return=javascript%3Ax" });
  expect([spoilt.status, spoilt.headers.get("set-cookie")]).toEqual([
    400,
    expect.stringMatching(/^panel\.return=;.*Max-Age=0/),
  ]);
  const fetched = await get("callback/credentials");
  expect([fetched.status, fetched.headers.get("allow")]).toEqual([405, "POST"]);
  for (const callbackUrl of [5, ["x"], "http://[", "https://evil.example", "//evil.example", "\u0000"]) {
    const response = await post("/api/auth/signin/credentials", "application/json", JSON.stringify({ callbackUrl }));
    const leadsTo = new URL(response.headers.get("location") ?? "https://nowhere.example", suite.url);
    expect([callbackUrl, response.status, leadsTo.origin]).toEqual([callbackUrl, 302, new URL(suite.url).origin]);
  }
});

const UNSERVED = [
  ...["HEAD", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "TRACE"].map((method) => [method, "/api/inngest"] as const),
  ...["/api/auth/session", "/panel/usage/export.csv", "/panel", "/docs"].map((path) => ["TRACE", path] as const),
];

for (const [method, path] of UNSERVED) {
  test(`${method} ${path} is refused, and is no fault of ours`, async () => {
    const { status, headers } = await rawRequest({ method, path });
    expect([status, headers.get("allow")]).toEqual([405, expect.stringContaining("GET")]);
  });
}
