import { findOpenPoint } from "@/components/charts/open-point";
import { VolumeChart } from "@/components/charts/volume-chart";
import { SessionLines } from "@/components/sessions/session-lines";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format-number";
import { Section } from "@/components/ui/section";
import { Stats } from "@/components/ui/stats";
import { TimeText } from "@/components/ui/time-text";
import type { SessionSummary } from "@/lib/contracts/sessions";
import type { TemplateUseDetail } from "@/lib/contracts/template-use";

interface TemplateUseViewProps {
  use: TemplateUseDetail;
  /** The newest ones. */
  sessions: SessionSummary[];
  hrefOf: (sessionId: string) => string;
  /** All sessions that used it. */
  allHref: string;
}

/** How often a template is used, how that ended, and in which sessions. */
export function TemplateUseView({ use, sessions, hrefOf, allHref }: TemplateUseViewProps) {
  const points = use.days.map(({ date, sessions: count }) => ({ at: date, values: { sessions: count } }));
  if (use.usageCount === 0) {
    return (
      <EmptyState
        text="Send its id as templateId with a chat message or a file: how often, and in which sessions, stands here then."
        title="Not used yet"
      />
    );
  }
  return (
    <>
      <UseStats use={use} />
      <div className="mt-8">
        <p className="font-medium">Sessions</p>
        <VolumeChart
          label="Sessions by day"
          openAt={findOpenPoint(points)}
          points={points}
          series={[{ id: "sessions", name: "Sessions" }]}
          unit="sessions"
        />
      </div>
      <Section
        action={
          sessions.length > 0 ? (
            <a className="text-accent-text text-code hover:underline" href={allHref}>
              See all
            </a>
          ) : undefined
        }
        title="Latest sessions"
      >
        <SessionLines
          emptyText="Send templateId with a chat message or a file; its session stands here then."
          hrefOf={hrefOf}
          sessions={sessions}
        />
      </Section>
    </>
  );
}

function UseStats({ use }: Pick<TemplateUseViewProps, "use">) {
  const { open, completed, failed, canceled } = use.sessions;
  return (
    <Stats
      items={[
        {
          name: "Calls",
          value: formatNumber(use.usageCount),
          note: use.lastUsedAt && (
            <>
              last <TimeText at={use.lastUsedAt} />
            </>
          ),
        },
        { name: "Sessions completed", value: formatNumber(completed) },
        { name: "Failed", value: formatNumber(failed) },
        {
          name: "Running",
          value: formatNumber(open),
          note: canceled > 0 ? `${formatNumber(canceled)} canceled` : null,
        },
      ]}
    />
  );
}
