import type { Inngest, InngestFunction } from "inngest";
import { type InngestExecution, InngestExecutionEngine, types } from "inngest/internals";

/** A call of a function, as the embedded runner makes it. */
export interface OwnCall {
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Headers have names in lower case. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A call as the embedded runner words it (SDK_SPEC §4.4), as far as a first one needs it. */
interface FirstCall {
  ctx: { run_id: string; attempt: number; max_attempts: number };
  event: { name: string; data: Record<string, unknown> };
  steps: Record<string, unknown>;
}

/** The function as a whole, not one of its steps. */
const WHOLE_FUNCTION = "step";

/**
 * Answers the first call of a run by the SDK's own engine, without its endpoint around it: that builds the schemas of a call
 * anew, and reads the environment and its own headers several times, for each call; together five times the engine's work.
 * @returns null for any other call, and for one of a function that is not there: those are the endpoint's
 */
export async function answerFirstCall(
  client: Inngest.Any,
  functions: ReadonlyMap<string, InngestFunction.Any>,
  { url, body }: OwnCall,
): Promise<Answer | null> {
  const { searchParams } = new URL(url);
  const fn = functions.get(searchParams.get("fnId") ?? "");
  if (!fn || searchParams.get("stepId") !== WHOLE_FUNCTION) return null;
  const { ctx, event, steps } = JSON.parse(body) as FirstCall;
  if (Object.keys(steps).length > 0) return null;
  const execution = InngestExecutionEngine.createExecutionEngine({
    client,
    fn,
    runId: ctx.run_id,
    stepMode: types.StepMode.Async,
    data: { event, events: [event], runId: ctx.run_id, attempt: ctx.attempt, maxAttempts: ctx.max_attempts },
    stepState: {},
    stepCompletionOrder: [],
    reqArgs: [],
    headers: {},
    disableImmediateExecution: false,
    requestStartedAt: Date.now(),
  });
  return wordAnswer(await execution.start(), execution.version);
}

/** In the words of the endpoint, so that there is one reading of answers (SDK_SPEC §4.4.3). */
function wordAnswer(result: InngestExecution.ExecutionResult, version: number): Answer {
  const answer = (status: number, said: unknown, retriable?: boolean | string): Answer => ({
    status,
    headers: {
      "x-inngest-sdk": "inngest-js",
      "x-inngest-req-version": String(version),
      ...(retriable !== undefined && { "x-inngest-no-retry": String(!retriable) }),
      ...(typeof retriable === "string" && { "retry-after": retriable }),
    },
    body: JSON.stringify(said ?? null),
  });
  switch (result.type) {
    case "function-resolved":
      return answer(200, result.data);
    case "function-rejected":
      return answer(result.retriable ? 500 : 400, result.error, result.retriable);
    case "step-ran":
      return answer(206, [result.step], result.retriable);
    case "steps-found":
      return answer(206, result.steps);
    default:
      throw new Error(`The engine came to ${result.type} in the first call of a run.`);
  }
}
