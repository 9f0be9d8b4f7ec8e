import { formatCount } from "@/components/ui/format-number";
import type { RetriedSessions } from "@/lib/contracts/sessions";

/** What became of trying many sessions again, in a line or two. */
export function retriedWords({ started, refused, why, hasMore }: RetriedSessions): string {
  if (started + refused === 0) return hasMore ? "None was found in time: narrow the filters" : "Nothing failed here";
  const words = [started === 1 ? "1 session runs again" : `${formatCount(started, "session")} run again`];
  if (refused > 0) words.push(`${formatCount(refused, "other")} could not`);
  const line = `${words.join(", ")}.`;
  return [line, why, hasMore ? "Some are left: try all again for those." : null].filter(Boolean).join(" ");
}
