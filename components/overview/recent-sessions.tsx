import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { NearLink } from "@/components/ui/near-link";
import { Section } from "@/components/ui/section";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { SessionSummary } from "@/lib/contracts/sessions";

/** The latest conversations and processed files. */
export function RecentSessions({ sessions }: { sessions: SessionSummary[] }) {
  return (
    <Section
      action={
        <NearLink className="text-accent-text hover:underline" href="/panel/sessions">
          All sessions
        </NearLink>
      }
      title="Recent sessions"
    >
      {sessions.length === 0 ? (
        <p className="border-separator border-t py-3 text-muted">
          None yet. Each conversation and each processed file is one.
        </p>
      ) : (
        <ul className="border-separator border-t text-code">
          {sessions.map(({ id, preview, fileName, status, lastActivityAt }) => (
            <li
              className="relative grid min-h-10 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-separator border-b px-2 py-1 hover:bg-surface-secondary sm:grid-cols-[minmax(0,1fr)_96px_88px] print:grid-cols-[minmax(0,1fr)_auto_auto]"
              key={id}
            >
              <NearLink
                className="-outline-offset-2! truncate text-left after:absolute after:inset-0"
                dir="auto"
                href={PANEL_ADDRESSES.session(id)}
              >
                {fileName ?? (preview || id)}
              </NearLink>
              <StatusDot status={status} />
              <span className="text-right text-muted max-sm:hidden">
                <TimeText at={lastActivityAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
