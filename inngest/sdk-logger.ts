import type { Logger } from "inngest";
import { type LogLevel, log } from "@/lib/log";

/** What the SDK has to say goes where our own lines go; its own logger writes errors out with all that hangs on them. */
export const sdkLogger: Logger = {
  debug: (...said) => write("debug", said),
  info: (...said) => write("info", said),
  warn: (...said) => write("warn", said),
  error: (...said) => write("error", said),
};

/**
 * It says a message, with an object of fields before it or other values behind it; of those an error alone is told. It calls
 * each try that fails an error: one that a function ends by asking for the next is planned, and no alarm. Where nothing of ours
 * failed, a line of its own has told of it with its ids: a second one, with a stack, tells nobody anything.
 * That no try is left is said where the run fails.
 */
function write(level: LogLevel, said: unknown[]): void {
  const message = said.find((each) => typeof each === "string") ?? "The queue's SDK has something to say.";
  const error = said.map((each) => (isErrorField(each) ? each.err : each)).find((each) => each instanceof Error);
  log(levelOfRetry(error) ?? level, message, {}, error);
}

function levelOfRetry(error: Error | undefined): LogLevel | undefined {
  if (error?.name === "PutOffError") return "debug";
  if (error?.name !== "RetryAfterError") return undefined;
  return error.cause === undefined ? "debug" : "info";
}

function isErrorField(value: unknown): value is { err: unknown } {
  return typeof value === "object" && value !== null && "err" in value;
}
