import { formatCount } from "@/components/ui/format-number";
import type { PartlyDone } from "@/components/ui/toasts";
import type { RetriedSessions } from "@/lib/contracts/sessions";

const LEFT = "Some are left: try all again for those.";

/** What became of trying many sessions again; of what was left undone, why. */
export function retriedWords({ started, refused, why, hasMore }: RetriedSessions): string | PartlyDone {
  const runs = started === 1 ? "1 session runs again" : `${formatCount(started, "session")} run again`;
  if (refused === 0 && !hasMore) return started === 0 ? "Nothing failed here" : `${runs}.`;
  if (started + refused === 0) {
    return { title: "None was found in time", description: "Narrow the filters, and try all again." };
  }
  const undone = refused > 0 ? `${formatCount(refused, "other")} could not` : "others do not yet";
  return {
    title: started === 0 ? `${formatCount(refused, "session")} could not be tried again` : `${runs}, ${undone}`,
    description: [why, hasMore ? LEFT : null].filter(Boolean).join(" "),
  };
}
