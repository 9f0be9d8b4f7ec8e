import { createHash } from "node:crypto";
import { typeid } from "typeid-js";
import { z } from "zod";
import { canonicalJson } from "@/inngest/embedded/sign-request";

/** An event as it will be stored and handed to functions. */
export interface NewEvent {
  id: string;
  name: string;
  data: unknown;
  /** Canonical JSON of the whole event. */
  payload: string;
  /** Its runs do not start before this time; milliseconds since the epoch. */
  startAt?: number;
  /** Start this function only, whatever its triggers say. */
  onlyFunctionId?: string;
}

/** The namespace of events that only the runner makes. */
export const INTERNAL_EVENT_PREFIX = "inngest/";

const MAX_EVENTS = 5_000;

/** Postgres cannot store NUL in text. */
const plainText = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\u0000]*$/);
const eventSchema = z.object({
  name: plainText.refine(
    (name) => !name.startsWith(INTERNAL_EVENT_PREFIX),
    `names may not begin with ${INTERNAL_EVENT_PREFIX}`,
  ),
  id: plainText.nullish().or(z.literal("")),
  data: z.record(z.string(), z.unknown()).nullish(),
  user: z.record(z.string(), z.unknown()).nullish(),
  meta: z.record(z.string(), z.unknown()).nullish(),
  v: z.string().nullish(),
  ts: z.number().int().nullish(),
});
const bodySchema = z.array(eventSchema).max(MAX_EVENTS);

/** Thrown for a body that is not one or many events (SDK_SPEC §1.3.4). */
export class InvalidEventError extends Error {}

/**
 * Reads the body of `POST /e/:key`: one event or a list.
 * @param seed the SDK's `X-Inngest-Event-Id-Seed`: the same for each retry of one send, so that events without an id are not doubled
 * @throws InvalidEventError
 */
export function readEvents(body: unknown, seed: string | undefined, now = Date.now()): NewEvent[] {
  const parsed = bodySchema.safeParse(Array.isArray(body) ? body : [body]);
  if (!parsed.success) throw new InvalidEventError(z.prettifyError(parsed.error));
  return parsed.data.map(({ name, id, data, ts, ...rest }, index) => {
    const time = ts || now;
    return {
      ...makeEvent({ name, id: id || newEventId(seed, index), data: data ?? {}, ts: time, rest }),
      ...(time > now ? { startAt: time } : {}),
    };
  });
}

/** Puts an event together; `rest` holds its optional members. */
export function makeEvent(parts: {
  name: string;
  id: string;
  data: Record<string, unknown>;
  ts: number;
  rest?: object;
}): NewEvent {
  const { name, id, data, ts, rest } = parts;
  const present = Object.fromEntries(
    Object.entries(rest ?? {}).filter(([, value]) => value !== null && value !== undefined),
  );
  return { id, name, data, payload: canonicalJson({ ...present, data, id, name, ts }) };
}

function newEventId(seed: string | undefined, index: number): string {
  return seed
    ? `seed_${createHash("sha256").update(`${seed},${index}`).digest("hex").slice(0, 32)}`
    : typeid("evt").toString();
}
