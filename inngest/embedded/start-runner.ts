import type pg from "pg";
import { typeid } from "typeid-js";
import { RETRY_BASE_SECONDS } from "@/inngest/embedded/backoff";
import { type AnswerCall, FunctionCaller } from "@/inngest/embedded/call-function";
import { openPool } from "@/inngest/embedded/database";
import { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { startHttpServer } from "@/inngest/embedded/http-server";
import type { Log } from "@/inngest/embedded/log";
import { makeEvent } from "@/inngest/embedded/read-events";
import { type RunnerStats, readStats } from "@/inngest/embedded/read-stats";
import { throttle } from "@/inngest/embedded/repeat";
import { ItemRunner } from "@/inngest/embedded/run-items";
import { startLoops, WORK_CHANNEL } from "@/inngest/embedded/run-loops";
import { checkSigningKey } from "@/inngest/embedded/sign-request";
import type { StartPlaces } from "@/inngest/embedded/start-at-once";
import { EventStore } from "@/inngest/embedded/store-events";
import { AppSync } from "@/inngest/embedded/sync-app";

export interface RunnerOptions {
  /** The app's pool, for what is not urgent; the queue has connections of its own. */
  pool: pg.Pool;
  databaseUrl: string;
  /** On loopback; 0 takes a free one. */
  port: number;
  /** The app's `serve()` endpoint. */
  serveUrl: string;
  /** The endpoint itself, once it is in this process: called without a connection. */
  ownAnswer?(): AnswerCall | undefined;
  /** Hex digits, after an optional `signkey-<env>-`; the app must have the same. */
  signingKey: string;
  eventKey: string;
  /** How long after a runner's death its work is taken by another. */
  leaseSeconds: number;
  log?: Log;
  /**
   * Hears of an event whose function is about to be called by this runner: a moment earlier than the function itself. What is
   * returned is called when it is not called after all.
   */
  onExpected?(event: { name: string; data: unknown }): (() => void) | undefined;
  /** Hears of an event that was moved here and waits: no function was called with it at once. */
  onWaiting?(event: { name: string; data: unknown }): void;
  /** A table of the same database with rows (`id`) of events that are to be moved here. */
  outboxTable?: string;
  /** Calls at once to the app. */
  concurrency?: number;
  /** The wait after a first failed attempt; it doubles with each. */
  retryBaseSeconds?: number;
  /** Longer than any sleep or wait before a retry: an item that waits for longer got its time from a clock that was ahead. */
  longestWaitSeconds?: number;
  /** How long `stop()` waits for calls under way before it hands them back. */
  stopSeconds?: number;
}

export interface Runner {
  /** For `INNGEST_BASE_URL`. */
  url: string;
  /**
   * What `inngest.send()` does, without a connection, for events of which the outbox has rows: each is stored, and its row
   * deleted, in one statement. An event without a row there is left out: somebody else has moved it.
   * @throws Error while no app has registered, or the database is away
   */
  move(events: { id: string; name: string; data: Record<string, unknown> }[]): Promise<void>;
  /** Whether a function that an event starts now would likely be called at once. */
  hasRoom(): boolean;
  /** Resolves when the app's functions are registered; rejects when it asks for what is not supported. */
  ready(): Promise<void>;
  stats(): Promise<RunnerStats>;
  /** Its own ones to the database, as they are whenever they are looked at. */
  connections: Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">;
  /** Takes no more work, waits for calls under way, hands back the rest. */
  stop(): Promise<void>;
}

const TELL_OTHERS_EVERY_MS = 50;
const CONCURRENCY = 100;
/** Ends while the process still may work: what comes before and after it has the rest of STOP_TIMEOUT_MS in scripts/serve.ts. */
export const STOP_SECONDS = 7;
/** For answers still on their way when the server closes. */
const CLOSE_MS = 500;

/**
 * Runs Inngest functions with Postgres as only state: the server side of the SDK's protocol (docs/SDK_SPEC.md of
 * inngest/inngest), for what our functions use. Several runners may share a database, each calls its own app.
 * @throws Error when the signing key is unusable, the port taken or the database away.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  checkSigningKey(options.signingKey);
  const parts = makeParts(options);
  const { pool, registry, caller, sync, items, events } = parts;
  const { port, signingKey, eventKey, log = () => {} } = options;
  const close = async () => {
    await caller.close();
    await pool.end();
  };
  const started = await registry
    .load()
    .then(() => startHttpServer({ port, signingKey, eventKey, registry, events, log }))
    .catch(async (error) => {
      await close();
      throw error;
    });
  const stopLoops = startLoops(options, parts);
  sync.start();
  const stop = async () => {
    // Functions may send events until their calls are over: the server closes last, heartbeats go on until then.
    await items.stop((options.stopSeconds ?? STOP_SECONDS) * 1000);
    await Promise.all([stopLoops(), sync.stop()]);
    await new Promise((resolve) => {
      started.server.close(resolve);
      started.server.closeIdleConnections();
      setTimeout(() => started.server.closeAllConnections(), CLOSE_MS).unref();
    });
    await close();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: started.url,
    move: async (given) => {
      if (!(await registry.isReadyFor(given.map(({ name }) => name))))
        throw new Error("No app has registered its functions yet.");
      const ts = Date.now();
      await events.add(
        given.map((event) => makeEvent({ ...event, ts })),
        { isMoved: true },
      );
    },
    hasRoom: () => items.hasRoom(),
    ready: () => sync.ready(),
    stats: () => readStats(options.pool),
    connections: pool,
    stop: () => (stopped ??= stop()),
  };
}

function makeParts(options: RunnerOptions) {
  const { log = () => {}, concurrency = CONCURRENCY, serveUrl, signingKey, ownAnswer } = options;
  const runnerId = typeid("rnr").toString();
  const pool = openPool(options.databaseUrl);
  const registry = new FunctionRegistry(pool);
  const caller = new FunctionCaller({
    serveUrl,
    signingKey,
    connections: concurrency,
    ...(ownAnswer && { ownAnswer }),
  });
  const sync = new AppSync({
    serveUrl,
    signingKey,
    log,
    isRegistered: () => registry.isRegistered,
    onThere: () => items.wake(),
  });
  const items = new ItemRunner({
    pool,
    registry,
    caller,
    runnerId,
    leaseMs: options.leaseSeconds * 1000,
    retryBaseMs: (options.retryBaseSeconds ?? RETRY_BASE_SECONDS) * 1000,
    concurrency,
    log,
    isAppThere: () => sync.isAppThere,
    onAppAway: (reason) => sync.markAway(reason),
    tellOthers: throttle(() => {
      pool.query("SELECT pg_notify($1, $2)", [WORK_CHANNEL, runnerId]).catch(() => {});
    }, TELL_OTHERS_EVERY_MS),
  });
  const places: StartPlaces = {
    runnerId,
    leaseMs: options.leaseSeconds * 1000,
    limitOf: (key) => registry.limitOf(key),
    isOwn: (functionId) => registry.isOwn(functionId),
    reserve: (count) => items.reserve(count),
    ...(options.onExpected && { expect: options.onExpected }),
    ...(options.onWaiting && { pass: options.onWaiting }),
  };
  const { outboxTable } = options;
  const events = new EventStore({ pool, registry, outboxTable, places, onStored: (lanes) => items.wakeFor(lanes) });
  return { runnerId, pool, registry, caller, sync, items, events };
}
