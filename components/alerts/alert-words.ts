import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { Tone } from "@/components/ui/status-tones";
import type { AlertRecord } from "@/lib/contracts/alerts";

/** How an alert is headed, and where the reader can do something about it. */
interface AlertWords {
  title: string;
  tone: Tone;
  /** Absent: there is no page about it. */
  link?: { href: string; name: string };
}

const VERIFICATION_LINK = { href: "/panel/api-b2b/verification", name: "Go to the verification" };

const VERIFICATION_WORDS: Record<string, AlertWords> = {
  "verification.approved": {
    title: "Your company is verified",
    tone: "success",
    link: { href: "/panel/api-b2b/api-keys", name: "Create an API key" },
  },
  "verification.more_info": {
    title: "The verification needs more from you",
    tone: "warning",
    link: VERIFICATION_LINK,
  },
  "verification.rejected": { title: "Your company was not verified", tone: "danger", link: VERIFICATION_LINK },
};

/** The words for an alert; one of a kind that is not known yet speaks by its message alone. */
export function alertWords({ kind, subjectId }: Pick<AlertRecord, "kind" | "subjectId">): AlertWords {
  if (kind === "webhook.failed") {
    return {
      title: "A webhook receiver failed",
      tone: "danger",
      ...(subjectId !== null && { link: { href: PANEL_ADDRESSES.webhook(subjectId), name: "Look at the webhook" } }),
    };
  }
  return VERIFICATION_WORDS[kind] ?? { title: "Something to look at", tone: "neutral" };
}
