import { z } from "zod";
import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
  ResponseBodyOf,
} from "@/lib/contracts/endpoint-definition";
import { clientIp } from "@/lib/domain/client-ip";
import type { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { env } from "@/lib/env";
import { authorize, authorizeAgain, authorizeStill } from "@/lib/http/authorize";
import { errorResponse, toAppError } from "@/lib/http/error-response";
import type { Exchange } from "@/lib/http/exchange";
import { letPagesRead } from "@/lib/http/for-pages";
import { holdingKey, openIdempotency, readIdempotencyKey, replay } from "@/lib/http/idempotency";
import { logExchange } from "@/lib/http/log-exchange";
import { type ReceivedBody, readBody } from "@/lib/http/read-body";
import { type RawParams, readParams, readQuery } from "@/lib/http/read-query";
import { discardFile } from "@/lib/http/received-file";
import { jsonResponse, setCommonHeaders } from "@/lib/http/respond";
import type { KeyPrincipal } from "@/lib/services/api-keys/authenticate-key";
import type { HeldFile } from "@/lib/services/files/hold-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { isProjectGone } from "@/lib/services/projects/is-project-gone";

/** What a handler gets, all of it checked. */
export interface EndpointInput<D extends EndpointDefinition> {
  /** Who calls; undefined where the definition needs no key. */
  principal: D["auth"] extends "key" ? KeyPrincipal : undefined;
  params: ParamsOf<D>;
  query: QueryOf<D>;
  /** Of a multipart body, its text fields. */
  body: BodyOf<D>;
  /** Uploaded files: stored but not yet anybody's and removed again when the handler throws, or held in memory. */
  files: FilesOf<D>;
  /** Of a call with an `Idempotency-Key`: for services that keep the answer in their own transaction. */
  idempotency: IdempotencyClaim | undefined;
  request: Request;
  requestId: string;
  clientIp: string | null;
}

type FilesOf<D extends EndpointDefinition> = D["body"] extends { file: { isHeldInMemory: true } }
  ? HeldFile[]
  : UploadDraft[];

/** Answers a call: with the contract's object, or with a response of its own (streams, downloads). */
export type EndpointHandler<D extends EndpointDefinition> = (
  input: EndpointInput<D>,
) => ResponseBodyOf<D> | Response | Promise<ResponseBodyOf<D> | Response>;

const NO_PARAMS = z.object({});
const NO_QUERY = z.object({});

/** What Next and our own server hand over beside the request. */
export interface EndpointContext {
  params?: RawParams | Promise<RawParams>;
}

/** Serves an endpoint: framework-neutral, never throws. */
export interface EndpointFunction {
  (request: Request, context?: EndpointContext): Promise<Response>;
  readonly definition: EndpointDefinition;
}

/**
 * Makes the function that serves an endpoint. Checks in the contract's order: key, verification, project, permission,
 * rate limit, query, body (and the key once more, where that took long), path; then the handler. Whatever goes wrong becomes
 * the contract's error body.
 */
export function endpoint<const D extends EndpointDefinition>(
  definition: D,
  handler: EndpointHandler<D>,
): EndpointFunction {
  const serve = async (request: Request, context?: EndpointContext): Promise<Response> => {
    const exchange = openExchange(request, definition);
    let response: Response;
    let failure: AppError | undefined;
    try {
      response = await answer(definition, handler, request, context, exchange);
    } catch (error) {
      failure = toAppError(error);
      response = errorResponse(failure, exchange.requestId);
    }
    logExchange(exchange, response, failure);
    if (definition.isForPages) letPagesRead(response.headers);
    return setCommonHeaders(response, exchange.requestId, exchange.rateLimit);
  };
  return Object.assign(serve, { definition });
}

function openExchange(request: Request, definition: EndpointDefinition): Exchange {
  return {
    requestId: newId("request"),
    definition,
    request,
    clientIp: clientIp(request.headers, env().TRUSTED_PROXY_HOPS),
    startedAtMs: performance.now(),
  };
}

async function answer<D extends EndpointDefinition>(
  definition: D,
  handler: EndpointHandler<D>,
  request: Request,
  context: EndpointContext | undefined,
  exchange: Exchange,
): Promise<Response> {
  const principal = definition.auth === "key" ? await authorize(request, definition, exchange) : undefined;
  const path = readParams(definition.params ?? NO_PARAMS, (await context?.params) ?? {});
  exchange.params = "params" in path ? path.params : undefined;
  const query = readQuery(definition.query ?? NO_QUERY, searchOf(request), definition.body);
  exchange.query = query;
  const key = readIdempotencyKey(request, definition);
  const { body, files, giveBack } = await readBody(request, definition.body, principal).catch(
    async (error: unknown) => {
      // The erasure of an account takes away what it is sending: it hears of its key, not that the service is away.
      if (principal) await authorizeStill(request, definition, exchange, principal);
      throw error;
    },
  );
  Object.assign(exchange, { body, files });
  const { requestId } = exchange;
  try {
    if (principal) await authorizeStill(request, definition, exchange, principal);
    if ("missing" in path) throw path.missing;
    const call = { params: path.params, query, body, files };
    const { claim, kept } = await openIdempotency(definition, principal, call, key, requestId);
    if (kept) {
      await discardAll(files);
      exchange.replayed = kept.body;
      return replay(kept);
    }
    // The schemas of the definition made these values: the types say what they are.
    const input = { principal, ...call, idempotency: claim, request, requestId, clientIp: exchange.clientIp };
    const result = await holdingKey(claim, async () => handler(input as unknown as EndpointInput<D>));
    exchange.result = result;
    return result instanceof Response ? result : jsonResponse(definition.response.status, result);
  } catch (error) {
    await discardAll(files);
    // Its project was erased in between, and its key with that.
    if (principal && isProjectGone(error)) await authorizeAgain(request, definition, exchange, principal);
    throw error;
  } finally {
    giveBack?.();
  }
}

function searchOf(request: Request): URLSearchParams {
  const start = request.url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : request.url.slice(start).replace(/#.*$/, ""));
}

/** Discarding must not hide why the call failed; what it leaves behind, the sweep of uploads removes. */
async function discardAll(files: ReceivedBody["files"]): Promise<void> {
  await Promise.allSettled(files.map((file) => discardFile(file)));
}
