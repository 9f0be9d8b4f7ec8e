import { addressWith } from "@/components/ui/address";
import { DownloadLink } from "@/components/ui/download-link";
import { UsageTable } from "@/components/usage/usage-table";
import type { Principal } from "@/lib/domain/principal";
import type { DayPeriod } from "@/lib/domain/usage-period";
import { orSayAway } from "@/lib/panel/or-say-away";
import { costOf } from "@/lib/services/usage/cost-of";
import { listProjectUsage } from "@/lib/services/usage/list-project-usage";

interface ProjectSharesProps {
  path: string;
  principal: Pick<Principal, "accountId" | "projectId">;
  period: DayPeriod;
  /** Whether the reader may take it away as a file. */
  mayExport: boolean;
}

/** What each of the account's projects used in the period: the page's other figures are of the one that is shown. */
export const ProjectShares = orSayAway(async function ProjectShares({
  path,
  principal,
  period: { from, to },
  mayExport,
}: ProjectSharesProps) {
  const projects = await listProjectUsage(principal, { from, to });
  const lines = projects.map(({ projectId, name, ...figures }) => ({
    ...figures,
    cost: costOf(figures.creditsUsed),
    id: projectId,
    name: (
      <span className="[overflow-wrap:anywhere]">
        <bdi>{name}</bdi>
        {projectId === principal.projectId ? <span className="ml-2 text-muted">shown here</span> : null}
      </span>
    ),
  }));
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-2">
        <p className="text-code text-muted">All projects of the company, in the days that are shown.</p>
        {mayExport ? (
          <DownloadLink href={addressWith(`${path}/projects.csv`, { from, to }, {})}>CSV per project</DownloadLink>
        ) : null}
      </div>
      <UsageTable empty={null} heading="Project" label="Usage per project" lines={lines} />
    </>
  );
});
