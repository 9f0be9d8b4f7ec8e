import type { Transaction } from "@/lib/db/pool";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { TurnLostError } from "@/lib/services/turns/turn-writer";

/**
 * Locks a turn for the worker that has it, to promise it more credits. The turn first, then its account: the order in which
 * settling locks them.
 * @returns the credits that are promised to it
 * @throws TurnLostError when it ended or another worker has it
 */
export async function lockTurn(tx: Transaction, { turnId, generation }: ClaimedTurn): Promise<number> {
  const { rows } = await tx.query<{ reserved: number }>({
    name: "lock-turn",
    text: `SELECT credits_reserved AS reserved FROM turns WHERE id = $1 AND generation = $2 AND status = 'running' FOR UPDATE`,
    values: [turnId, generation],
  });
  if (!rows[0]) throw new TurnLostError();
  return rows[0].reserved;
}
