import { env } from "@/lib/env";

/**
 * Structured logs: one JSON object a line, so that no line break of a client can forge a line.
 * Keys and secrets are cut out here, whatever a caller hands in.
 */

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 } as const;

export type LogLevel = Exclude<keyof typeof LEVELS, "silent">;

export type LogFields = Record<string, string | number | boolean | null | undefined>;

const SECRETS = /\b(bld_|whsec_|sk-)[\w+/=-]{4,}|(\bBearer\s+)\S+|(\/\/[^/\s:@]*:)[^/\s@]+(?=@)/gi;
const MAX_TEXT_CHARACTERS = 8_000;

/** Writes one line to standard error when the level is at or above `LOG_LEVEL`. */
export function log(level: LogLevel, message: string, fields: LogFields = {}, error?: unknown): void {
  if (LEVELS[level] < LEVELS[env().LOG_LEVEL]) return;
  process.stderr.write(`${logLine(level, message, fields, error, new Date())}\n`);
}

/** The line itself; pure, for tests. */
export function logLine(level: LogLevel, message: string, fields: LogFields, error: unknown, at: Date): string {
  const entry = {
    at: at.toISOString(),
    level,
    message,
    ...fields,
    ...(error === undefined ? {} : { error: describe(error) }),
  };
  return JSON.stringify(entry, (_key, value: unknown) => (typeof value === "string" ? redact(value) : value));
}

/** Takes keys, webhook secrets, bearer tokens and passwords in addresses out of a text. */
export function redact(text: string): string {
  return text
    .slice(0, MAX_TEXT_CHARACTERS)
    .replace(SECRETS, (_match, prefix, bearer, address) => `${prefix ?? bearer ?? address}[redacted]`);
}

/** Of an error its name, code, message, stack and causes; never its other fields, which may hold data of clients. */
function describe(error: unknown, depth = 0): Record<string, unknown> | string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : Object.prototype.toString.call(error);
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    ...(typeof code === "string" ? { code } : {}),
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined || depth >= 3 ? {} : { cause: describe(error.cause, depth + 1) }),
  };
}
