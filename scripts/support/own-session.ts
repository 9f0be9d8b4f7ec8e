import type { ChildProcess } from "node:child_process";

export const IS_WINDOWS = process.platform === "win32";

/**
 * How to start a program that Ctrl-C in the terminal must not reach, since its starter ends it in order: in a session of its own.
 * Windows has none: there it gets a hidden console of its own, which it does only where it inherits nothing of this one, and the
 * programs that it starts get no windows. It ends there with its starter, however that one went.
 */
export const OUT_OF_REACH = { detached: !IS_WINDOWS, windowsHide: true } as const;

/** For what such a program says to this terminal; `showWords` brings it there. */
export const TO_TERMINAL = IS_WINDOWS ? "pipe" : "inherit";

/** Shows what a program says that could not be given the terminal itself. */
export function showWords({ stdout, stderr }: ChildProcess): void {
  stdout?.pipe(process.stdout, { end: false });
  stderr?.pipe(process.stderr, { end: false });
}
