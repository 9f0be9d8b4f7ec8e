import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import type { ActionFailure } from "@/lib/contracts/action-result";
import { describeIssue } from "@/lib/contracts/describe-issue";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { log } from "@/lib/log";
import { isData } from "@/lib/panel/is-data";
import { isServiceAway } from "@/lib/services/health/is-service-away";

const NOT_VALID = "The input is not valid.";
const AWAY = "The service cannot do this right now. Try again.";
/** People know nothing of keys: a form that is sent again carries one by itself. */
const AT_WORK =
  "What you sent before is still at work, or broke off on the way. Nothing more was done: try again in a minute.";

/**
 * Any error as the answer of an action. What is not an `AppError` is logged and answered in neutral words with an id that
 * finds it in the log; Next's own signals (redirect, not found) go on.
 */
export function failureOf(error: unknown, action: string): ActionFailure {
  unstable_rethrow(error);
  if (error instanceof AppError) {
    const { code, message, param, details = [] } = error;
    if (code === "IDEMPOTENCY_IN_PROGRESS") return ofNoField(code, AT_WORK);
    const fields = Object.fromEntries(details.map((detail) => [detail.param, detail.message]));
    if (param !== undefined) fields[param] ??= message;
    return { ok: false, code, message, ...(Object.keys(fields).length > 0 && { fieldErrors: fields }) };
  }
  if (isServiceAway(error)) return ofNoField("SERVICE_UNAVAILABLE", AWAY);
  const requestId = newId("request");
  log("error", "An action of the panel failed.", { requestId, action }, error);
  const message = `Something went wrong on our side. Try again; if it stays, send us this id: ${requestId}`;
  return ofNoField("INTERNAL_ERROR", message);
}

/** Stands with the form until it is sent again: the answer may have come after half a minute, when its reader looks elsewhere. */
function ofNoField(code: ActionFailure["code"], message: string): ActionFailure {
  return { ok: false, code, message, fieldErrors: { "": message } };
}

/** Checks what a browser sent against a schema; gives its output or the answer that names each wrong field. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { input: z.output<Schema> } | { failure: ActionFailure } {
  if (!isData(input)) return { failure: { ok: false, code: "VALIDATION_FAILED", message: NOT_VALID } };
  const result = schema.safeParse(input, { error: describeIssue });
  if (result.success) return { input: result.data };
  const fieldErrors: Record<string, string> = {};
  for (const issue of result.error.issues) fieldErrors[issue.path.join(".")] ??= issue.message;
  const [first] = Object.entries(fieldErrors);
  const message = first ? `${first.join(" ").trim()}.` : NOT_VALID;
  return { failure: { ok: false, code: "VALIDATION_FAILED", message, fieldErrors } };
}
