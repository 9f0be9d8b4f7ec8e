import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BODY_IDLE_SECONDS } from "@/lib/domain/limits";

it("waits longer for a silent body than the service, which then tells its client why", () => {
  const seconds = /client_body_timeout (\d+)s;/.exec(readFileSync("docs/operations.md", "utf8"))?.[1];
  expect(Number(seconds)).toBeGreaterThan(BODY_IDLE_SECONDS);
});
