import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { formatNumber } from "@/components/ui/format-number";
import { ListStart, TurnLink } from "@/components/ui/list-start";

interface PageLinksProps {
  /** Absent: there is nothing in that direction. */
  previousHref?: string;
  nextHref?: string;
  /** What is shown: "21–40 of 137", or how the list is ordered. */
  summary: ReactNode;
}

/** Steps through a list by links; lists by cursor give their own addresses. */
export function PageLinks({ previousHref, nextHref, summary }: PageLinksProps) {
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center justify-between gap-4 px-2 text-code text-muted">
      <p className="tabular-nums">{summary}</p>
      <ListStart part={`${previousHref} ${nextHref}`} />
      {previousHref || nextHref ? (
        <div className="flex gap-1">
          <Step href={previousHref} name="Previous" />
          <Step href={nextHref} name="Next" />
        </div>
      ) : null}
    </nav>
  );
}

interface PaginationProps {
  path: string;
  /** The address's parameters; `offset` among them is what the links change. */
  params: AddressParams;
  pagination: { limit: number; offset: number; total: number; hasMore: boolean };
}

/** The same for lists that count by `offset` (contract §2). */
export function Pagination({ path, params, pagination: { limit, offset, total, hasMore } }: PaginationProps) {
  const last = Math.min(offset + limit, total);
  const at = (value: number) => addressWith(path, params, { offset: value > 0 ? String(value) : null });
  return (
    <PageLinks
      nextHref={hasMore ? at(offset + limit) : undefined}
      previousHref={offset > 0 ? at(Math.max(0, offset - limit)) : undefined}
      summary={
        last > offset ? `${formatNumber(offset + 1)}–${formatNumber(last)} of ${formatNumber(total)}` : "None here"
      }
    />
  );
}

const STEP = "inline-flex h-8 items-center gap-1 rounded-md border border-border px-2.5";

function Step({ href, name }: { href: string | undefined; name: "Previous" | "Next" }) {
  const content = (
    <>
      {name === "Previous" ? <ChevronLeft aria-hidden="true" className="size-3.5" /> : null}
      {name}
      {name === "Next" ? <ChevronRight aria-hidden="true" className="size-3.5" /> : null}
    </>
  );
  if (!href) {
    return (
      <span aria-hidden="true" className={`${STEP} invisible`}>
        {content}
      </span>
    );
  }
  return (
    <TurnLink className={`${STEP} text-foreground hover:bg-surface-secondary`} href={href}>
      {content}
    </TurnLink>
  );
}
