import { test } from "playwright/test";
import type { ResponseObserver } from "@/e2e/support/api-client";
import { recordCoverage } from "@/e2e/support/record-coverage";
import { documentedResponse, endpointsAt, errorMismatch } from "@/e2e/support/validate-response-schemas";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";

/** An answer of the service. */
export interface SeenResponse {
  method: string;
  /** From the host's root, without the query. */
  path: string;
  status: number;
  headers: Headers;
  /** Undefined: not read, because it is a stream or a file. */
  text: string | undefined;
}

/**
 * Holds every answer that a test gets against the OpenAPI document, and notes which test saw which status.
 * @throws Error when the document does not describe the answer: the test fails
 */
export const validateResponse: ResponseObserver = async ({ method, url }, response) => {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const hasNoBody = method === "HEAD" || response.status === 204;
  const text = isJson && !hasNoBody ? await response.clone().text() : hasNoBody ? "" : undefined;
  const path = new URL(response.url || url).pathname;
  validateSeen({ method, path, status: response.status, headers: response.headers, text });
};

/** The same for an answer that was read already. @throws Error when the document does not describe it */
export function validateSeen(seen: SeenResponse): void {
  const { endpoint, problems } = findProblems(seen);
  if (problems.length > 0) {
    const { method, path, status, text = "" } = seen;
    throw new Error(
      `${method} ${path} answered ${status}, not as the OpenAPI document says: ${problems.join("; ")}.\n${text.slice(0, 2_000)}`,
    );
  }
  if (!endpoint) return;
  const code = seen.status >= 400 ? codeOf(parse(seen.text)) : undefined;
  recordCoverage({
    operation: endpointName(endpoint),
    status: seen.status,
    ...(code !== undefined && { code }),
    test: titleOfTest(),
  });
}

/** What the document does not say of an answer; nothing for what is not under the API's roots. */
export function findProblems(seen: SeenResponse): { endpoint: EndpointDefinition | undefined; problems: string[] } {
  const { method, path } = seen;
  if (!/^\/(api\/v1|b2b)(\/|$)/.test(path)) return { endpoint: undefined, problems: [] };
  const there = endpointsAt(path);
  const served = method === "HEAD" ? "GET" : method;
  const endpoint = there.find((definition) => definition.method === served);
  const problems = endpoint ? ofEndpoint(endpoint, seen) : ofNoEndpoint(there, seen);
  return { endpoint: method === "HEAD" ? undefined : endpoint, problems };
}

function ofEndpoint(endpoint: EndpointDefinition, { method, status, headers, text }: SeenResponse): string[] {
  const documented = documentedResponse(endpoint, status);
  if (!documented) return [`its definition does not list the status ${status}`];
  const problems = documented.requiredHeaders.flatMap(({ name, isInteger }) => {
    const value = headers.get(name);
    if (value === null) return [`the header ${name} is missing`];
    return isInteger && !/^\d+$/.test(value) ? [`the header ${name} is "${value}", not a whole number`] : [];
  });
  if (method === "HEAD") return problems;
  const { contentType, codes } = documented;
  const given = headers.get("content-type");
  if (contentType === undefined) return [...problems, ...(text ? ["it has a body"] : [])];
  if (contentType !== "*/*" && given?.split(";")[0] !== contentType) {
    return [...problems, `its Content-Type is ${given}, not ${contentType}`];
  }
  if (contentType !== "application/json") return problems;
  const body = parse(text);
  const mismatch = documented.mismatch(body);
  const code = codes.length > 0 ? codeOf(body) : undefined;
  const isUnlisted = codes.length > 0 && !codes.includes(code ?? "");
  return [
    ...problems,
    ...(mismatch === null ? [] : [mismatch]),
    ...(isUnlisted ? [`the code ${code} is not listed for this status`] : []),
  ];
}

/** A path or a method that the document does not have: an error in the shape that all errors share. */
function ofNoEndpoint(there: EndpointDefinition[], { method, status, headers, text }: SeenResponse): string[] {
  const expected = there.length === 0 ? 404 : method === "OPTIONS" ? 204 : 405;
  const mismatch = expected === 204 || method === "HEAD" ? null : errorMismatch(parse(text));
  return [
    ...(status === expected ? [] : [`the document has no such ${there.length === 0 ? "path" : "method"}`]),
    ...(headers.has("x-request-id") ? [] : ["the header X-Request-Id is missing"]),
    ...(there.length > 0 && !headers.has("allow") ? ["the header Allow is missing"] : []),
    ...(mismatch === null ? [] : [mismatch]),
  ];
}

/** Of an error. */
function codeOf(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return typeof error?.code === "string" ? error.code : undefined;
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** Before the first test of a file there is none. */
function titleOfTest(): string {
  try {
    return test.info().titlePath.join(" › ");
  } catch {
    return "(outside of tests)";
  }
}
