import type { TurnAddresses } from "@/components/sessions/turn-addresses";
import { TurnView } from "@/components/sessions/turn-view";
import { formatNumber } from "@/components/ui/format-number";
import { NearLink } from "@/components/ui/near-link";
import type { SessionDetail } from "@/lib/contracts/sessions";

interface ConversationProps {
  session: SessionDetail;
  addresses: TurnAddresses;
  /** Where the turns before those shown are. */
  earlierHref: string;
  /** Null: the newest turns are shown. */
  newestHref: string | null;
}

/** The turns of a session, the oldest first; what is under way is shown as it comes. */
export function Conversation({ session, addresses, earlierHref, newestHref }: ConversationProps) {
  const { turns, earlierTurns, turnCount } = session;
  return (
    <section aria-labelledby="conversation">
      <h2 className="sr-only" id="conversation">
        Conversation
      </h2>
      {earlierTurns > 0 ? (
        <More href={earlierHref}>
          {earlierTurns === 1 ? "Show the turn before" : `Show ${formatNumber(earlierTurns)} turns before these`}
        </More>
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {turns.map((turn) => (
          <TurnView addresses={addresses} isLatest={turn.position === turnCount - 1} key={turn.id} turn={turn} />
        ))}
      </div>
      {newestHref ? <More href={newestHref}>Show the newest turns</More> : null}
    </section>
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
