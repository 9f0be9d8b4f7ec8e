import { expect, it } from "vitest";
import { AppError } from "@/lib/domain/errors";
import { errorResponse, toAppError } from "@/lib/http/error-response";

it("what nobody foresaw is neutral words for the client, and goes to the log as it was", async () => {
  const fault = new Error("column secret_of_ours does not exist");
  const error = toAppError(fault);
  expect(error).toMatchObject({ code: "INTERNAL_ERROR", cause: fault });
  const response = errorResponse(error, "req_1");
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret_of_ours");
});

it("a database that is away is a 503 that says when to come again, and goes to the log as it was", () => {
  const away = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
  const error = toAppError(away);
  expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", cause: away });
  expect(Number(errorResponse(error, "req_1").headers.get("Retry-After"))).toBeGreaterThan(0);
});

it("a database that lacks what a newer migration makes is a 503 too, which says nothing of its tables", async () => {
  const lacking = Object.assign(new Error('column "secret_of_ours" does not exist'), { code: "42703" });
  const response = errorResponse(toAppError(lacking), "req_1");
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await response.text()).not.toContain("secret_of_ours");
});

it("an error of ours stays what it is", () => {
  const error = new AppError("NOT_FOUND", "This was not found.");
  expect(toAppError(error)).toBe(error);
});
