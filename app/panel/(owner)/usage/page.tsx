import type { Metadata } from "next";
import { UsageBreakdown } from "@/app/panel/(owner)/usage/usage-breakdown";
import { LiveRefresh } from "@/components/home/live-refresh";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { DownloadLink } from "@/components/ui/download-link";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { formatDay } from "@/components/ui/format-time";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { PlanRest } from "@/components/usage/plan-rest";
import { UsageCharts } from "@/components/usage/usage-charts";
import { UsageFigures } from "@/components/usage/usage-figures";
import { type UsageQuery, usageQuery } from "@/lib/contracts/usage";
import { AppError } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { type DayPeriod, MAX_USAGE_DAYS, usagePeriod } from "@/lib/domain/usage-period";
import { parseInput } from "@/lib/panel/action-failure";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { requirePanel } from "@/lib/panel/require-panel";
import { serviceNow } from "@/lib/services/clock/service-now";
import { getPlanMeter } from "@/lib/services/overview/get-overview";
import { creditsOfProject } from "@/lib/services/turns/credits-spent";
import { getUsage } from "@/lib/services/usage/get-usage";
import { listEndpointDays } from "@/lib/services/usage/list-endpoint-days";

export const metadata: Metadata = { title: "Usage" };

const PATH = "/panel/usage";
const REFRESH_MS = 30_000;
const FILTERS: Filter[] = [
  { kind: "dates", param: "from", toParam: "to", label: "Days" },
  { kind: "text", param: "endUserId", label: "End user", placeholder: "customer-42" },
];

const WRONG_DAYS = `Choose up to ${MAX_USAGE_DAYS} days, the first one not after the last.`;
const WRONG_END_USER = "No end user can be called that. Clear the filter, or paste the id that your calls send.";

/** What the project used: per day, per endpoint, per API key, per end user; the same sums as `GET /usage` (contract §7). */
export default orSayAway(async function UsagePage({ searchParams }: PageProps<"/panel/usage">) {
  const [context, params] = await Promise.all([requirePanel("usage.view"), searchParams]);
  const [plan, project, now] = await Promise.all([
    getPlanMeter(context.principal),
    readAllowance(context.principal),
    serviceNow(),
  ]);
  const asked = readQuery(params, now);
  const exported = context.can("usage.export") && "query" in asked ? asked.query : null;
  return (
    <>
      <LiveRefresh everyMs={REFRESH_MS} restsUntouched />
      <PageHeader
        action={exported ? <DownloadLink href={csvHref(exported)}>Download CSV</DownloadLink> : undefined}
        purpose="Tokens and credits of finished work, counted on the day (UTC) on which it ended."
        title="Usage"
      />
      <PlanRest plan={plan} project={project} />
      <FilterBar filters={FILTERS} />
      {"query" in asked ? (
        <Report context={context} params={params} query={asked.query} />
      ) : (
        <EmptyState text={asked.problem} title="Nothing can be shown for this">
          <NearLink className="text-accent-text hover:underline" href={PATH}>
            Show the last 30 days
          </NearLink>
        </EmptyState>
      )}
    </>
  );
});

/** How much of its own limit the project has used; null where it has none. */
async function readAllowance({ projectId, allowances: { project } }: Principal) {
  return project === null ? null : { allowance: project, used: await creditsOfProject(projectId) };
}

interface ReportProps {
  context: PanelContext;
  params: AddressParams;
  query: UsageQuery & DayPeriod;
}

const Report = orSayAway(async function Report({ context: { principal, can }, params, query }: ReportProps) {
  const [report, endpointDays] = await Promise.all([getUsage(principal, query), listEndpointDays(principal, query)]);
  const { from, to, totals, days } = report;
  return (
    <>
      <p className="mt-5 mb-4 text-muted">
        {days.length === 1 ? null : `${formatDay(new Date(from), "UTC")} to `}
        {formatDay(new Date(to), "UTC")}
        {query.endUserId ? <EndUserName endUserId={query.endUserId} isLink={can("end-users.view")} /> : null}
      </p>
      <UsageFigures days={days.length} totals={totals} />
      {totals.requests > 0 ? (
        <div className="mt-8">
          <UsageCharts endpointDays={endpointDays} report={report} />
        </div>
      ) : null}
      <div className="mt-10">
        <UsageBreakdown
          mayExport={can("usage.export")}
          params={params}
          path={PATH}
          principal={principal}
          query={query}
          report={report}
        />
      </div>
    </>
  );
});

function EndUserName({ endUserId, isLink }: { endUserId: string; isLink: boolean }) {
  const name = <bdi className="font-mono text-code [overflow-wrap:anywhere]">{endUserId}</bdi>;
  return (
    <>
      {", of "}
      {isLink ? (
        <NearLink className="text-accent-text hover:underline" href={PANEL_ADDRESSES.endUser(endUserId)}>
          {name}
        </NearLink>
      ) : (
        name
      )}
    </>
  );
}

/** What the address asks for, or why that cannot be shown. */
function readQuery(params: AddressParams, now: Date): { query: UsageQuery & DayPeriod } | { problem: string } {
  const parsed = parseInput(usageQuery, params);
  if ("failure" in parsed) {
    return { problem: parsed.failure.fieldErrors?.endUserId ? WRONG_END_USER : WRONG_DAYS };
  }
  try {
    return { query: { ...parsed.input, ...usagePeriod(parsed.input, now) } };
  } catch (error) {
    if (error instanceof AppError) return { problem: WRONG_DAYS };
    throw error;
  }
}

/** Of the days that are shown: on a page that stood open past midnight, the last 30 would be others. */
function csvHref({ from, to, endUserId }: UsageQuery & DayPeriod): string {
  return addressWith(`${PATH}/export.csv`, { from, to, endUserId }, {});
}
