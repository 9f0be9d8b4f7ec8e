import type { TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { openSessionStream, type SessionStream, type StreamEvent } from "@/lib/services/sessions/stream-session";

export async function readRow(table: "sessions" | "turns", id: string) {
  const { rows } = await db().query(`SELECT * FROM ${table} WHERE id = $1`, [id]);
  return rows[0];
}

/** What an account has, what is promised to turns, and what its ledger adds up to. */
export async function balanceOf({ accountId }: TestAccount) {
  const { rows } = await db().query(
    `SELECT credit_balance AS balance, credit_reserved AS reserved,
            (SELECT coalesce(sum(amount), 0) FROM ledger_entries l WHERE l.account_id = a.id) AS ledger
     FROM accounts a WHERE id = $1`,
    [accountId],
  );
  return rows[0] as { balance: number; reserved: number; ledger: number };
}

/** What a stream of the session says, to its end. */
export async function eventsOf(
  account: TestAccount,
  sessionId: string,
  options: Parameters<typeof openSessionStream>[2] = {},
): Promise<StreamEvent[]> {
  return readToEnd(await openSessionStream(account.principal, sessionId, options));
}

export async function readToEnd(stream: SessionStream | null): Promise<StreamEvent[]> {
  const abort = new AbortController();
  const all: StreamEvent[] = [];
  for await (const event of stream?.(abort.signal) ?? []) all.push(event);
  abort.abort();
  return all;
}

/** The text that a client has put together from these events. */
export function streamedText(all: StreamEvent[]): string {
  let text = "";
  for (const { event, data } of all) {
    if (event === "reset") text = "";
    if (event === "chunk") text += (data as { delta: string }).delta;
  }
  return text;
}
