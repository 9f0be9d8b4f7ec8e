import type { ReactNode } from "react";
import { formatNumber } from "@/components/ui/format-number";
import { NearLink } from "@/components/ui/near-link";

interface TurnPagesProps {
  /** How many turns are before those shown. */
  earlierTurns: number;
  /** Where they are. */
  earlierHref: string;
  /** Null: the newest turns are shown. */
  newestHref: string | null;
  children: ReactNode;
}

/** What a page shows of some of a session's turns, between the ways to the others. */
export function TurnPages({ earlierTurns, earlierHref, newestHref, children }: TurnPagesProps) {
  return (
    <>
      {earlierTurns > 0 ? (
        <More href={earlierHref}>
          {earlierTurns === 1 ? "Show the turn before" : `Show ${formatNumber(earlierTurns)} turns before these`}
        </More>
      ) : null}
      {children}
      {newestHref ? <More href={newestHref}>Show the newest turns</More> : null}
    </>
  );
}

function More({ href, children }: { href: string; children: string }) {
  return (
    <p className="my-4 text-center text-code">
      <NearLink className="text-accent-text hover:underline" href={href}>
        {children}
      </NearLink>
    </p>
  );
}
