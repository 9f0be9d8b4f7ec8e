import type { ReactNode } from "react";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { addressWith } from "@/components/ui/address";
import { DownloadLink } from "@/components/ui/download-link";
import { EmptyState } from "@/components/ui/empty-state";
import { NearLink } from "@/components/ui/near-link";
import { UsageTable } from "@/components/usage/usage-table";
import type { KeyUsageShare, KeyUsageSource } from "@/lib/contracts/usage-breakdown";
import { ANY_PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import type { ProjectScope } from "@/lib/domain/principal";
import type { DayPeriod } from "@/lib/domain/usage-period";
import { orSayAway } from "@/lib/panel/or-say-away";
import { costOf } from "@/lib/services/usage/cost-of";
import { listKeyUsage } from "@/lib/services/usage/list-key-usage";

interface KeySharesProps {
  path: string;
  principal: ProjectScope;
  period: DayPeriod;
  /** Whether the reader may take it away as a file. */
  mayExport: boolean;
}

/** More would be a page that nobody reads; the file has them all. */
const MOST_SHOWN = 200;

const WITHOUT_KEY: Record<Exclude<KeyUsageSource, "key">, { name: string; title: string }> = {
  playground: {
    name: "Playground",
    title: "Calls from the panel’s playground, with keys that it made for an hour each",
  },
  panel: { name: "Panel, without a key", title: "Begun in the panel itself, such as tests of templates" },
  unknown: {
    name: "Before use was counted by key",
    title: "Ended before this service counted use by key, and its session is gone",
  },
};

/** What was used with each API key of the project in the period. */
export const KeyShares = orSayAway(async function KeyShares({
  path,
  principal,
  period: { from, to },
  mayExport,
}: KeySharesProps) {
  const shares = await listKeyUsage(principal, { from, to });
  const lines = shares.slice(0, MOST_SHOWN).map((share) => ({
    ...share,
    cost: costOf(share.creditsUsed),
    id: share.key?.id ?? share.source,
    name: <SourceName period={{ from, to }} share={share} />,
  }));
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-2">
        <p className="text-code text-muted">
          {shares.length > MOST_SHOWN
            ? `The ${MOST_SHOWN} of ${shares.length} lines with the most credits; the file has all.`
            : "Keys of this project, those that used nothing too while they take calls."}
        </p>
        {mayExport ? (
          <DownloadLink href={addressWith(`${path}/keys.csv`, { from, to }, {})}>CSV per key</DownloadLink>
        ) : null}
      </div>
      <UsageTable
        empty={<EmptyState text="Choose other days, or create a key." title="No key was used in this period" />}
        heading="API key"
        label="Usage per API key"
        lines={lines}
      />
    </>
  );
});

function SourceName({ share: { source, key }, period }: { share: KeyUsageShare; period: DayPeriod }) {
  if (source !== "key" || key === null) {
    const { name, title } = WITHOUT_KEY[source === "key" ? "unknown" : source];
    const words = (
      <span className="text-muted" title={title}>
        {name}
      </span>
    );
    return source === "playground" ? (
      <WithCalls id={ANY_PLAYGROUND_KEY} of="the playground" period={period}>
        {words}
      </WithCalls>
    ) : (
      words
    );
  }
  return (
    <WithCalls id={key.id} of={`the key ${key.name} …${key.hint}`} period={period}>
      <NearLink
        className="flex min-w-0 gap-1.5 text-accent-text hover:underline"
        href={PANEL_ADDRESSES.key(key.id)}
        title={key.name}
      >
        <bdi className="sm:max-w-[160px] sm:truncate xl:max-w-[200px]">{key.name}</bdi>
        <span className="whitespace-nowrap font-mono">…{key.hint}</span>
      </NearLink>
      {key.isUsable ? null : <span className="text-muted">no longer in use</span>}
    </WithCalls>
  );
}

interface WithCallsProps {
  /** Of the key, as the log of calls takes it. */
  id: string;
  /** Whose calls the link leads to. */
  of: string;
  period: DayPeriod;
  children: ReactNode;
}

function WithCalls({ id, of, period, children }: WithCallsProps) {
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 max-sm:justify-end">
      {children}
      <NearLink
        aria-label={`Calls of ${of}`}
        className="text-muted hover:text-foreground hover:underline"
        href={PANEL_ADDRESSES.callsOfKey(id, period)}
      >
        Calls
      </NearLink>
    </span>
  );
}
