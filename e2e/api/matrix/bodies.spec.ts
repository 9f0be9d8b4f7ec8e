import { expect, test } from "playwright/test";
import { newTemplate } from "@/e2e/api/support/account-states";
import { type Caller, callEndpoint, namesOf, pathOf, pathResource } from "@/e2e/api/support/endpoint-requests";
import { expectError } from "@/e2e/api/support/expect-error";
import { MULTIPART_TYPE } from "@/e2e/api/support/multipart-bytes";
import { rawRequest } from "@/e2e/api/support/raw-request";
import { newCaller } from "@/e2e/support/suite";
import { requestContentTypesOf } from "@/lib/contracts/describe-endpoint";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { prisma } from "@/lib/db/prisma";
import type { ErrorCode } from "@/lib/domain/errors";
import { MAX_JSON_BYTES } from "@/lib/domain/limits";

/** Made from the list of endpoints: each that reads a body × each body that it must refuse. */

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";
const TYPES = [JSON_TYPE, FORM_TYPE, "text/plain", "application/x-www-form-urlencoded", "application/octet-stream"];
const GIGABYTE = 1024 ** 3;

const MALFORMED: Record<string, [what: string, text: string][]> = {
  [JSON_TYPE]: [
    ["that breaks off", '{"message": "x'],
    ["that is a list", "[]"],
    ["that is null", "null"],
    ["that is empty", ""],
  ],
  [FORM_TYPE]: [
    ["without its boundary", "hello"],
    ["that is empty", ""],
  ],
};

let caller: Caller;

test.beforeAll(async () => {
  caller = await newCaller();
});

test.afterAll(async () => {
  const where = { projectId: caller.account.projectId };
  const [sessions, webhooks] = await Promise.all([
    prisma().session.count({ where }),
    prisma().webhookRegistration.count({ where }),
  ]);
  expect({ sessions, webhooks }, "nothing was accepted").toEqual({ sessions: 0, webhooks: 0 });
});

/** An id that nobody has fills the path: the body is looked at first. */
function idFor(definition: EndpointDefinition): string {
  return definition.params ? pathResource(definition).missing() : "";
}

function send(definition: EndpointDefinition, contentType: string | undefined, text: string, length?: number) {
  const { method } = definition;
  return rawRequest({
    method,
    path: pathOf(definition, idFor(definition)),
    headers: {
      "x-api-key": caller.account.apiKey,
      ...(contentType !== undefined && { "content-type": contentType === FORM_TYPE ? MULTIPART_TYPE : contentType }),
      "content-length": String(length ?? Buffer.byteLength(text)),
    },
    body: length === undefined ? Buffer.from(text) : beginning(text),
  });
}

/** The first bytes of a body that said it would be longer. */
async function* beginning(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

for (const definition of ENDPOINTS.filter(({ body }) => body !== undefined)) {
  const accepted = requestContentTypesOf(definition);
  const call = (fields: Record<string, string>) =>
    callEndpoint(definition, { apiKey: caller.account.apiKey, id: idFor(definition), fields });

  test.describe(endpointName(definition), () => {
    for (const contentType of [...TYPES.filter((type) => !accepted.includes(type)), undefined]) {
      test(`415 UNSUPPORTED_MEDIA_TYPE for ${contentType ?? "no Content-Type"}`, async () => {
        expectError(await send(definition, contentType, "{}"), "UNSUPPORTED_MEDIA_TYPE");
      });
    }

    for (const contentType of accepted) {
      const isJson = contentType === JSON_TYPE;
      for (const [what, text] of MALFORMED[contentType] ?? []) {
        if (text === "" && isOptional(definition)) continue;
        const code = isJson ? "INVALID_JSON" : "INVALID_MULTIPART";
        test(`400 ${code} for a body of ${contentType} ${what}`, async () => {
          expectError(await send(definition, contentType, text), code);
        });
      }

      const tooLarge = isJson ? "BODY_TOO_LARGE" : "FILE_TOO_LARGE";
      test(`413 ${tooLarge} for a body of ${contentType} that says it is too long`, async () => {
        const most = isJson ? MAX_JSON_BYTES + 1 : maxFormBytes(definition) + GIGABYTE;
        expectError(await send(definition, contentType, "{", most), tooLarge);
      });
    }

    test("400 VALIDATION_FAILED for a field that it does not know, which it names", async () => {
      expectError(await call({ notAField: "1" }), "VALIDATION_FAILED", { param: "notAField" });
    });

    const url = namesOf(definition.body?.schema).find((name) => name === "url" || name === "callbackUrl");
    for (const [code, value] of [
      ["URL_NOT_HTTPS", "http://client.example/hook"],
      ["URL_NOT_ALLOWED", "https://169.254.169.254/latest"],
    ] satisfies [ErrorCode, string][]) {
      if (url === undefined) continue;
      test(`400 ${code} for ${value} as ${url}`, async () => {
        const id = definition.params ? await pathResource(definition).make(caller) : undefined;
        const fields = { sessionId: undefined, [url]: value };
        expectError(await callEndpoint(definition, { apiKey: caller.account.apiKey, id, fields }), code, {
          param: url,
        });
      });
    }

    if (!namesOf(definition.body?.schema).includes("templateId")) return;
    test("400 TEMPLATE_VARIABLE_MISSING for a template that asks for more", async () => {
      const templateId = await newTemplate(caller.account, "Hello {{who}}");
      const fields = { sessionId: undefined, templateId };
      const answer = await callEndpoint(definition, { apiKey: caller.account.apiKey, fields });
      expectError(answer, "TEMPLATE_VARIABLE_MISSING", { param: "templateVars.who" });
    });
  });
}

function isOptional({ body }: EndpointDefinition): boolean {
  return body?.kind === "json" && body.isOptional === true;
}

function maxFormBytes({ body }: EndpointDefinition): number {
  return body && body.kind !== "json" ? body.file.maxFiles * body.file.maxFileBytes : 0;
}
