import { RESPONSE_HEADERS, responseHeadersOf } from "@/lib/contracts/describe-endpoint";
import type { EndpointDefinition, HeaderDefinition, ResponseDefinition } from "@/lib/contracts/endpoint-definition";
import { ERROR_MEANINGS, errorResponse } from "@/lib/contracts/errors";
import type { JsonSchema, UseSchema } from "@/lib/contracts/json-schema";
import { ERROR_CODES, type ErrorCode } from "@/lib/domain/errors";

/** An answer to a call that is taken. */
export function success(definition: EndpointDefinition, response: ResponseDefinition, use: UseSchema): JsonSchema {
  const { status, description, schema, contentType, example, headers = [] } = response;
  const isJson = contentType === undefined;
  const hasContent = schema !== undefined || !isJson;
  const raw = contentType?.startsWith("text/")
    ? { type: "string" }
    : { type: "string", format: "binary", contentMediaType: "application/octet-stream" };
  return {
    description,
    headers: headerMap([...responseHeadersOf(definition, status), ...headers]),
    ...(hasContent
      ? {
          content: {
            [contentType ?? "application/json"]: {
              schema: schema ? use(schema, "output") : raw,
              ...(example === undefined ? {} : { example }),
            },
          },
        }
      : {}),
  };
}

/** All answers of a status to a call that is refused. */
export function failure(
  definition: EndpointDefinition,
  status: number,
  codes: ErrorCode[],
  use: UseSchema,
): JsonSchema {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join(" "),
    headers: headerMap(responseHeadersOf(definition, status)),
    content: {
      "application/json": {
        schema: use(errorResponse, "output"),
        examples: Object.fromEntries(codes.map((code) => [code, { summary: code, value: errorExample(code) }])),
      },
    },
  };
}

function errorExample(code: ErrorCode): JsonSchema {
  return {
    error: {
      code,
      message: ERROR_MEANINGS[code],
      retryable: ERROR_CODES[code].retryable,
      requestId: "req_01k8z3v5n6f0mve1q5t9d2x7ab",
    },
  };
}

/** Shared headers by reference, an endpoint's own ones in place. */
function headerMap(headers: readonly HeaderDefinition[]): JsonSchema {
  return Object.fromEntries(
    headers.map((header) => [
      header.name,
      RESPONSE_HEADERS.includes(header) ? { $ref: `#/components/headers/${header.name}` } : headerObject(header),
    ]),
  );
}

/** A header of an answer. */
export function headerObject({ description, type = "string", isRequired = true }: HeaderDefinition): JsonSchema {
  return { description, required: isRequired, schema: { type } };
}
