import { parseRetryAfter, parseSleep } from "@/inngest/embedded/parse-duration";
import { canonicalJson } from "@/inngest/embedded/sign-request";

/** What a call to the app came to; `apply-reply.ts` turns each into one transaction. */
export type Outcome =
  /** A step ended, well or for good: `output` is its memo (canonical JSON). */
  | { kind: "memo"; stepId: string; output: string }
  /** Several steps were found, or a sleep: each becomes an item. */
  | { kind: "plan"; steps: PlannedStep[] }
  /** The function returned. */
  | { kind: "done"; output: string }
  /** An attempt failed; `isFinal` forbids another. `afterMs` is the wait the app asked for. */
  | { kind: "failed"; error: FailureDetails; isFinal: boolean; afterMs?: number }
  /** The app was not reached: no attempt was made. */
  | { kind: "away"; reason: string }
  /** The function is one of another version: no attempt was made. */
  | { kind: "foreign" }
  /** The call ended without an answer: nobody knows how far it came. */
  | { kind: "lost"; reason: string };

export interface PlannedStep {
  stepId: string;
  /** Set for a sleep: how long. */
  sleepMs?: number;
}

/** A serialized error: at least `name` and `message`. */
export type FailureDetails = Record<string, unknown>;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface Operation {
  id: string;
  op: string;
  name?: string;
  data?: unknown;
  error?: unknown;
  opts?: { parallelMode?: string } | null;
}

/** Statuses of servers and proxies whose app is not there (yet), or not with our key. */
const AWAY_STATUSES = new Set([401, 404, 429, 502, 503, 504]);
/** The SDK's answer version of `optimizeParallelism: false`. */
const UNOPTIMIZED_VERSION = "1";

/** Reads the app's reply to a call (SDK_SPEC §4.4.3, §5.1.1). */
export function readReply(reply: Reply): Outcome {
  // An answer without this header comes from something before the SDK.
  if (header(reply, "x-inngest-sdk") === undefined) {
    const reason = `the app answered ${reply.status} without the SDK`;
    return AWAY_STATUSES.has(reply.status) ? { kind: "away", reason } : { kind: "lost", reason };
  }
  const body = parseJson(reply.body);
  if (reply.status === 200) return { kind: "done", output: reply.body };
  if (reply.status === 206) return readOperations(reply, body);
  if (reply.status === 201) return unsupported("streaming answers");
  const noRetry = header(reply, "x-inngest-no-retry");
  // Without it the SDK failed before the function began: an older app that does not know the function yet, for one.
  if (noRetry === undefined)
    return { kind: "lost", reason: `the SDK answered ${reply.status}: ${toFailure(body).message}` };
  return { kind: "failed", error: toFailure(body), isFinal: noRetry === "true", ...waitOf(reply) };
}

/** A failure of the runner's own making, in the form of a serialized error. */
export function makeFailure(message: string): FailureDetails {
  return { name: "InngestRunnerError", message };
}

function readOperations(reply: Reply, body: unknown): Outcome {
  const operations = (Array.isArray(body) ? body : [body]) as Operation[];
  if (!operations.every((operation) => typeof operation?.op === "string" && typeof operation.id === "string")) {
    return { kind: "failed", error: makeFailure("The app's list of steps was not understood."), isFinal: false };
  }
  const [first] = operations;
  if (operations.length === 1 && first) {
    if (first.op === "StepRun")
      return { kind: "memo", stepId: first.id, output: canonicalJson({ data: first.data ?? null }) };
    if (first.op === "StepFailed")
      return { kind: "memo", stepId: first.id, output: canonicalJson({ error: toFailure(first.error) }) };
    if (first.op === "StepError")
      return { kind: "failed", error: toFailure(first.error), isFinal: false, ...waitOf(reply) };
    if (first.op === "RunComplete") return { kind: "done", output: canonicalJson(first.data ?? null) };
  }
  return readPlan(reply, operations);
}

function readPlan(reply: Reply, operations: Operation[]): Outcome {
  // Both ask to go on as soon as one of several steps is done; this runner waits for all of them.
  if (header(reply, "x-inngest-req-version") === UNOPTIMIZED_VERSION) return unsupported("optimizeParallelism: false");
  const steps: PlannedStep[] = [];
  for (const { id, op, name, opts } of operations) {
    if (opts?.parallelMode === "race") return unsupported("group.parallel in race mode");
    if (op === "StepPlanned") {
      steps.push({ stepId: id });
    } else if (op === "Sleep") {
      const sleepMs = parseSleep(name ?? "");
      if (sleepMs === undefined) return unsupported(`a sleep of ${JSON.stringify(name)}`);
      steps.push({ stepId: id, sleepMs });
    } else {
      return unsupported(`the step operation ${op}`);
    }
  }
  if (steps.length === 0) return { kind: "failed", error: makeFailure("The app reported no steps."), isFinal: false };
  return { kind: "plan", steps };
}

function unsupported(what: string): Outcome {
  return { kind: "failed", error: makeFailure(`The embedded Inngest runner does not support ${what}.`), isFinal: true };
}

function waitOf(reply: Reply): { afterMs?: number } {
  const afterMs = parseRetryAfter(header(reply, "retry-after"));
  return afterMs === undefined ? {} : { afterMs };
}

function toFailure(body: unknown): FailureDetails {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    const { name, message, error } = body as Record<string, unknown>;
    return { ...body, name: name ?? "Error", message: message ?? error ?? "Unknown error" };
  }
  return { name: "Error", message: typeof body === "string" ? body : "Unknown error" };
}

function header(reply: Reply, name: string): string | undefined {
  const value = reply.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
