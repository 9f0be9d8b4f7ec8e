import { expect, test } from "playwright/test";
import { suite } from "@/e2e/support/suite";

test("every answer has an id of its own, pages and their parts too, whatever the client sends", async () => {
  const [icon, ...paths] = ["/icon.svg", "/", "/docs/errors", "/panel", "/panel/sign-in", "/nowhere", "/api/auth/csrf"];
  const ids: (string | null)[] = [];
  for (const path of [icon, icon, ...paths]) {
    const { headers } = await fetch(suite.url + path, { redirect: "manual", headers: { "x-request-id": "mine" } });
    expect(headers.get("x-request-id"), path).toMatch(/^req_[0-9a-z]{26}$/);
    ids.push(headers.get("x-request-id"));
  }
  expect(new Set(ids).size).toBe(ids.length);
});
