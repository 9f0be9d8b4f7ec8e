import { expect } from "vitest";
import { z } from "zod";
import { errorResponse } from "@/lib/contracts/errors";
import { ERROR_CODES } from "@/lib/domain/errors";

const strictError = z.strictObject({ error: errorResponse.shape.error.strict() });

/**
 * The error of a response, after checking that it has the contract's exact shape, status and headers.
 * @param retryable where it is otherwise than the code's rule says
 */
export async function readApiError(response: Response, hostUrl: string, retryable?: boolean) {
  const { error } = strictError.parse(await response.json());
  expect(response.status).toBe(ERROR_CODES[error.code].status);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(error.requestId).toBe(response.headers.get("x-request-id"));
  expect(error.retryable).toBe(retryable ?? ERROR_CODES[error.code].retryable);
  expect(error.docUrl).toBe(`${hostUrl}/docs/errors#${error.code}`);
  return error;
}
