import type { Metadata } from "next";
import { LiveRefresh } from "@/components/home/live-refresh";
import { FailedRuns, SystemFigures } from "@/components/staff/system-figures";
import { KeyValues } from "@/components/ui/key-values";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { TimeText } from "@/components/ui/time-text";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { serviceNow } from "@/lib/services/clock/service-now";
import { getServiceStatus } from "@/lib/services/health/get-service-status";
import { getSystem } from "@/lib/services/staff/get-system";
import { listFailedRuns } from "@/lib/services/staff/list-failed-runs";

export const metadata: Metadata = { title: "System" };

const REFRESH_MS = 3_000;

/** How the installation does, as of now; goes on by itself. */
export default orSayAway(async function SystemPage() {
  await requireStaff("staff.system.view");
  const [system, runs, service, now] = await Promise.all([
    getSystem(),
    listFailedRuns(),
    getServiceStatus(),
    serviceNow(),
  ]);
  const { model } = service;
  return (
    <>
      <LiveRefresh everyMs={REFRESH_MS} restsUntouched />
      <PageHeader
        action={
          <span className="text-code text-muted">
            As of <TimeText at={now.toISOString()} kind="exact" />
          </span>
        }
        purpose="What waits, since when, and what failed, in all processes of this installation."
        title="System"
      />
      <SystemFigures system={system} />
      <FailedRuns runs={runs} />
      <Section title="Versions">
        <KeyValues
          items={[
            { name: "API", value: service.version },
            { name: "Node.js", value: process.version },
            { name: "Postgres", value: system.database.version },
            { name: "Model", value: modelWords(model) },
            ...(model.fallback
              ? [{ name: "Fallback", value: `${model.fallback.model} at ${model.fallback.server}` }]
              : []),
            { name: "File store", value: service.storage === "blob" ? "Vercel Blob" : "On disk" },
          ]}
        />
      </Section>
    </>
  );
});

function modelWords({ name, isDemo, isConfigured }: Awaited<ReturnType<typeof getServiceStatus>>["model"]): string {
  if (isDemo) return `${name}, answered by the demo model`;
  return isConfigured ? name : `${name}, but no OPENAI_API_KEY is set`;
}
