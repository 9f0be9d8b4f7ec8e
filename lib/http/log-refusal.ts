import { type EndpointDefinition, endpointPath } from "@/lib/contracts/endpoint-definition";
import { readApiCredentials } from "@/lib/domain/api-credentials";
import { clientIp } from "@/lib/domain/client-ip";
import type { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { env } from "@/lib/env";
import { summarizeAnswer, userAgentOf } from "@/lib/http/summarize-call";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import { findKeyOwner } from "@/lib/services/api-keys/find-key-owner";
import { callLog } from "@/lib/services/call-log/call-log-buffer";

/** A call that no endpoint serves. */
export interface RefusedCall {
  method: string;
  /** Absent where the path is none of the API's: such a call is in nobody's log. */
  headers?: Pick<Headers, "get">;
  /** Any endpoint of the path; absent where the path does not exist either. */
  definition?: EndpointDefinition;
}

const UNKNOWN_PATH = "(unknown path)";
/** Nobody waits for these look-ups: without a bound they would pile up while the database is slow. */
const MAX_LOOKUPS = 1_000;

const lookups = processSingleton("refusal-lookups", () => ({ underWay: 0 }));

/**
 * Notes a call to a path or with a method that does not exist in the call log of the account whose key it carries (§5.9).
 * Goes on beside the answer, which waits for nothing of it; a call whose key cannot be looked up has no row. Never rejects.
 */
export async function logRefusal(
  { method, headers, definition }: RefusedCall,
  requestId: string,
  error: AppError,
  response: Response,
): Promise<void> {
  if (!headers || lookups.underWay >= MAX_LOOKUPS) return;
  lookups.underWay += 1;
  try {
    const key = credentialsOf(headers);
    if (key === undefined) return;
    const call = {
      id: newId("call"),
      requestId,
      // The path that a client made up is its own words; a method is one of those that node's parser knows.
      endpoint: `${method} ${definition?.path ?? UNKNOWN_PATH}`,
      path: definition ? endpointPath(definition) : UNKNOWN_PATH,
      status: response.status,
      errorCode: error.code,
      durationMs: 0,
      ip: clientIp(headers, env().TRUSTED_PROXY_HOPS),
      userAgent: userAgentOf(headers),
      sessionId: null,
      endUserId: null,
      isStart: false,
      summary: summarizeAnswer(response, undefined),
      receivedAtMs: performance.now(),
    };
    const owner = await findKeyOwner(key);
    if (owner) callLog().add({ ...call, ...owner });
  } catch (cause) {
    log("warn", "A refused call is not in the call log.", { requestId }, cause);
  } finally {
    lookups.underWay -= 1;
  }
}

/** Undefined where there is none, or two that differ: nobody's call. */
function credentialsOf(headers: Pick<Headers, "get">): string | undefined {
  try {
    return readApiCredentials(headers);
  } catch {
    return undefined;
  }
}
