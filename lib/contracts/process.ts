import { z } from "zod";
import { CANCEL_BODY } from "@/lib/contracts/chat";
import { ACCEPT_RANGES_HEADER, ETAG_HEADER } from "@/lib/contracts/describe-endpoint";
import { ANY_TYPE, defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { pageOf, pageQuery, sessionFilters } from "@/lib/contracts/lists";
import { processBody, processListItem, processRecord, startProcessResponse } from "@/lib/contracts/process-records";
import { dryRunQuery, QUOTE_RESPONSE, START_ERRORS } from "@/lib/contracts/starting";
import { MAX_FILE_BYTES } from "@/lib/domain/limits";

/** Processings: a file and an instruction (§2.2, §4.2, contract §4). */

const LIST_ITEM_EXAMPLE = {
  sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab",
  status: "completed",
  fileUrl: "https://files.example/files/8c1f0b6d2e",
  fileName: "report.pdf",
  fileSize: 48_213,
  contentType: "application/pdf",
  prompt: "Summarise this report in three sentences.",
  callbackUrl: null,
  outputType: "text",
  tokensIn: 5_120,
  tokensOut: 96,
  tokensUsed: 5_216,
  creditsUsed: 3,
  cost: { credits: 3, amount: 0.03, currency: "USD" },
  createdAt: "2026-01-31T09:30:00.000Z",
  completedAt: "2026-01-31T09:30:04.120Z",
} as const;

export const processParams = z.object({
  id: fields.idParam("session", "The processing", "`sessionId` of the processing."),
});
const processQuery = z.object({ endUserId: sessionFilters.endUserId });

export const PROCESS_FILE_DESCRIPTION = "The file, at most 500 MB. Its content decides what it is, not its name.";

export const startProcessEndpoint = defineEndpoint({
  method: "POST",
  path: "/process",
  operationId: "startProcess",
  tags: ["Process"],
  summary: "Send a file with an instruction; the AI works in the background.",
  description: [
    "One of `prompt` and `templateId` is required. `uploadId` of POST /uploads may come instead of `file`, for hosts that",
    "limit the size of requests; it is used up when the call is accepted.",
  ].join(" "),
  auth: "key",
  permission: "process",
  isIdempotent: true,
  query: dryRunQuery,
  body: {
    kind: "multipart",
    schema: processBody,
    jsonFields: ["templateVars", "outputSchema"],
    file: {
      field: "file",
      maxFiles: 1,
      maxFileBytes: MAX_FILE_BYTES,
      isRequired: true,
      orField: "uploadId",
      description: PROCESS_FILE_DESCRIPTION,
      exampleNames: ["report.pdf"],
    },
    example: { prompt: LIST_ITEM_EXAMPLE.prompt },
  },
  response: {
    status: 202,
    description: "Accepted. Poll the processing, read its stream, or wait for the callback.",
    schema: startProcessResponse,
    example: { sessionId: LIST_ITEM_EXAMPLE.sessionId, status: "started", fileUrl: LIST_ITEM_EXAMPLE.fileUrl },
  },
  otherResponses: [QUOTE_RESPONSE],
  errors: START_ERRORS,
});

export const listProcessesEndpoint = defineEndpoint({
  method: "GET",
  path: "/process",
  operationId: "listProcesses",
  tags: ["Process"],
  summary: "List processings, newest first.",
  auth: "key",
  permission: "process",
  query: z.object({
    ...pageQuery,
    ...sessionFilters,
    templateId: fields.idReference("Only processings of this template.").optional(),
  }),
  response: {
    status: 200,
    description: "One page of processings, without their output.",
    schema: pageOf("ProcessList", processListItem),
    example: { data: [LIST_ITEM_EXAMPLE], pagination: { limit: 20, offset: 0, total: 1, hasMore: false } },
  },
  errors: [],
});

export const getProcessEndpoint = defineEndpoint({
  method: "GET",
  path: "/process/:id",
  operationId: "getProcess",
  tags: ["Process"],
  summary: "Read a processing: status, output, tokens and cost.",
  auth: "key",
  permission: "process",
  params: processParams,
  query: processQuery,
  response: {
    status: 200,
    description: "The processing.",
    schema: processRecord,
    example: { ...LIST_ITEM_EXAMPLE, output: "Revenue grew by 12 %. Costs stayed flat. The outlook is unchanged." },
  },
  errors: ["NOT_FOUND"],
});

export const cancelProcessEndpoint = defineEndpoint({
  method: "POST",
  path: "/process/:id/cancel",
  operationId: "cancelProcess",
  tags: ["Process"],
  summary: "Stop what is queued or running of a processing.",
  description: [
    "Open work ends as canceled: nothing is charged, reserved credits return, no webhook and no callback tells of it.",
    "A processing with nothing open is left as it is.",
  ].join(" "),
  auth: "key",
  permission: "process",
  params: processParams,
  query: processQuery,
  body: CANCEL_BODY,
  response: {
    status: 200,
    description: "The processing.",
    schema: processRecord,
    example: {
      sessionId: LIST_ITEM_EXAMPLE.sessionId,
      status: "canceled",
      fileUrl: LIST_ITEM_EXAMPLE.fileUrl,
      fileName: LIST_ITEM_EXAMPLE.fileName,
      fileSize: LIST_ITEM_EXAMPLE.fileSize,
      contentType: LIST_ITEM_EXAMPLE.contentType,
      prompt: LIST_ITEM_EXAMPLE.prompt,
      callbackUrl: null,
      tokensIn: 0,
      tokensOut: 0,
      tokensUsed: 0,
      creditsUsed: 0,
      cost: { credits: 0, amount: 0, currency: "USD" },
      createdAt: LIST_ITEM_EXAMPLE.createdAt,
    },
  },
  errors: ["NOT_FOUND"],
});

const FILE_HEADERS = [
  { name: "Content-Disposition", description: "`attachment` with the file's name." },
  ACCEPT_RANGES_HEADER,
  ETAG_HEADER,
];

export const downloadProcessEndpoint = defineEndpoint({
  method: "GET",
  path: "/process/:id/download",
  operationId: "downloadProcess",
  tags: ["Process"],
  summary: "Download the output file.",
  description: [
    "A text output comes as Markdown. Also of a chat whose latest answer is a picture, speech or a video. While a further",
    "question is answered, this is a 409; one that fails or is canceled leaves the latest answer.",
  ].join(" "),
  auth: "key",
  permission: "process",
  params: processParams,
  query: processQuery,
  requestHeaders: [
    { name: "Range", description: "Part of the file, e.g. `bytes=0-1023`." },
    { name: "If-None-Match", description: "The `ETag` of the file that you have: 304 when it is still the same." },
    {
      name: "If-Range",
      description:
        "The `ETag` of the part that you have: `Range` counts only of the same file; else the whole is sent.",
    },
  ],
  response: {
    status: 200,
    description: "The file, with its own Content-Type, as an attachment.",
    contentType: ANY_TYPE,
    headers: FILE_HEADERS,
  },
  otherResponses: [
    {
      status: 206,
      description: "The part of the file that `Range` asks for.",
      contentType: ANY_TYPE,
      headers: [{ name: "Content-Range", description: "Which part this is." }, ...FILE_HEADERS],
    },
    { status: 304, description: "The file is the one that `If-None-Match` names.", headers: FILE_HEADERS },
  ],
  errors: ["NOT_FOUND", "NOT_READY", "RANGE_NOT_SATISFIABLE"],
});
