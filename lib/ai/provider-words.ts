import type { APIError } from "openai";

/**
 * What a refusal is about, by its code or its words: OpenAI's own errors have codes, and each compatible server has words of its
 * own. Only what is sure is told apart; all else is what its status says.
 */

/**
 * The status of a refusal. Of one that comes in a stream, which began as a good answer, its code: routers put the status there.
 */
export function statusOf({ status, code }: Pick<APIError, "status" | "code">): number {
  if (status !== undefined) return status;
  if (code === "rate_limit_exceeded") return 429;
  const inStream = Number(code ?? Number.NaN);
  // Without any: no connection, or a server that says only that it failed.
  return inStream >= 400 && inStream < 600 ? inStream : 503;
}

/** Waiting does not help: somebody has to pay the provider first. */
export function isQuotaUsedUp(error: APIError): boolean {
  return (
    statusOf(error) === 402 ||
    error.code === "insufficient_quota" ||
    error.type === "insufficient_quota" ||
    /credit balance is too low/i.test(error.message)
  );
}

/** The key, or who has it, is not accepted. A 403 is a router's word for what it does not want to see, too. */
export function isKeyRefused(error: APIError): boolean {
  const status = statusOf(error);
  if (status === 403) return !/moderation|flagged/i.test(error.message);
  return status === 401 || (status === 400 && /api key not valid|invalid api key/i.test(error.message));
}

/** The server has no such model, or no deployment of that name. */
export function isModelUnknown(error: APIError): boolean {
  const { code, message } = error;
  if (code === "model_not_found" || code === "DeploymentNotFound") return true;
  const status = statusOf(error);
  if (status === 404) return /\bmodels?\b/i.test(message);
  return status === 400 && /\binvalid model\b|\bnot a valid model\b|\bmodel not (exist|found)\b/i.test(message);
}

/** Nothing that answers is at the address: some servers say so with the status of a good answer. */
export function isAddressWrong(error: APIError): boolean {
  const status = statusOf(error);
  return status === 404 || status === 405 || (error.status === undefined && /unexpected endpoint/i.test(error.message));
}

/** What is refused by a limit of requests or tokens in some time, whatever the status: some say of one that is too large that it is 413. */
export function isOfLimit(error: APIError): boolean {
  return statusOf(error) === 429 || error.code === "rate_limit_exceeded";
}

/** More was sent than the model, or the server, takes at once. */
export function isTooLong(error: APIError): boolean {
  const { code, type, message } = error;
  const status = statusOf(error);
  // More at once than the limit of a minute is never taken, however long one waits.
  if (status === 429) return /\brequest too large\b/i.test(message);
  return (
    status === 413 ||
    code === "context_length_exceeded" ||
    type === "exceed_context_size_error" ||
    TOO_LONG.test(message)
  );
}

const TOO_LONG = new RegExp(
  [
    "(maximum|max|exceeds?|exceed|exceeded)( the| this| its)?( model's| available| configured)? context",
    "context (length|size|window)( has been| was| is)? exceeded",
    "(prompt|input|request) (is |was )?too (long|large)",
    "too large for model",
    "(input|prompt) (token count|length|tokens?)[^.]{0,40} exceed",
    "maximum (prompt|input|allowed input) length",
    "(greater|longer|larger) than the context",
    "tokens [^.]{0,40}must be <=",
  ].join("|"),
  "i",
);

/** The model takes no pictures, or its server none for it. */
export function arePicturesRefused(error: APIError): boolean {
  const status = statusOf(error);
  return status !== 429 && status !== 401 && PICTURES_REFUSED.test(error.message);
}

const PICTURES_REFUSED = new RegExp(
  [
    "(does not|doesn't|do not|don't|not) support(s|ed)? (image|picture|vision|multimodal)",
    "(image|vision|multimodal) inputs? (is|are) not (supported|enabled)",
    "not a multimodal model",
    "endpoints? found that supports? image",
    "unknown variant [`'\"]?image_url",
    "unsupported content part type:? [`'\"]?image_url",
    "at most 0 image",
  ].join("|"),
  "i",
);
