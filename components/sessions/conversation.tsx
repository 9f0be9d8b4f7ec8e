import type { TurnAddresses } from "@/components/sessions/turn-addresses";
import { TurnView } from "@/components/sessions/turn-view";
import type { SessionDetail } from "@/lib/contracts/sessions";

interface ConversationProps {
  session: SessionDetail;
  addresses: TurnAddresses;
}

/** The turns of a session, the oldest first; what is under way is shown as it comes. */
export function Conversation({ session: { turns, turnCount }, addresses }: ConversationProps) {
  return (
    <section aria-labelledby="conversation">
      <h2 className="sr-only" id="conversation">
        Conversation
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {turns.map((turn) => (
          <TurnView addresses={addresses} isLatest={turn.position === turnCount - 1} key={turn.id} turn={turn} />
        ))}
      </div>
    </section>
  );
}
