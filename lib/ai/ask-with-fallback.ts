import { APIError } from "openai";
import { isNews } from "@/lib/ai/is-news";
import type { AnswerRequest, ModelAnswer, ModelMessage, ModelPort } from "@/lib/ai/model-message";
import { ProviderHealth } from "@/lib/ai/provider-health";
import { isOfLimit } from "@/lib/ai/provider-words";
import { reasonOf } from "@/lib/ai/reason-of";
import { LONGEST_RETRY_AFTER_SECONDS } from "@/lib/ai/retry-delay";
import { TurnError, type TurnErrorCode } from "@/lib/domain/turn-errors";
import { log } from "@/lib/log";

type Answering = Pick<ModelPort, "streamAnswer">;

/** @param onDelta absent where nobody is told of an answer before it is whole */
type Ask = (request: AnswerRequest, onDelta?: (text: string) => void) => Promise<ModelAnswer>;

export interface Fallback {
  /** Where it is: the provider again, under another model's name, or another one. */
  port: Answering;
  /** What its server is asked for; null: what the provider is asked for. */
  model: string | null;
}

/** Makes one attempt at an answer; for counting it. */
export type Attempt = (who: "provider" | "fallback", ask: () => Promise<ModelAnswer>) => Promise<ModelAnswer>;

/**
 * Asks the provider, and the fallback where that fails before its first word is told (docs/decisions/0045). Where it fails for
 * several calls in a row, the fallback is asked first for a while.
 * @param attempt runs each of the calls
 * @param now milliseconds of a clock that only goes on
 * @throws what `streamAnswer` of a port throws: where both fail, of the provider, or of the fallback if that one can be asked again
 * sooner; a limit if either has one that passes
 */
export function withFallback(
  provider: Answering,
  fallback: Fallback,
  attempt: Attempt = (_who, ask) => ask(),
  now: () => number = () => performance.now(),
): Ask {
  const makers = new WeakMap<object, Answering>();
  /** By model, of those alone that failed since they last answered: one that hangs says nothing of the others. */
  const healths = new Map<string, ProviderHealth>();
  return async (request, onDelta) => {
    let isTold = false;
    const hear = (text: string) => {
      if (!onDelta) return;
      isTold = true;
      onDelta(text);
    };
    const ask = async (port: Answering, asked: AnswerRequest) => {
      const known = { ...asked, messages: asKnownTo(port, request.messages) };
      const answer = await port.streamAnswer(known, hear);
      for (const own of ownParts(answer)) makers.set(own, port);
      return answer;
    };
    const { model } = request;
    const ways = {
      provider: () => watched(healths, model, now, () => attempt("provider", () => ask(provider, request))),
      fallback: () => attempt("fallback", () => ask(fallback.port, inItsWords(request, fallback.model))),
    };
    if (fallback.port === provider && fallback.model === model) return ways.provider();
    const first = healths.get(model)?.askFirst() ?? "provider";
    try {
      return await ways[first]();
    } catch (error) {
      if (isTold || request.signal?.aborted || !(error instanceof TurnError)) throw error;
      if (first === "provider" && !isOfTheProvider(error)) throw error;
      tellOf(first, error);
      return await ways[first === "provider" ? "fallback" : "provider"]().catch((second: unknown) => {
        if (isTold || !(second instanceof TurnError)) throw second;
        if (first === "provider") tellOf("fallback", second);
        throw first === "provider" ? soonerOf(error, second) : soonerOf(second, error);
      });
    }
  };

  /** Without what another server put beside its answers: this one would refuse it, or take it for its own. */
  function asKnownTo(port: Answering, messages: ModelMessage[]): ModelMessage[] {
    const isForeign = (own: object | undefined) => own !== undefined && (makers.get(own) ?? port) !== port;
    return messages.map((message) => {
      const { thoughts, toolCalls, ...rest } = message;
      if (thoughts === undefined && toolCalls === undefined) return message;
      const known = toolCalls?.map(({ extraContent, ...call }) =>
        extraContent === undefined || isForeign(extraContent) ? call : { ...call, extraContent },
      );
      return { ...rest, ...(known && { toolCalls: known }), ...(thoughts && !isForeign(thoughts) && { thoughts }) };
    });
  }
}

/** What a server has to get back as it gave it. */
function ownParts({ thoughts, toolCalls = [] }: ModelAnswer): object[] {
  return [thoughts, ...toolCalls.map(({ extraContent }) => extraContent)].filter((part) => part !== undefined);
}

/** No fault of what was asked: another server may answer it. */
const OF_THE_PROVIDER = new Set<TurnErrorCode>([
  "MODEL_RATE_LIMITED",
  "MODEL_UNAVAILABLE",
  "MODEL_TIMEOUT",
  "MODEL_NOT_CONFIGURED",
]);

/** More at once than the provider lets through in a minute is too long for that account there, not for the model. */
function isOfTheProvider({ code, cause }: TurnError): boolean {
  return OF_THE_PROVIDER.has(code) || (cause instanceof APIError && isOfLimit(cause));
}

/** The same server under another model's name takes a repeated key for the first request again. */
function inItsWords(request: AnswerRequest, name: string | null): AnswerRequest {
  const { model, idempotencyKey } = request;
  return { ...request, model: name ?? model, ...(idempotencyKey && { idempotencyKey: `${idempotencyKey}:fallback` }) };
}

/** Notes how a model does. A limit that is reached or a model that is not known is no news of the next call. */
async function watched(
  healths: Map<string, ProviderHealth>,
  model: string,
  now: () => number,
  call: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  try {
    const answer = await call();
    if (healths.get(model)?.isFailing) log("warn", "The model answers again, and is asked first.", { model });
    healths.delete(model);
    return answer;
  } catch (error) {
    if (!(error instanceof TurnError) || (error.code !== "MODEL_UNAVAILABLE" && error.code !== "MODEL_TIMEOUT"))
      throw error;
    const health = healths.get(model) ?? new ProviderHealth(now);
    healths.set(model, health);
    if (health.failed()) log("warn", "The model fails; the fallback is asked first.", { model, ...about(error) });
    throw error;
  }
}

const FAILED = {
  provider: "The model's provider failed; the fallback is asked.",
  fallback: "The fallback for the model failed, too.",
};

/** At times as a warning: where a key is taken no longer and the other answers every turn, nothing else would tell of it. */
function tellOf(who: "provider" | "fallback", error: TurnError): void {
  log(isNews(`${who}-failed`) ? "warn" : "info", FAILED[who], about(error));
}

function about(error: TurnError) {
  return { code: error.code, reason: reasonOf(error) };
}

/**
 * Of the provider's failure and the fallback's, the one after which a call may be made again sooner. Where the other one is a limit
 * that passes, the call is limited, as it would be without the one that is away: limits are waited out (docs/decisions/0046).
 */
function soonerOf(provider: TurnError, fallback: TurnError): TurnError {
  const [sooner, later] = waitOf(fallback) < waitOf(provider) ? [fallback, provider] : [provider, fallback];
  if (later.code !== "MODEL_RATE_LIMITED" || waitOf(later) > LONGEST_RETRY_AFTER_SECONDS) return sooner;
  const { code, message, cause } = later;
  return new TurnError(code, message, { cause, isRetryable: true, retryAfterSeconds: sooner.retryAfterSeconds });
}

function waitOf({ isRetryable, retryAfterSeconds = 0 }: TurnError): number {
  return isRetryable ? retryAfterSeconds : Number.POSITIVE_INFINITY;
}
