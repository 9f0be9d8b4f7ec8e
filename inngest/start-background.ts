import { endCalls } from "@/inngest/calls-under-way";
import { STOP_SECONDS, startRunner } from "@/inngest/embedded/start-runner";
import { embeddedRunner, embeddedRunnerKeys } from "@/inngest/embedded-keys";
import { closePools, db, hotDb, logDb } from "@/lib/db/pool";
import { setOwnModels } from "@/lib/domain/model-catalog";
import { env, isRealInngestConfigured } from "@/lib/env";
import { log } from "@/lib/log";
import { watchedPools } from "@/lib/metrics";
import { callLog } from "@/lib/services/call-log/call-log-buffer";
import { longestWaitSeconds } from "@/lib/services/clock/longest-wait";
import { haveMostBegun } from "@/lib/services/deliveries/have-most-begun";
import { startRelay } from "@/lib/services/outbox/relay-outbox";
import type { QueueEvent } from "@/lib/services/outbox/relay-wake";
import { startExpiryTimer } from "@/lib/services/sessions/expiry-timer";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { claimAhead, letGoAhead } from "@/lib/services/turns/claim-turn";
import { startRoom } from "@/lib/services/turns/start-room";
import { turnStops } from "@/lib/services/turns/turn-stops";

/** More than the limits of all functions but those of turns together (the largest is of deliveries). */
const OTHER_CALLS_AT_ONCE = 3_500;
/** Answering them, and finishing their videos: each may run as many as TURN_CONCURRENCY says. */
const FUNCTIONS_OF_TURNS = 2;

interface TurnEvent {
  name: string;
  data: unknown;
}

/** A turn that the runner is about to have answered is claimed while the queue is still told of it. */
function expectEvent({ name, data }: TurnEvent): (() => void) | undefined {
  return name === "turn/ready" ? claimAhead((data as { turnId: string }).turnId) : undefined;
}

/** One that was claimed as it was accepted, and has to wait after all. */
function passEvent({ name, data }: TurnEvent): void {
  if (name === "turn/ready") letGoAhead((data as { turnId: string }).turnId);
}

/**
 * Starts what works behind the server for as long as the process lives: the embedded runner (unless a real Inngest is
 * configured) and the outbox relay. Returns how to stop it: no new work, running work ends or is handed back.
 */
export async function startBackground(): Promise<() => Promise<void>> {
  const { DATABASE_URL, PORT, RUNNER_PORT, RUNNER_LEASE_SECONDS, MODELS, TURN_CONCURRENCY } = env();
  setOwnModels(MODELS);
  const runner = isRealInngestConfigured()
    ? null
    : await startRunner({
        pool: db(),
        databaseUrl: DATABASE_URL ?? "",
        port: RUNNER_PORT,
        serveUrl: `http://127.0.0.1:${PORT}/api/inngest`,
        ownAnswer: () => embeddedRunner.answerCall,
        leaseSeconds: RUNNER_LEASE_SECONDS,
        longestWaitSeconds: longestWaitSeconds(),
        outboxTable: "outbox_events",
        onExpected: expectEvent,
        onWaiting: passEvent,
        // What waits for a hanging receiver or a slow model must not take the place of other work. A waiting call costs a
        // connection on loopback, no more.
        concurrency: OTHER_CALLS_AT_ONCE + FUNCTIONS_OF_TURNS * TURN_CONCURRENCY,
        log,
        ...embeddedRunnerKeys(),
      });
  embeddedRunner.url = runner?.url ?? null;
  if (runner) {
    startRoom().hasRoom = () => runner.hasRoom();
    watchedPools().set("runner", runner.connections);
  }

  await untilConnected();
  // Only now: the client takes the runner's address when it is made.
  const { inngest } = await import("@/inngest/client");
  const relay = startRelay({
    send: async (events: QueueEvent[]) => {
      await inngest.send(events);
    },
    haveMostBegun,
    ...(runner && { move: (events: QueueEvent[]) => runner.move(events) }),
    onError: (error) => log("warn", "The outbox could not be handed over; it is tried again.", {}, error),
  });
  const stopExpiry = startExpiryTimer({
    onError: (error) => log("warn", "Sessions could not be expired; it is tried again.", {}, error),
  });
  await untilConnected();
  return async () => {
    await stopExpiry();
    await relay.stop();
    await (runner?.stop() ?? endCalls(STOP_SECONDS * 1_000));
    await Promise.all([sessionHub().close(), turnStops().close()]);
    await callLog().stop();
    await closePools();
  };
}

/**
 * What is loaded next keeps the process busy, on a slow machine for longer than a connection may take: those on their way would be
 * given up, and told as if the database were away. What is asked for after them is there after them.
 */
async function untilConnected(): Promise<void> {
  await Promise.all([db(), hotDb(), logDb()].map((pool) => pool.query("SELECT").catch(() => {})));
}
