import { type AddressParams, addressWith } from "@/components/ui/address";
import { cursorHrefs, cursorOf } from "@/components/ui/cursor-trail";
import { DownloadLink } from "@/components/ui/download-link";
import { EmptyState } from "@/components/ui/empty-state";
import { formatMonth } from "@/components/ui/format-time";
import { NearLink } from "@/components/ui/near-link";
import { PageLinks } from "@/components/ui/pagination";
import { UsageTable } from "@/components/usage/usage-table";
import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import type { ProjectScope } from "@/lib/domain/principal";
import { type DayPeriod, monthsOf } from "@/lib/domain/usage-period";
import { fromStart } from "@/lib/panel/from-start";
import { orSayAway } from "@/lib/panel/or-say-away";
import { costOf } from "@/lib/services/usage/cost-of";
import { listEndUserUsage } from "@/lib/services/usage/list-end-user-usage";

interface EndUserSharesProps {
  path: string;
  params: AddressParams;
  principal: ProjectScope;
  /** Its months can be chosen; the last one is shown first. */
  period: DayPeriod;
  /** Whether the reader may take them away as a file. */
  mayExport: boolean;
}

const PAGE_SIZE = 50;

/** Who used the most in a month: end users are ranked by whole calendar months (list-end-user-usage.ts says why). */
export const EndUserShares = orSayAway(async function EndUserShares({
  path,
  params,
  principal,
  period,
  mayExport,
}: EndUserSharesProps) {
  const months = monthsOf(period);
  const month = months.find((one) => one === params.month) ?? (months[0] as string);
  const { data, nextCursor } = await fromStart(cursorOf(params), (cursor) =>
    listEndUserUsage(principal, { month, limit: PAGE_SIZE, cursor }),
  );
  const lines = data.map(({ endUserId, ...figures }) => ({
    ...figures,
    cost: costOf(figures.creditsUsed),
    id: endUserId ?? "",
    name: <ShareName endUserId={endUserId} params={params} path={path} />,
  }));
  const name = formatMonth(month);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-2">
        <MonthLinks current={month} months={months} params={params} path={path} />
        {mayExport ? (
          <DownloadLink href={addressWith(`${path}/end-users.csv`, { month }, {})}>CSV per end user</DownloadLink>
        ) : null}
      </div>
      <UsageTable
        empty={<EmptyState text="Choose another month, or other days." title={`Nothing was used in ${name}`} />}
        heading="End user"
        label={`Usage per end user in ${name}`}
        lines={lines}
      />
      {data.length > 0 ? <PageLinks {...cursorHrefs(path, params, nextCursor)} summary="Most credits first" /> : null}
    </>
  );
});

function ShareName({
  endUserId,
  path,
  params,
}: Pick<EndUserSharesProps, "path" | "params"> & { endUserId: string | null }) {
  if (endUserId === null) return <span className="text-muted">Your own calls</span>;
  // Nobody's name, so there is nothing to be shown of it alone.
  if (endUserId === ERASED_END_USER) return <span className="text-muted">Erased end users</span>;
  return (
    <NearLink
      className="text-accent-text hover:underline"
      href={addressWith(path, params, { endUserId, by: null, month: null, cursor: null })}
      title={endUserId}
    >
      <bdi className="font-mono">{endUserId}</bdi>
    </NearLink>
  );
}

interface MonthLinksProps extends Pick<EndUserSharesProps, "path" | "params"> {
  months: string[];
  current: string;
}

function MonthLinks({ months, current, path, params }: MonthLinksProps) {
  return (
    <nav aria-label="Months" className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-code">
      <p className="text-muted">Whole month (UTC):</p>
      {months.map((month) => (
        <NearLink
          aria-current={month === current ? "page" : undefined}
          className="text-accent-text hover:underline aria-[current]:font-medium aria-[current]:text-foreground"
          href={addressWith(path, params, { month, cursor: null })}
          key={month}
          scroll={false}
        >
          {formatMonth(month)}
        </NearLink>
      ))}
    </nav>
  );
}
