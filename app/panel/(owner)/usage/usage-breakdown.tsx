import { EndUserShares } from "@/app/panel/(owner)/usage/end-user-shares";
import { KeyShares } from "@/app/panel/(owner)/usage/key-shares";
import { ProjectShares } from "@/app/panel/(owner)/usage/project-shares";
import type { AddressParams } from "@/components/ui/address";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDay } from "@/components/ui/format-time";
import { TabLinks } from "@/components/ui/tab-links";
import { UsageTable } from "@/components/usage/usage-table";
import type { UsageQuery, UsageReport } from "@/lib/contracts/usage";
import type { ProjectScope } from "@/lib/domain/principal";
import type { DayPeriod } from "@/lib/domain/usage-period";
import { orSayAway } from "@/lib/panel/or-say-away";

interface UsageBreakdownProps {
  path: string;
  params: AddressParams;
  principal: ProjectScope;
  query: UsageQuery & DayPeriod;
  report: UsageReport;
  /** Whether the reader may take figures away as a file. */
  mayExport: boolean;
}

const TABS = [
  { id: "day", name: "Per day" },
  { id: "endpoint", name: "Per endpoint" },
  { id: "key", name: "Per API key" },
  { id: "end-user", name: "Per end user" },
  { id: "project", name: "Per project" },
];
/** Of one end user there is nothing to divide by these. */
const OF_ALL = ["key", "end-user", "project"];

/** The figures behind the charts as a table, by what the address says. */
export const UsageBreakdown = orSayAway(async function UsageBreakdown(props: UsageBreakdownProps) {
  const { params, path, query } = props;
  const tabs = query.endUserId === undefined ? TABS : TABS.filter(({ id }) => !OF_ALL.includes(id));
  const current = tabs.find(({ id }) => id === params.by)?.id ?? "day";
  const { from, to, endUserId } = params;
  return (
    <>
      <TabLinks
        current={current}
        label="Usage by"
        param="by"
        params={{ from, to, endUserId }}
        path={path}
        tabs={tabs}
      />
      {current === "day" ? <Days {...props} /> : null}
      {current === "endpoint" ? <Endpoints {...props} /> : null}
      {current === "key" ? <KeyShares {...props} period={query} /> : null}
      {current === "end-user" ? <EndUserShares {...props} period={query} /> : null}
      {current === "project" ? <ProjectShares {...props} period={query} /> : null}
    </>
  );
});

/** Only the days with use: up to a year of zeros would hide them. */
function Days({ report }: UsageBreakdownProps) {
  const used = report.days.filter(({ requests }) => requests > 0).reverse();
  const lines = used.map((day) => ({ ...day, id: day.date, name: formatDay(new Date(day.date), "UTC") }));
  return <UsageTable empty={<NothingUsed />} heading="Day (UTC)" label="Usage per day" lines={lines} />;
}

function Endpoints({ report }: UsageBreakdownProps) {
  const lines = report.endpoints.map((entry) => ({
    ...entry,
    id: entry.endpoint,
    name: <span className="font-mono">{entry.endpoint}</span>,
  }));
  return <UsageTable empty={<NothingUsed />} heading="Endpoint" label="Usage per endpoint" lines={lines} />;
}

function NothingUsed() {
  return (
    <EmptyState
      text="Work counts on the day on which it ends. Send a message or a file, or choose other days."
      title="Nothing was used in this period"
    />
  );
}
