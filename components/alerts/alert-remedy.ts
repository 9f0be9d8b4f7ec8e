import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { Tone } from "@/components/ui/status-tones";
import type { AlertRecord } from "@/lib/contracts/alerts";
import type { AlertKind } from "@/lib/domain/alert-kinds";

/** How grave an alert is, and where the reader can do something about it. */
interface AlertRemedy {
  tone: Tone;
  /** Absent: there is no page about it. */
  link?: { href: string; name: string };
}

const LINKS = {
  keys: { href: "/panel/api-b2b/api-keys", name: "Create an API key" },
  verification: { href: "/panel/api-b2b/verification", name: "Go to the verification" },
  limits: { href: "/panel/settings/project", name: "Look at the limit" },
  failed: { href: "/panel/sessions?status=unanswered", name: "Look at what failed" },
  plan: { href: "/panel/settings/plan", name: "Ask for more" },
};

const REMEDIES: Record<AlertKind, AlertRemedy> = {
  "webhook.failed": { tone: "danger" },
  "sessions.failing": { tone: "danger", link: LINKS.failed },
  "key.expiring": { tone: "warning" },
  "key.ended": { tone: "danger" },
  "key.elsewhere": { tone: "danger" },
  "credits.low": { tone: "warning", link: LINKS.plan },
  "credits.out": { tone: "danger", link: LINKS.plan },
  "tokens.low": { tone: "warning", link: LINKS.plan },
  "tokens.out": { tone: "danger", link: LINKS.plan },
  "limit.low": { tone: "warning", link: LINKS.limits },
  "limit.out": { tone: "danger", link: LINKS.limits },
  "verification.approved": { tone: "success", link: LINKS.keys },
  "verification.more_info": { tone: "warning", link: LINKS.verification },
  "verification.rejected": { tone: "danger", link: LINKS.verification },
};

/** What can be done about an alert; nothing is known of a kind that came with another build. */
export function alertRemedy({ kind, subjectId }: Pick<AlertRecord, "kind" | "subjectId">): AlertRemedy {
  const remedy = (REMEDIES as Record<string, AlertRemedy>)[kind] ?? { tone: "neutral" };
  const link = subjectId === null ? undefined : linkTo(kind, subjectId);
  return link ? { ...remedy, link } : remedy;
}

function linkTo(kind: string, subjectId: string): AlertRemedy["link"] {
  if (kind === "webhook.failed") return { href: PANEL_ADDRESSES.webhook(subjectId), name: "Look at the webhook" };
  // Of a project's own limit there is no subject but the project.
  if (kind.startsWith("key.") || kind === "limit.low" || kind === "limit.out") {
    return { href: PANEL_ADDRESSES.key(subjectId), name: "Look at the key" };
  }
}
