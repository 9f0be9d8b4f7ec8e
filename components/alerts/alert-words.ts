import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { Tone } from "@/components/ui/status-tones";
import type { AlertRecord } from "@/lib/contracts/alerts";
import { ALERT_TITLES, type AlertKind, isAlertKind } from "@/lib/domain/alert-kinds";

/** How an alert is headed, and where the reader can do something about it. */
interface AlertWords {
  title: string;
  tone: Tone;
  /** Absent: there is no page about it. */
  link?: { href: string; name: string };
  /** Whether those who run the service can do something about it. */
  isForSupport?: boolean;
}

const LINKS = {
  keys: { href: "/panel/api-b2b/api-keys", name: "Create an API key" },
  verification: { href: "/panel/api-b2b/verification", name: "Go to the verification" },
  usage: { href: "/panel/usage", name: "See what is used" },
};

const WORDS: Record<AlertKind, Omit<AlertWords, "title">> = {
  "webhook.failed": { tone: "danger" },
  "credits.low": { tone: "warning", link: LINKS.usage, isForSupport: true },
  "credits.out": { tone: "danger", link: LINKS.usage, isForSupport: true },
  "tokens.low": { tone: "warning", link: LINKS.usage, isForSupport: true },
  "tokens.out": { tone: "danger", link: LINKS.usage, isForSupport: true },
  "verification.approved": { tone: "success", link: LINKS.keys },
  "verification.more_info": { tone: "warning", link: LINKS.verification },
  "verification.rejected": { tone: "danger", link: LINKS.verification },
};

/** The words for an alert; one of a kind that is not known yet speaks by its message alone. */
export function alertWords({ kind, subjectId }: Pick<AlertRecord, "kind" | "subjectId">): AlertWords {
  if (!isAlertKind(kind)) return { title: "Something to look at", tone: "neutral" };
  const words = { title: ALERT_TITLES[kind], ...WORDS[kind] };
  if (kind !== "webhook.failed" || subjectId === null) return words;
  return { ...words, link: { href: PANEL_ADDRESSES.webhook(subjectId), name: "Look at the webhook" } };
}
