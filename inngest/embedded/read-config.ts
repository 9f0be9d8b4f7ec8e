import { createHash } from "node:crypto";
import { z } from "zod";
import { parseCron } from "@/inngest/embedded/cron";

/** What an app registers, reduced to what this runner does. Whatever else it asks for is refused by name. */
export interface RunnerFunction {
  /** Composite: `app-function`. */
  id: string;
  /** Retries + 1; each step has this many. */
  maxAttempts: number;
  events: EventTrigger[];
  crons: string[];
  concurrency: ConcurrencyLimit[];
  /** Where in the event's data a run's priority is, a whole number; absent where all runs are alike. */
  priority?: string[];
}

export interface EventTrigger {
  name: string;
  /** Only events that have this text at this path of their data. */
  match?: { path: string[]; text: string };
}

/** At most `limit` calls at once among the items that have the same value at `path` (of all, without a path). */
export interface ConcurrencyLimit {
  /** The CEL expression as registered; empty for none. */
  key: string;
  path: string[];
  limit: number;
}

const DEFAULT_RETRIES = 4;
const DATA_PATH = /^event\.data((?:\.[A-Za-z_]\w*)+)$/;
const DATA_EQUALS = /^event\.data((?:\.[A-Za-z_]\w*)+) == (?:'([^'\\]*)'|"([^"\\]*)")$/;
const DATA_NUMBER = /^int\(event\.data((?:\.[A-Za-z_]\w*)+)\)$/;
const FUNCTION_FIELDS = new Set(["id", "name", "triggers", "steps", "concurrency", "priority"]);

const limitSchema = z.object({ limit: z.number(), key: z.string().optional(), scope: z.string().optional() });
const functionSchema = z.looseObject({
  // Line breaks and bars part the keys of a lane.
  id: z
    .string()
    .max(300)
    .regex(/^[^\n|]+$/),
  triggers: z.array(z.record(z.string(), z.unknown())),
  steps: z.strictObject({
    step: z.looseObject({ retries: z.object({ attempts: z.number().int().min(0).max(100).optional() }).optional() }),
  }),
  concurrency: z.union([z.number(), limitSchema, z.array(limitSchema)]).optional(),
  priority: z.strictObject({ run: z.string().optional() }).nullish(),
});
const registrationSchema = z.looseObject({ appName: z.string().min(1), functions: z.array(functionSchema) });

/** The name of the line that no limit is of. */
const PRIORITY = "priority";

/** Thrown when an app asks for what this runner does not do; the message names the function and the option. */
export class UnsupportedConfigError extends Error {}

/**
 * Reads the body of `POST /fn/register` (SDK_SPEC §4.3.2).
 * @throws UnsupportedConfigError with everything that is wrong.
 */
export function readRegistration(body: unknown): { appId: string; functions: RunnerFunction[] } {
  const parsed = registrationSchema.safeParse(body);
  if (!parsed.success)
    throw new UnsupportedConfigError(`Registration not understood: ${z.prettifyError(parsed.error)}`);
  const problems: string[] = [];
  const functions = parsed.data.functions.map((config) =>
    readFunction(config, (problem) => problems.push(`function ${config.id}: ${problem}`)),
  );
  if (problems.length > 0)
    throw new UnsupportedConfigError(`The embedded Inngest runner cannot run this app: ${problems.join("; ")}.`);
  return { appId: parsed.data.appName, functions };
}

/** The line of keys that decides which limits a run falls under, made when its event arrives. */
export function laneOf(fn: RunnerFunction, data: unknown): string {
  const keys = fn.concurrency.map(
    ({ key, path }) => `${fn.id}|${key}|${path.length > 0 ? hashValue(valueAt(data, path)) : ""}`,
  );
  if (keys.length === 0) keys.push(`${fn.id}|`);
  const priority = fn.priority && valueAt(data, fn.priority);
  if (Number.isSafeInteger(priority)) keys.push(`${fn.id}|${PRIORITY}|${priority}`);
  return keys.join("\n");
}

/**
 * Parts a lane: what shares its limits with it, and how far its items are ahead of others of that share (0 where nothing says so).
 */
export function shareOf(lane: string): { share: string; priority: number } {
  const last = lane.slice(lane.lastIndexOf("\n") + 1);
  const [, name, priority] = last.split("|");
  return name === PRIORITY
    ? { share: lane.slice(0, -last.length), priority: Number(priority) }
    : { share: `${lane}\n`, priority: 0 };
}

/** The function whose runs a lane holds. */
export function functionOf(lane: string): string {
  return lane.slice(0, lane.indexOf("|"));
}

/** Whether an event starts a run of the function. */
export function isTriggeredBy(fn: RunnerFunction, event: { name: string; data: unknown }): boolean {
  return fn.events.some(
    ({ name, match }) => name === event.name && (!match || valueAt(event.data, match.path) === match.text),
  );
}

function readFunction(config: z.infer<typeof functionSchema>, refuse: (problem: string) => void): RunnerFunction {
  for (const [field, value] of Object.entries(config)) {
    if (!FUNCTION_FIELDS.has(field) && value !== undefined && value !== null) refuse(`"${field}" is not supported`);
  }
  const fn: RunnerFunction = {
    id: config.id,
    maxAttempts: (config.steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    events: [],
    crons: [],
    concurrency: [],
  };
  for (const trigger of config.triggers) readTrigger(trigger, fn, refuse);
  const { concurrency = [] } = config;
  for (const entry of Array.isArray(concurrency)
    ? concurrency
    : [typeof concurrency === "number" ? { limit: concurrency } : concurrency]) {
    const limit = readLimit(entry, refuse);
    if (limit) fn.concurrency.push(limit);
  }
  if (config.priority?.run !== undefined) {
    const path = DATA_NUMBER.exec(config.priority.run)?.[1];
    if (path === undefined)
      refuse(`priority ${JSON.stringify(config.priority.run)} is not supported (only int(event.data.<path>))`);
    else fn.priority = path.slice(1).split(".");
  }
  return fn;
}

function readTrigger(trigger: Record<string, unknown>, fn: RunnerFunction, refuse: (problem: string) => void): void {
  const { event, expression, cron, ...others } = trigger;
  for (const field of Object.keys(others)) refuse(`trigger option "${field}" is not supported`);
  if (typeof cron === "string") {
    try {
      parseCron(cron);
      fn.crons.push(cron);
    } catch (error) {
      refuse((error as Error).message);
    }
  } else if (typeof event !== "string" || event.includes("*")) {
    refuse("a trigger needs an event name without wildcards, or a cron");
  } else if (expression === undefined || expression === null || expression === "") {
    fn.events.push({ name: event });
  } else {
    const [, path, single, double] = DATA_EQUALS.exec(String(expression)) ?? [];
    if (path === undefined)
      refuse(`trigger expression ${JSON.stringify(expression)} is not supported (only event.data.<path> == '<text>')`);
    else fn.events.push({ name: event, match: { path: path.slice(1).split("."), text: single ?? double ?? "" } });
  }
}

function readLimit(
  entry: z.infer<typeof limitSchema>,
  refuse: (problem: string) => void,
): ConcurrencyLimit | undefined {
  if (entry.scope !== undefined && entry.scope !== "fn") refuse(`concurrency scope "${entry.scope}" is not supported`);
  if (!Number.isInteger(entry.limit) || entry.limit < 0) refuse("concurrency limit must be a whole number");
  const path = entry.key === undefined ? "" : DATA_PATH.exec(entry.key)?.[1];
  if (path === undefined)
    refuse(`concurrency key ${JSON.stringify(entry.key)} is not supported (only event.data.<path>)`);
  // To Inngest, zero means "no limit".
  return entry.limit > 0
    ? { key: entry.key ?? "", path: path ? path.slice(1).split(".") : [], limit: entry.limit }
    : undefined;
}

function valueAt(data: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    data,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Values of any length and content become a short key without line breaks. */
function hashValue(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64url")
    .slice(0, 22);
}
