import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import { db, hotDb, logDb } from "@/lib/db/pool";
import { metrics, watchedPools } from "@/lib/metrics";
import { processSingleton } from "@/lib/process-singleton";
import { callLog } from "@/lib/services/call-log/call-log-buffer";
import { type Backlog, readBacklog } from "@/lib/services/metrics/read-backlog";

/** A database that does not answer in time is told as away; the rest of the figures is needed then most. */
const DATABASE_WAIT_MS = 2_000;

/**
 * All figures of this process as Prometheus reads them, with what waits in the database at this moment. Never rejects
 * because of the database.
 * @param read what waits
 */
export async function writeMetrics(read: () => Promise<Backlog> = readBacklog): Promise<string> {
  const { registry } = metrics();
  const gauges = processSingleton("metrics-gauges", () => makeGauges(registry));
  showBacklog(gauges, await inTime(read()));
  for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries({
    main: db(),
    hot: hotDb(),
    log: logDb(),
    ...Object.fromEntries(watchedPools()),
  })) {
    gauges.pool.set({ pool, state: "used" }, totalCount - idleCount);
    gauges.pool.set({ pool, state: "idle" }, idleCount);
    gauges.pool.set({ pool, state: "waiting" }, waitingCount);
  }
  gauges.callLog.set(callLog().waitingRows);
  return registry.metrics();
}

type Gauges = ReturnType<typeof makeGauges>;

function makeGauges(registry: Registry) {
  // Processor, memory, garbage collection and event loop of the process, under their usual names.
  collectDefaultMetrics({ register: registry });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `service_${name}`, help, labelNames, registers: [registry] });
  return {
    up: gauge("database_up", "Whether the database answered this look: 1 or 0."),
    outbox: gauge("outbox_events_waiting", "Events on their way to the queue, of all processes."),
    outboxLag: gauge("outbox_lag_seconds", "Age of the oldest of them."),
    queue: gauge("queue_jobs", "Jobs of the embedded runner: due, or being done. Of all processes.", ["state"]),
    queueOldest: gauge("queue_oldest_waiting_seconds", "How long the job that is due first has been due."),
    turns: gauge("turns_open", "Turns that have not ended, of all processes.", ["status"]),
    turnsLimited: gauge(
      "turns_limited",
      "Of the open turns, those that wait for a limit of the model's provider to pass.",
    ),
    turnsOldest: gauge("turns_oldest_queued_seconds", "Age of the oldest turn that nobody works on."),
    deliveries: gauge("deliveries_pending", "Deliveries that are due or planned, of all processes."),
    deliveriesOverdue: gauge("deliveries_overdue_seconds", "How long the delivery that is due first has been due."),
    mails: gauge("mails_waiting", "Mails that the mail server has not taken yet, of all processes."),
    mailsOldest: gauge("mails_oldest_waiting_seconds", "Age of the oldest of them."),
    pool: gauge("pool_connections", "Connections to the database, and callers that wait for one.", ["pool", "state"]),
    callLog: gauge("call_log_backlog_rows", "Rows of the call log that are not written yet."),
  };
}

/** What was seen last must not stand for what nobody could see. */
function showBacklog(gauges: Gauges, backlog: Backlog | null): void {
  gauges.up.set(backlog ? 1 : 0);
  const seen = (value: number | undefined) => value ?? Number.NaN;
  gauges.outbox.set(seen(backlog?.outboxWaiting));
  gauges.outboxLag.set(seen(backlog?.outboxLagSeconds));
  gauges.queue.set({ state: "waiting" }, seen(backlog?.queueWaiting));
  gauges.queue.set({ state: "running" }, seen(backlog?.queueRunning));
  gauges.queueOldest.set(seen(backlog?.queueOldestSeconds));
  gauges.turns.set({ status: "queued" }, seen(backlog?.turnsQueued));
  gauges.turns.set({ status: "running" }, seen(backlog?.turnsRunning));
  gauges.turnsLimited.set(seen(backlog?.turnsLimited));
  gauges.turnsOldest.set(seen(backlog?.turnsOldestQueuedSeconds));
  gauges.deliveries.set(seen(backlog?.deliveriesPending));
  gauges.deliveriesOverdue.set(seen(backlog?.deliveriesOverdueSeconds));
  gauges.mails.set(seen(backlog?.mailsWaiting));
  gauges.mailsOldest.set(seen(backlog?.mailsOldestSeconds));
}

async function inTime(reading: Promise<Backlog>): Promise<Backlog | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((giveUp) => {
    timer = setTimeout(() => giveUp(null), DATABASE_WAIT_MS);
  });
  return Promise.race([reading.catch(() => null), deadline]).finally(() => clearTimeout(timer));
}
