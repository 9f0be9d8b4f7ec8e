/**
 * Flags of node for the server process, wherever one is started.
 *
 * What a call needs lives for milliseconds, in V8's young space. That space begins with 1 MB, grows to many times that under load
 * and shrinks again: each time its pages come anew from the system, and are cold. Held between 4 and 16 MB it takes less memory,
 * and less processor for each job (docs/decisions/0020-fast-lane.md).
 */
export const SERVER_FLAGS: readonly string[] = [
  "--min-semi-space-size=4",
  "--max-semi-space-size=16",
  "--disable-warning=ExperimentalWarning",
  // Of the package that speaks with other services' sign-ins: its first one in each process stood in the log as an error.
  "--disable-warning=DEP0169",
];
