import { describeIssue } from "@/lib/contracts/describe-issue";
import type { FileFieldDefinition, MultipartBodyDefinition } from "@/lib/contracts/endpoint-definition";
import type { Principal } from "@/lib/domain/principal";
import { cleanText } from "@/lib/http/clean-text";
import { parseJson } from "@/lib/http/parse-json";
import { receiveMultipart } from "@/lib/http/receive-multipart";
import type { IncomingFile } from "@/lib/http/receive-multipart-form";
import { discardFile, type ReceivedFile } from "@/lib/http/received-file";
import { validate, validationFailed } from "@/lib/http/validate";
import { holdUpload } from "@/lib/services/files/hold-upload";
import { storeUpload } from "@/lib/services/files/store-upload";

const MAX_FIELDS = 50;
/** The longest is `templateVars`; a longer one can go as a template's default or in the file. */
const MAX_FIELD_BYTES = 4 * 1024 * 1024;

/**
 * Streams the files of a multipart body into the store, or reads them into memory where the definition says so, and
 * validates its fields. When it throws, no file is left.
 * @throws AppError INVALID_MULTIPART, VALIDATION_FAILED, FILE_TOO_LARGE
 */
export async function readMultipartBody(
  request: Request,
  definition: MultipartBodyDefinition,
  principal: Principal,
): Promise<{ body: unknown; files: ReceivedFile[] }> {
  const { file } = definition;
  const { fields, files } = await receiveMultipart<ReceivedFile>(request, {
    files: { field: file.field, max: file.maxFiles },
    jsonFields: definition.jsonFields,
    maxFileBytes: file.maxFileBytes,
    maxFields: MAX_FIELDS,
    maxFieldBytes: MAX_FIELD_BYTES,
    refuseLongField: (name, start) => refuseLongField(name, start, definition),
    saveFile: (part: IncomingFile) =>
      file.isHeldInMemory ? holdUpload({ ...part, maxBytes: file.maxFileBytes }) : storeUpload(principal, part),
    discard: discardFile,
  });
  try {
    const body = validate(definition.schema, readFields(fields, definition));
    requireFile(file, fields, files);
    return { body, files };
  } catch (error) {
    await Promise.allSettled(files.map((received) => discardFile(received)));
    throw error;
  }
}

/** The field's own limit, where the schema has one: `MAX_FIELD_BYTES` would be tried next, and refused again. */
function refuseLongField(name: string, start: string, definition: MultipartBodyDefinition): string | undefined {
  if (definition.jsonFields?.includes(name)) return undefined;
  const { error } = definition.schema.safeParse(Object.fromEntries([[name, start]]), { error: describeIssue });
  return error?.issues.find(({ path }) => path.length === 1 && path[0] === name)?.message;
}

function requireFile(file: FileFieldDefinition, fields: Record<string, string>, files: ReceivedFile[]): void {
  const { field, isRequired, orField } = file;
  const isReferred = orField !== undefined && fields[orField] !== undefined;
  if (files.length > 0 && isReferred) {
    throw validationFailed([{ param: orField, message: `must be left out when there is a ${field}` }]);
  }
  if (isRequired && files.length === 0 && !isReferred) {
    throw validationFailed([{ param: field, message: orField ? `is required, or ${orField} instead` : "is required" }]);
  }
}

function readFields(fields: Record<string, string>, definition: MultipartBodyDefinition): Record<string, unknown> {
  const values: [string, unknown][] = Object.entries(fields).map(([name, text]) => [
    name,
    // A byte order mark is no part of JSON, here as little as in a body.
    definition.jsonFields?.includes(name) ? parseJson(text.replace(/^\uFEFF/, ""), name) : cleanText(text, name),
  ]);
  // fromEntries makes own properties: a field named __proto__ stays a field, and an unknown one.
  return Object.fromEntries(values);
}
