import { NearLink } from "@/components/ui/near-link";
import type { OverviewRange } from "@/lib/domain/overview-range";

const RANGES: { id: OverviewRange; name: string }[] = [
  { id: "24h", name: "24 hours" },
  { id: "7d", name: "7 days" },
  { id: "30d", name: "30 days" },
  { id: "90d", name: "90 days" },
];

/** How far back the charts look. */
export function RangeLinks({ current, path }: { current: OverviewRange; path: string }) {
  return (
    <nav aria-label="Range" className="max-w-full rounded-lg bg-default p-0.5">
      <ul className="flex flex-wrap">
        {RANGES.map(({ id, name }) => (
          <li key={id}>
            <NearLink
              aria-current={id === current ? "page" : undefined}
              className="grid h-7 place-items-center rounded-md px-3 text-code text-muted hover:text-foreground aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-foreground aria-[current]:shadow-surface"
              href={`${path}?range=${id}`}
              scroll={false}
            >
              {name}
            </NearLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
