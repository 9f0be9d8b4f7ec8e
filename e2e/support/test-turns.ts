import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import type { CompletedEnd } from "@/lib/services/turns/turn-end";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** A small message to the chat; a test names only what it is about. */
export function chatTurn(more: Partial<TurnInput> = {}): TurnInput {
  return {
    endpoint: "POST /chat",
    requestId: "req_test",
    kind: "chat",
    input: "Hello",
    creditsToReserve: 1,
    ...more,
  };
}

/** Claims a turn as its worker does; throws when it is not to be had. */
export async function claimedTurn(turnId: string): Promise<ClaimedTurn> {
  const claimed = await claimTurn(turnId);
  if (!claimed) throw new Error("The turn could not be claimed.");
  return claimed;
}

/** The end of a turn that was answered; a test names only what it is about. */
export function completedEnd(more: Partial<CompletedEnd> = {}): CompletedEnd {
  return {
    status: "completed",
    output: "Yes.",
    outputType: "text",
    tokensIn: 1,
    tokensOut: 1,
    credits: 1,
    model: "gpt-4.1-mini",
    ...more,
  };
}
