import { format } from "node:util";
import { log } from "@/lib/log";
import { pageAnswer } from "@/lib/panel/page-answer";

/**
 * Has what packages write to the console go the way of all lines of the log: one a line, without secrets. What Next says of a
 * call of an action that it cannot read is left out: anybody can make one, with words of their choice.
 * @param target whose methods are replaced
 */
export function logConsole(target: Pick<Console, "error" | "warn"> = console): void {
  for (const level of ["error", "warn"] as const) {
    target[level] = (...given: unknown[]) => {
      if (pageAnswer()?.isUnreadCall) return;
      const error = given.find((one) => one instanceof Error);
      const words = given.filter((one) => one !== error);
      log(level, words.length > 0 ? format(...words).trim() : "A package wrote to the console.", {}, error);
    };
  }
}
