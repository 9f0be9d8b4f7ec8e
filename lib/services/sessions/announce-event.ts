import { logDb } from "@/lib/db/pool";
import { processSingleton } from "@/lib/process-singleton";
import { announcer, SESSION_EVENTS_CHANNEL, sessionHub } from "@/lib/services/sessions/session-hub";
import { together } from "@/lib/together";

/** One row of the session event log. `data` is JSON text. */
export interface LoggedEvent {
  sessionId: string;
  turnId: string;
  seq: number;
  type: string;
  data: string;
}

/** Postgres takes notifications below 8,000 bytes; readers fetch a larger event from the table. */
const MAX_PAYLOAD_BYTES = 7_900;

/** The text of a notification: the event itself where it fits, else where to find it. */
export function eventNotification(event: LoggedEvent): string {
  const said = { from: announcer(), ...event };
  const whole = JSON.stringify(said);
  if (Buffer.byteLength(whole) <= MAX_PAYLOAD_BYTES) return whole;
  return JSON.stringify({ ...said, data: null });
}

/**
 * Announces an event that is committed: at once to this process, to the others together with those of the same moment. Not
 * awaited and not an error when it fails: readers also look at the table themselves from time to time.
 */
export function announceEvent(event: LoggedEvent): void {
  sessionHub().tell(event);
  processSingleton("announce-together", () => together({ work: announce, max: MAX_TOGETHER, restMs: REST_MS }))(
    eventNotification(event),
  ).catch(() => {});
}

const MAX_TOGETHER = 100;
/** Streams of other processes hear of an event so much later at most, where many end. */
const REST_MS = 5;

async function announce(notifications: string[]): Promise<null[]> {
  await logDb().query({
    name: "announce-events",
    text: "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload",
    values: [SESSION_EVENTS_CHANNEL, notifications],
  });
  return notifications.map(() => null);
}
