import { describe, expect, it } from "vitest";
import { readApiCredentials } from "@/lib/domain/api-credentials";
import { AppError } from "@/lib/domain/errors";

function read(headers: Record<string, string>): string {
  try {
    return readApiCredentials(new Headers(headers));
  } catch (error) {
    return error instanceof AppError ? error.code : "?";
  }
}

describe("readApiCredentials", () => {
  it.each<[string, Record<string, string>, string]>([
    ["X-API-Key", { "X-API-Key": "bld_a" }, "bld_a"],
    ["a bearer token", { Authorization: "Bearer bld_a" }, "bld_a"],
    ["a bearer token in any case", { Authorization: "bEARER   bld_a " }, "bld_a"],
    ["both when they agree", { "X-API-Key": "bld_a", Authorization: "Bearer bld_a" }, "bld_a"],
    ["X-API-Key beside another scheme", { "X-API-Key": "bld_a", Authorization: "Basic abc" }, "bld_a"],
    ["INVALID_API_KEY when they differ", { "X-API-Key": "bld_a", Authorization: "Bearer bld_b" }, "INVALID_API_KEY"],
    ["MISSING_API_KEY without both", {}, "MISSING_API_KEY"],
    ["MISSING_API_KEY for empty ones", { "X-API-Key": " ", Authorization: "Bearer " }, "MISSING_API_KEY"],
    ["MISSING_API_KEY for another scheme alone", { Authorization: "Basic abc" }, "MISSING_API_KEY"],
  ])("reads %s", (_what, headers, expected) => {
    expect(read(headers)).toBe(expected);
  });
});
