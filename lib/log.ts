import { env } from "@/lib/env";

/**
 * Structured logs: one JSON object a line, so that no line break of a client can forge a line; on a terminal, lines for
 * people. Keys and secrets are cut out here, whatever a caller hands in.
 */

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 } as const;

export type LogLevel = Exclude<keyof typeof LEVELS, "silent">;

export type LogFields = Record<string, string | number | boolean | null | undefined>;

const SECRETS = /\b(bld_|whsec_|sk-)[\w+/=-]{4,}|(\bBearer\s+)\S+|(\/\/[^/\s:@]*:)[^/\s@]+(?=@)/gi;
/** Of C0, C1 and the two separators that editors take for line breaks. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const MAX_TEXT_CHARACTERS = 8_000;

/** Writes one line to standard error when the level is at or above `LOG_LEVEL`. */
export function log(level: LogLevel, message: string, fields: LogFields = {}, error?: unknown): void {
  if (LEVELS[level] < LEVELS[env().LOG_LEVEL]) return;
  const { LOG_FORMAT } = env();
  const isText = LOG_FORMAT === "text" || (LOG_FORMAT === "auto" && process.stderr.isTTY);
  const line = isText ? logText : logLine;
  process.stderr.write(`${line(level, message, fields, error, new Date())}\n`);
}

/**
 * Has this process go on when whoever reads its output is gone, such as a collector of logs that starts anew: lines that nobody
 * takes are lost. Otherwise the first of them would end the process, or, where uncaught errors are themselves logged, as Next
 * does it, keep it busy with nothing else.
 */
export function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
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

/**
 * The same for people: time, level, message, fields, and below it the stacks of the error and of its causes, indented.
 * Control characters are written as escapes: none of a client's text can begin a line or move a terminal's cursor.
 */
export function logText(level: LogLevel, message: string, fields: LogFields, error: unknown, at: Date): string {
  const told = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${onOneLine(String(value))}`);
  const head = [at.toISOString().slice(11), level.toUpperCase().padEnd(5), onOneLine(message), ...told].join(" ");
  return error === undefined ? head : `${head}${textOfError(describe(error))}`;
}

function textOfError(error: ReturnType<typeof describe>): string {
  const { name, message, code, stack, cause } = error;
  const frames = String(stack ?? "").match(/^ {4}at .+$/gm) ?? [];
  const lines = [
    `${name === undefined ? "" : `${name}: `}${message}${code === undefined ? "" : ` (${code})`}`,
    ...frames.map((frame) => frame.trim()),
  ];
  const below = cause === undefined ? "" : textOfError(cause as ReturnType<typeof describe>);
  return lines.map((line) => `\n    ${onOneLine(line)}`).join("") + below;
}

function onOneLine(text: string): string {
  return redact(text).replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Takes keys, webhook secrets, bearer tokens and passwords in addresses out of a text. */
export function redact(text: string): string {
  return withoutModelKeys(text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()).replace(
    SECRETS,
    (_match, prefix, bearer, address) => `${prefix ?? bearer ?? address}[redacted]`,
  );
}

/** A shorter one is no secret but a word ("none", "ollama"), and would be missing in all others. */
const LEAST_KEY_CHARACTERS = 12;

/** Some servers repeat the key that they refuse, and each gives out keys of a form of its own. */
function withoutModelKeys(text: string): string {
  const { OPENAI_API_KEY, FALLBACK_API_KEY } = env();
  const keys = [OPENAI_API_KEY, FALLBACK_API_KEY].filter((key) => key && key.length >= LEAST_KEY_CHARACTERS);
  return keys.reduce((rest: string, key = "") => rest.replaceAll(key, "[redacted]"), text);
}

/**
 * Of an error its name, code, message, stack and causes; never its other fields, which may hold data of clients. An object also
 * of what is no error: collectors of logs take one type for a field.
 */
function describe(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { message: typeof error === "string" ? error : Object.prototype.toString.call(error) };
  }
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    ...(typeof code === "string" ? { code } : {}),
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined || depth >= 3 ? {} : { cause: describe(error.cause, depth + 1) }),
  };
}
