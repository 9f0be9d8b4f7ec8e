import { limitParallel } from "@/lib/limit-parallel";
import { processSingleton } from "@/lib/process-singleton";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** A call with more text than so takes its connection for longer than others. */
export const LONG_TEXT_CHARACTERS = 256 * 1024;
/** Of the connections that calls share, most stay with those that are done in a millisecond. */
export const MAX_LONG_TEXTS = 3;

/**
 * Accepts a call when there is room for its text on the way to the database. Dozens of calls with 10 MB each had all connections of
 * the process for seconds, and every other call was told that the service is away. Short texts wait for nothing.
 * @param accountId whose call it is, so that one account's many keep no other's waiting
 */
export function sendText<Result>(
  { input, fileContent = "" }: Pick<TurnInput, "input" | "fileContent">,
  accountId: string,
  accept: () => Promise<Result>,
): Promise<Result> {
  if (input.length + fileContent.length <= LONG_TEXT_CHARACTERS) return accept();
  return processSingleton("long-texts", () => limitParallel(MAX_LONG_TEXTS))(accept, { lane: accountId });
}
