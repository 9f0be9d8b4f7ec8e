import { expect } from "playwright/test";
import type { ApiResponse } from "@/e2e/support/api-client";
import { suite } from "@/e2e/support/suite";
import { ERROR_CODES, type ErrorCode } from "@/lib/domain/errors";

export interface ExpectedError {
  /** The field that the error names. */
  param?: string;
  /** What the message has to say. */
  message?: string | RegExp;
  /** Where it is not what the code's rule says. */
  retryable?: boolean;
}

/** What a stack, a query or a path of the server would leave in a message. */
const LEAKS = /\bat \S+:\d+|node_modules|SELECT |INSERT |UPDATE |\/lib\/|\.ts\b|ECONN|prisma|SECRET/i;

/** Fails unless the answer is that error, in the contract's shape (contract §2), with nothing else in it. */
export function expectError(response: ApiResponse<unknown>, code: ErrorCode, expected: ExpectedError = {}): void {
  const { status, headers, body } = response as ApiResponse<{ error?: Record<string, unknown> }>;
  const { param, details, ...always } = body.error ?? {};
  const found = {
    status,
    headers: commonHeaders(headers),
    type: headers.get("content-type"),
    body: { ...body, error: always },
  };
  expect(found, JSON.stringify(body)).toEqual({
    status: ERROR_CODES[code].status,
    headers: COMMON_HEADERS,
    type: "application/json; charset=utf-8",
    body: {
      error: {
        code,
        message: expect.stringMatching(/^\S.*\.$/s),
        retryable: expected.retryable ?? ERROR_CODES[code].retryable,
        docUrl: `${suite.url}/docs/errors#${code}`,
        requestId: headers.get("x-request-id"),
      },
    },
  });
  expect(always.message).not.toMatch(LEAKS);
  if (expected.param !== undefined) expect(param, String(always.message)).toBe(expected.param);
  if (expected.message !== undefined) expect(always.message).toMatch(expected.message);
  if (details !== undefined) {
    expect(details).toContainEqual({ param: expect.any(String), message: expect.any(String) });
    expect(param).toBe((details as { param: string }[])[0]?.param);
  }
}

const COMMON_HEADERS = {
  "x-request-id": expect.stringMatching(/^req_[0-9a-hjkmnp-tv-z]{26}$/),
  "cache-control": expect.stringMatching(/\bno-store\b/),
  "x-content-type-options": "nosniff",
  "x-powered-by": null,
};

function commonHeaders(headers: Headers): Record<string, string | null> {
  return Object.fromEntries(Object.keys(COMMON_HEADERS).map((name) => [name, headers.get(name)]));
}

/** What every response carries (contract §2); one look for all, since each look keeps its place in the test and takes a while. */
export function expectCommonHeaders(headers: Headers): void {
  expect(commonHeaders(headers)).toEqual(COMMON_HEADERS);
}

/** A body without what differs from call to call, for comparing two errors. */
export function withoutRequestId({ status, body }: ApiResponse<unknown>): unknown {
  const { error } = body as { error: Record<string, unknown> };
  return { status, error: { ...error, requestId: undefined } };
}

/** ISO 8601 UTC with milliseconds. */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
