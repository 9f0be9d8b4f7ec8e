import { z } from "zod";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import { PROCESS_FILE_DESCRIPTION } from "@/lib/contracts/process";
import { startProcessBody, startProcessResponse } from "@/lib/contracts/process-records";
import { batchQuery, START_ERRORS } from "@/lib/contracts/starting";
import { MAX_BATCH_FILES, MAX_FILE_BYTES } from "@/lib/domain/limits";

/** Many files with one instruction (§4.2, contract §4). */

export const startBatchResponse = z
  .array(startProcessResponse)
  .meta({ id: "StartBatchResponse", description: "One item for each file, in the order of the files." });

export type StartBatchResponse = z.output<typeof startBatchResponse>;

const ITEM_EXAMPLE = { status: "started", fileUrl: "https://files.example/files/8c1f0b6d2e" } as const;

export const startBatchEndpoint = defineEndpoint({
  method: "POST",
  path: "/process/batch",
  operationId: "startBatch",
  tags: ["Process"],
  summary: "Send many files with one instruction; each becomes a processing.",
  description: `1 to ${MAX_BATCH_FILES} files; either all are accepted or none. The other fields apply to each file. While work waits for a place, chats and single files pass by.`,
  auth: "key",
  permission: "process",
  isIdempotent: true,
  query: batchQuery,
  body: {
    kind: "multipart",
    schema: startProcessBody,
    jsonFields: ["templateVars", "outputSchema"],
    file: {
      field: "file",
      maxFiles: MAX_BATCH_FILES,
      maxFileBytes: MAX_FILE_BYTES,
      isRequired: true,
      description: `${PROCESS_FILE_DESCRIPTION} Repeat the field for each file; \`file[]\` and \`file[0]\` are the same.`,
      exampleNames: ["may.pdf", "june.pdf"],
    },
    example: { prompt: "Summarise this report in three sentences." },
  },
  response: {
    status: 202,
    description: "All are accepted. Poll each processing, read its stream, or wait for the callbacks.",
    schema: startBatchResponse,
    example: [
      { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab", ...ITEM_EXAMPLE },
      { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ac", ...ITEM_EXAMPLE },
    ],
  },
  errors: START_ERRORS,
});
