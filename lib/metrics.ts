import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { processSingleton } from "@/lib/process-singleton";

/**
 * Figures of this process for operators, in Prometheus' form (docs/decisions/0021). Labels are names of our own and
 * codes alone: never an id, a text or an address of anybody, so that their number stays small and nothing leaks.
 */

const CALL_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const WORK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** All that this process counts; what is read at the moment of a look is beside it in lib/services/metrics. */
export const metrics = () => processSingleton("metrics", makeMetrics);

/** An answered call. @param route the pattern of its path, "/api/v1/chat/:sessionId" */
export function observeCall(method: string, route: string, status: number, seconds: number): void {
  const { calls, callSeconds } = metrics();
  calls.inc({ method, route, status });
  callSeconds.observe({ method, route, class: `${Math.floor(status / 100)}xx` }, seconds);
}

/** Turns that were accepted, in one call. */
export function countAcceptedTurns(count: number): void {
  metrics().turnsAccepted.inc(count);
}

/** How long a turn waited before somebody took it for the first time. */
export function observeQueueWait(seconds: number): void {
  metrics().turnWaitSeconds.observe(Math.max(0, seconds));
}

/** A turn that ended. @param code of a failure; "none" when there was none */
export function countEndedTurn(outcome: "completed" | "failed" | "canceled", code = "none"): void {
  metrics().turnsEnded.inc({ outcome, code });
}

/** A call of the model. @param outcome "ok", "stopped" or the code of its failure */
export function observeModelCall(kind: string, outcome: string, seconds: number): void {
  metrics().modelSeconds.observe({ kind, outcome }, seconds);
}

/** What an answer of the model used. */
export function countModelTokens(tokensIn: number, tokensOut: number): void {
  const { modelTokens } = metrics();
  modelTokens.inc({ direction: "in" }, tokensIn);
  modelTokens.inc({ direction: "out" }, tokensOut);
}

/** An attempt to deliver. @param outcome the class of the receiver's status, "2xx", or our code of what went wrong */
export function observeDeliveryAttempt(outcome: string, seconds: number): void {
  metrics().attemptSeconds.observe({ outcome }, seconds);
}

/** How many connections a pool has, and how many callers wait for one. */
export interface PoolFigures {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Pools of this process beside those of lib/db, by their name in the figures. */
export const watchedPools = () => processSingleton("watched-pools", () => new Map<string, PoolFigures>());

function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return { registry, ...callMetrics(registers), ...turnMetrics(registers), ...outsideMetrics(registers) };
}

/** What clients ask of this process. */
function callMetrics(registers: Registry[]) {
  return {
    calls: new Counter({
      name: "service_http_requests_total",
      help: "Answered calls of the API and of stored files.",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    callSeconds: new Histogram({
      name: "service_http_request_duration_seconds",
      help: "From a call's arrival to its answer; of streams and downloads, to their beginning.",
      labelNames: ["method", "route", "class"],
      buckets: CALL_SECONDS,
      registers,
    }),
    streamsOpen: new Gauge({ name: "service_streams_open", help: "Streams that clients read now.", registers }),
  };
}

function turnMetrics(registers: Registry[]) {
  return {
    turnsAccepted: new Counter({ name: "service_turns_accepted_total", help: "Accepted turns.", registers }),
    turnsEnded: new Counter({
      name: "service_turns_ended_total",
      help: "Ended turns.",
      labelNames: ["outcome", "code"],
      registers,
    }),
    turnWaitSeconds: new Histogram({
      name: "service_turn_queue_wait_seconds",
      help: "From a turn's acceptance to the first worker that took it.",
      buckets: WORK_SECONDS,
      registers,
    }),
  };
}

/** What this process asks of others: the model's server, and receivers. */
function outsideMetrics(registers: Registry[]) {
  return {
    modelSeconds: new Histogram({
      name: "service_model_call_duration_seconds",
      help: "Calls of the model's server, to the end of its answer.",
      labelNames: ["kind", "outcome"],
      buckets: WORK_SECONDS,
      registers,
    }),
    modelTokens: new Counter({
      name: "service_model_tokens_total",
      help: "Tokens that answers used.",
      labelNames: ["direction"],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: "service_webhook_attempt_duration_seconds",
      help: "Attempts to bring a delivery to its receiver.",
      labelNames: ["outcome"],
      buckets: WORK_SECONDS,
      registers,
    }),
  };
}
