import { z } from "zod";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { MAX_OPEN_UPLOADS, UPLOAD_BEGIN_MINUTES, UPLOAD_USE_MINUTES } from "@/lib/domain/limits";

/** (beyond) Files that go to the store by themselves, for hosts that limit the body of a request. */

const MAX_NAME_CHARACTERS = 1_000;
const MAX_TYPE_CHARACTERS = 200;

export const createUploadBody = z.strictObject({
  name: z.string().min(1).max(MAX_NAME_CHARACTERS).meta({ description: "Name of the file, as a label." }),
  size: fields
    .wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .meta({ description: "Bytes of the file, exactly; at most 500 MB." }),
  contentType: z
    .string()
    .max(MAX_TYPE_CHARACTERS)
    .optional()
    .meta({ description: "What the file is, as far as you know. Its content decides." }),
});

export const createUploadResponse = z
  .object({
    uploadId: z.string().meta({ description: "For `uploadId` of POST /process, once." }),
    uploadUrl: z.string().meta({ description: "Where the bytes go. Needs no API key.", format: "uri" }),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()).meta({ description: "Headers that go along with the bytes." }),
    expiresAt: fields.timestamp("The upload has to begin before."),
    maxBytes: fields.total("The announced size."),
  })
  .meta({ id: "CreateUploadResponse" });

export type CreateUploadBody = z.output<typeof createUploadBody>;
export type CreateUploadResponse = z.output<typeof createUploadResponse>;

export const createUploadEndpoint = defineEndpoint({
  method: "POST",
  path: "/uploads",
  operationId: "createUpload",
  tags: ["Process"],
  summary: "Get an address to upload a file to, for POST /process by reference.",
  description: [
    "Send the file's bytes to `uploadUrl` with `method` and `headers`, then call POST /process with `uploadId` instead of",
    `the file. The upload has to begin within ${UPLOAD_BEGIN_MINUTES} minutes and to be used within`,
    `${UPLOAD_USE_MINUTES}; it is good for one processing. At most ${MAX_OPEN_UPLOADS} of a project may wait to be used.`,
  ].join(" "),
  auth: "key",
  permission: "process",
  isIdempotent: true,
  body: {
    kind: "json",
    schema: createUploadBody,
    example: { name: "report.pdf", size: 48_213, contentType: "application/pdf" },
  },
  response: {
    status: 201,
    description: "The address. Nothing is stored yet.",
    schema: createUploadResponse,
    example: {
      uploadId: "v1.k3Jq0w8nE5xTzB1c",
      uploadUrl: "https://files.example/files/v1.k3Jq0w8nE5xTzB1c",
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      expiresAt: "2026-01-31T09:45:00.000Z",
      maxBytes: 48_213,
    },
  },
  errors: ["FILE_TOO_LARGE"],
});
