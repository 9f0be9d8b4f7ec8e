import { hotDb } from "@/lib/db/pool";
import { observeQueueWait } from "@/lib/metrics";
import { processSingleton } from "@/lib/process-singleton";
import { type ClaimedTurn, claimNow } from "@/lib/services/turns/claim-together";

/**
 * Takes a turn for answering: marks it running and raises its generation. Null when there is nothing to do: it has
 * ended, or an earlier turn of its session is still open (whose end hands this one over again).
 * @param isRead takes only a turn that is read in parts; without, only one that is not
 */
export async function claimTurn(turnId: string, isRead = false): Promise<ClaimedTurn | null> {
  const turn = (!isRead && (await takeClaimAhead(turnId))) || (await claimNow(turnId, isRead ? "read" : "any"));
  if (turn?.generation === 1) observeQueueWait(turn.waitedSeconds);
  return turn;
}

/** Longer than work that is about to begin takes to begin. */
const AHEAD_MS = 2_000;

interface Ahead {
  claim: Promise<ClaimedTurn | null>;
  at: number;
}

/** Claims of turns whose work has not begun, the oldest first. */
function claimsAhead(): Map<string, Ahead> {
  return processSingleton("claims-ahead", () => new Map());
}

/** Holds a turn that was claimed as it was accepted for the next `claimTurn`; let go of as one of `claimAhead`. */
export function holdClaim(turn: ClaimedTurn): void {
  keepAhead(turn.turnId, Promise.resolve(turn));
}

/**
 * Claims a turn whose work is about to begin in this process, unless anybody claimed it before; the next `claimTurn` takes what
 * came of it. The queue may then say that the work had begun already: nothing is taken from whoever has the turn.
 * @returns how to let go of it when the work does not begin: it waits again, and whoever begins it claims it anew
 */
export function claimAhead(turnId: string): () => void {
  // Where it fails, the turn is claimed when its work begins.
  if (!claimsAhead().has(turnId))
    keepAhead(
      turnId,
      claimNow(turnId, "new").catch(() => null),
    );
  return () => letGoAhead(turnId);
}

/** Lets go of a turn that is held, when its work does not begin here and now: it waits for whoever begins it. */
export function letGoAhead(turnId: string): void {
  const ahead = claimsAhead().get(turnId);
  claimsAhead().delete(turnId);
  ahead?.claim.then((turn) => turn && letGo(turn)).catch(() => {});
}

function keepAhead(turnId: string, claim: Ahead["claim"]): void {
  const claims = claimsAhead();
  for (const [id, { at }] of claims) {
    if (performance.now() - at < AHEAD_MS) break;
    claims.delete(id);
  }
  claims.set(turnId, { claim, at: performance.now() });
}

/** Else it would soon look like a turn whose worker died. */
async function letGo({ turnId, generation }: ClaimedTurn): Promise<void> {
  await hotDb().query({
    name: "let-go-of-turn",
    text: `UPDATE turns SET status = 'queued', started_at = NULL, heartbeat_at = now()
           WHERE id = $1 AND generation = $2 AND status = $3`,
    values: [turnId, generation, "running"],
  });
}

async function takeClaimAhead(turnId: string): Promise<ClaimedTurn | null> {
  const ahead = claimsAhead().get(turnId);
  claimsAhead().delete(turnId);
  return ahead && performance.now() - ahead.at < AHEAD_MS ? ahead.claim : null;
}
