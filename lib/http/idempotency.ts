import { createHash } from "node:crypto";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";
import { invalidField } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import type { ReceivedBody } from "@/lib/http/read-body";
import type { ReceivedFile } from "@/lib/http/received-file";
import { jsonTextResponse } from "@/lib/http/respond";
import { log } from "@/lib/log";
import { claimKey, type KeptResponse } from "@/lib/services/idempotency/claim-key";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponseAfterwards } from "@/lib/services/idempotency/keep-response";
import { releaseKey } from "@/lib/services/idempotency/release-key";

const IDEMPOTENCY_HEADER = "Idempotency-Key";
const REPLAYED_HEADER = "Idempotent-Replayed";

/** What makes a call the same call, after validation. */
export interface SameCall extends ReceivedBody {
  params: unknown;
  query: unknown;
}

/**
 * The key that a call carries; undefined when it has none or its endpoint takes none.
 * @throws AppError VALIDATION_FAILED
 */
export function readIdempotencyKey(request: Request, definition: EndpointDefinition): string | undefined {
  const key = definition.isIdempotent ? request.headers.get(IDEMPOTENCY_HEADER) : null;
  if (key === null) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalidField(IDEMPOTENCY_HEADER, "must have 1 to 255 printable ASCII characters");
  }
  return key;
}

/**
 * Takes the key for a call, or finds its earlier answer (contract §2). A quote starts nothing, so it leaves the key to
 * the call that it is about.
 * @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS
 */
export async function openIdempotency(
  definition: EndpointDefinition,
  principal: Principal | undefined,
  call: SameCall,
  key: string | undefined,
  requestId: string,
): Promise<{ claim?: IdempotencyClaim; kept?: KeptResponse }> {
  if (!principal || key === undefined || (call.query as { dryRun?: boolean }).dryRun) return {};
  const requestHash = hashOf(definition, call);
  const { endUserId, sessionId } = (call.body ?? {}) as NamedInBody;
  return claimKey(principal, { key, requestHash, requestId, endUserId, sessionId, status: definition.response.status });
}

/**
 * Runs the work of a call that holds a key. Services that start work or create keep the answer in their own transaction; for
 * all others it is kept here, right after. A refused call gives its key back.
 */
export async function holdingKey<T>(claim: IdempotencyClaim | undefined, work: () => T | Promise<T>): Promise<T> {
  if (!claim) return work();
  try {
    const result = await work();
    // What was accepted stays accepted: a failure to keep the answer must not refuse it.
    await keepResponseAfterwards(claim, result).catch((error: unknown) =>
      log("warn", "The answer to a call with an idempotency key was not kept.", { requestId: claim.requestId }, error),
    );
    return result;
  } catch (error) {
    // What stays behind is free again when its lease runs out.
    await releaseKey(claim).catch((failure: unknown) =>
      log("warn", "An idempotency key was not given back.", { requestId: claim.requestId }, failure),
    );
    throw error;
  }
}

/** Of the calls that start work, after validation; other bodies have none of these. */
interface NamedInBody {
  endUserId?: string;
  sessionId?: string;
}

/** The earlier answer, as it was. */
export function replay({ status, body }: KeptResponse): Response {
  return jsonTextResponse(status, body, { [REPLAYED_HEADER]: "true" });
}

/** Fields in any order, and the files' bytes, are the same call; the name of a stored file is a label. */
function hashOf(definition: EndpointDefinition, { params, query, body, files }: SameCall): Buffer {
  const content = [endpointName(definition), params, query, body, files.map(fingerprint)];
  return createHash("sha256").update(JSON.stringify(content, sortKeys)).digest();
}

function fingerprint(file: ReceivedFile): string[] {
  return "storageKey" in file ? [file.sha256] : [file.sha256, file.name];
}

function sortKeys(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
