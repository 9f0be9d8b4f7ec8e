import { formatCount } from "@/components/ui/format-number";
import type { PartlyDone } from "@/components/ui/toasts";
import type { RetriedSessions } from "@/lib/contracts/sessions";

const LEFT = "Some are left: try all again for those.";

/** What became of trying many sessions again; of what was left undone, why. */
export function retriedWords({ started, refused, unreadable, why, hasMore }: RetriedSessions): string | PartlyDone {
  const runs = started === 1 ? "1 session runs again" : `${formatCount(started, "session")} run again`;
  const leftOut = leftOutWords(unreadable);
  if (refused === 0 && !hasMore) return allDone(started, runs, leftOut);
  if (started + refused === 0) {
    return { title: "None was found in time", description: "Narrow the filters, and try all again." };
  }
  const undone = refused > 0 ? `${formatCount(refused, "other")} could not` : "others do not yet";
  return {
    title: started === 0 ? `${formatCount(refused, "session")} could not be tried again` : `${runs}, ${undone}`,
    description: [why, leftOut, hasMore ? LEFT : null].filter(Boolean).join(" "),
  };
}

function allDone(started: number, runs: string, leftOut: string | null): string | PartlyDone {
  if (started > 0) return leftOut ? `${runs}; ${leftOut}` : `${runs}.`;
  if (!leftOut) return "Nothing failed here";
  return {
    title: "Nothing to try again",
    description:
      "What failed here has files that cannot be read. Filter by UNSUPPORTED_FILE to try those all the same.",
  };
}

function leftOutWords(unreadable: number): string | null {
  if (unreadable === 0) return null;
  return unreadable === 1
    ? "1 other, whose file cannot be read, is left out."
    : `${formatCount(unreadable, "other")}, whose files cannot be read, are left out.`;
}
