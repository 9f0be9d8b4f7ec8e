import type { Metadata } from "next";
import { hideChecklist } from "@/app/panel/(owner)/(overview)/actions";
import { isChecklistHidden } from "@/app/panel/(owner)/(overview)/hidden-checklists";
import { dismissAlert } from "@/app/panel/(owner)/alerts/actions";
import { selectProject } from "@/app/panel/actions";
import { AlertList } from "@/components/alerts/alert-list";
import { LiveRefresh } from "@/components/home/live-refresh";
import { ActivityCharts } from "@/components/overview/activity-charts";
import { FailingWebhooks } from "@/components/overview/failing-webhooks";
import { FirstCall } from "@/components/overview/first-call";
import { PlanPanel } from "@/components/overview/plan-panel";
import { RangeLinks } from "@/components/overview/range-links";
import { RecentSessions } from "@/components/overview/recent-sessions";
import { StartChecklist } from "@/components/overview/start-checklist";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { type Overview, overviewQuery } from "@/lib/contracts/overview";
import type { ProjectScope } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { countDeliveries } from "@/lib/services/deliveries/count-deliveries";
import { getOverview } from "@/lib/services/overview/get-overview";
import { searchSessions } from "@/lib/services/sessions/search-sessions";
import { listWebhooks } from "@/lib/services/webhooks/list-webhooks";

export const metadata: Metadata = { title: "Overview" };

const PATH = "/panel";
const RECENT_SESSIONS = { limit: 6 };
const WEBHOOKS = { limit: 100, offset: 0 };
/** Somebody who goes through the first steps waits for each tick. */
const STARTING_REFRESH_MS = 4_000;
const REFRESH_MS = 30_000;

/** What is going on in the project, and what the owner should do next. */
export default orSayAway(async function OverviewPage({ searchParams }: PageProps<"/panel">) {
  const [context, params] = await Promise.all([requirePanel("overview.view"), searchParams]);
  const { range } = overviewQuery.parse(params);
  const { principal, project } = context;
  const [overview, sessions, webhooks, isHidden] = await Promise.all([
    getOverview(principal, range),
    searchSessions(principal, RECENT_SESSIONS),
    readWebhooks(principal),
    isChecklistHidden(project.id),
  ]);
  const isStarted = overview.steps.every(({ isDone }) => isDone);
  const hasCalls = overview.steps.some(({ step, isDone }) => step === "first-call" && isDone);
  return (
    <>
      <LiveRefresh everyMs={isStarted ? REFRESH_MS : STARTING_REFRESH_MS} />
      <PageHeader
        action={hasCalls ? <RangeLinks current={range} path={PATH} /> : undefined}
        purpose={
          <>
            What <bdi className="text-foreground">{project.name}</bdi> does, and what wants to be looked at.
          </>
        }
        title="Overview"
      />
      <OpenAlerts context={context} overview={overview} />
      {isStarted && isHidden ? null : <FirstSteps can={context.can} hasCalls={hasCalls} overview={overview} />}
      {hasCalls ? (
        <ActivityCharts aside={<PlanPanel plan={overview.plan} usageHref="/panel/usage" />} overview={overview} />
      ) : (
        <PlanPanel plan={overview.plan} usageHref="/panel/usage" />
      )}
      {hasCalls ? (
        <div className="mt-10 grid gap-10 lg:grid-cols-2">
          <div className="min-w-0">
            <RecentSessions sessions={sessions.data} />
          </div>
          <div className="min-w-0">
            <FailingWebhooks {...webhooks} />
          </div>
        </div>
      ) : null}
    </>
  );
});

interface FirstStepsProps extends Pick<PanelContext, "can"> {
  overview: Overview;
  hasCalls: boolean;
}

function FirstSteps({ can, overview: { steps, verification }, hasCalls }: FirstStepsProps) {
  // The command that comes with a new key asks for the account alone: it is the first call and gets no answer of the AI.
  const hasAnswer = steps.some(({ step, isDone }) => step === "first-answer" && isDone);
  return (
    <div className="mb-8">
      <StartChecklist can={can} hide={hideChecklist} steps={steps} verification={verification}>
        {hasAnswer ? null : <FirstCall apiUrl={`${env().APP_URL}/api/v1`} hasCharts={hasCalls} />}
      </StartChecklist>
    </div>
  );
}

function OpenAlerts({ context, overview }: { context: PanelContext; overview: Overview }) {
  const { alerts, alertCount } = overview;
  const { can, project, projects } = context;
  if (alerts.length === 0 || !can("alerts.view")) return null;
  return (
    <div className="mb-8">
      <Section
        action={
          <NearLink className="text-accent-text hover:underline" href="/panel/alerts">
            {alertCount > alerts.length ? `All ${alertCount} alerts` : "All alerts"}
          </NearLink>
        }
        title="To look at"
      >
        <AlertList
          alerts={alerts}
          dismiss={can("alerts.dismiss") ? dismissAlert : undefined}
          label="Open alerts"
          projectId={project.id}
          projects={projects}
          selectProject={selectProject}
        />
      </Section>
    </div>
  );
}

/** Receivers that are stopped or did not get something of the last 24 hours. */
async function readWebhooks(scope: ProjectScope) {
  const [{ data, pagination }, counts] = await Promise.all([listWebhooks(scope, WEBHOOKS), countDeliveries(scope)]);
  const webhooks = data
    .map(({ id, url, status }) => ({ id, url, status, undelivered: counts.get(id)?.undelivered ?? 0 }))
    .filter(({ status, undelivered }) => status === "failed" || (status === "active" && undelivered > 0));
  return { webhooks, hasWebhooks: pagination.total > 0 };
}
