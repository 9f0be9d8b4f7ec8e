/**
 * Flags of node for the server process, wherever one is started.
 *
 * What a call needs lives for milliseconds, in V8's young space. That space begins with 1 MB, grows under load and shrinks again:
 * each time its pages come anew from the system. With its usual size from the start, a job takes a fifth to a half of the page
 * faults and less processor, where such a page is dear by much (docs/decisions/0020-fast-lane.md).
 */
export const SERVER_FLAGS: readonly string[] = [
  "--min-semi-space-size=16",
  "--max-semi-space-size=16",
  "--disable-warning=ExperimentalWarning",
  // Of the package that speaks with other services' sign-ins: its first one in each process stood in the log as an error.
  "--disable-warning=DEP0169",
];
