import type { Template, UploadTemplateBody } from "@/lib/contracts/template-records";
import { invalidField } from "@/lib/domain/errors";
import {
  findPlaceholderFault,
  isLongerThan,
  MAX_PROMPT_TEMPLATE_CHARACTERS,
  MAX_TEMPLATE_NAME_CHARACTERS,
} from "@/lib/domain/template-limits";
import { decodeUpload } from "@/lib/services/files/decode-upload";
import type { HeldFile } from "@/lib/services/files/hold-upload";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { createTemplate } from "@/lib/services/templates/create-template";
import type { TemplateScope } from "@/lib/services/templates/template-row";

const ENDING = /\.(md|txt)$/i;
/** For a file that is called `.md` and nothing else. */
const FALLBACK_NAME = "Template";

/**
 * Makes a template of a file's content (§4.5, contract §6).
 * @param createdById the person; null for the API
 * @throws AppError VALIDATION_FAILED for another ending, other than UTF-8, NUL characters, or a text too long
 */
export async function uploadTemplate(
  scope: TemplateScope,
  input: UploadTemplateBody,
  file: Pick<HeldFile, "name" | "bytes">,
  createdById: string | null = null,
  idempotency?: IdempotencyClaim,
): Promise<Template> {
  if (!ENDING.test(file.name)) throw invalidField("file", "must be a .md or .txt file");
  const promptTemplate = readText(file.bytes);
  return createTemplate(
    scope,
    { ...input, name: input.name ?? nameOf(file.name), promptTemplate },
    createdById,
    idempotency,
  );
}

function readText(bytes: Uint8Array): string {
  const text = decodeUpload(bytes);
  if (text === "") throw invalidField("file", "is empty; send a file with content");
  if (text.includes("\0")) throw invalidField("file", "must not contain NUL characters");
  if (isLongerThan(text, MAX_PROMPT_TEMPLATE_CHARACTERS)) {
    throw invalidField("file", `must have at most ${MAX_PROMPT_TEMPLATE_CHARACTERS} characters`);
  }
  const fault = findPlaceholderFault(text);
  if (fault) throw invalidField("file", fault);
  return text;
}

function nameOf(fileName: string): string {
  const name = [...fileName.replace(ENDING, "")].slice(0, MAX_TEMPLATE_NAME_CHARACTERS).join("").trim();
  return name === "" ? FALLBACK_NAME : name;
}
