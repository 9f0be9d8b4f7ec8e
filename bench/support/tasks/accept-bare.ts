import pg from "pg";
import { KEPT_PLANS } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { ACCEPT_NEW_SESSIONS } from "@/lib/services/turns/accept-statements";

export interface AcceptBareOptions {
  databaseUrl: string;
  /** Their rows must be there. */
  accounts: { accountId: string; projectId: string }[];
  /** At once; each keeps to one account. */
  connections: number;
  seconds: number;
  requests: number;
}

/** The floor of accepting: the service's own statement through a pool and nothing else. Returns how many per second. */
export async function acceptBare(options: AcceptBareOptions): Promise<number> {
  // The service's own settings: a bare statement that is planned anew each time would be an easy one to come near.
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: options.connections, options: KEPT_PLANS });
  const accept = async ({ accountId, projectId }: { accountId: string; projectId: string }) => {
    const { rows } = await pool.query<{ accepted: number }>({
      ...ACCEPT_NEW_SESSIONS,
      values: [
        ...[[newId("session")], [newId("turn")], [newId("outbox")], accountId, [projectId], [null], [null]],
        ...[["POST /chat"], [newId("request")], ["bench"], [null], [null], [null], [null], [null], 1, null],
        ...[["chat"], [null], [1]],
      ],
    });
    if (rows[0]?.accepted !== 1) throw new Error("The statement accepted nothing.");
  };
  const each = (work: (index: number) => Promise<void>) =>
    Promise.all(Array.from({ length: options.connections }, (_, index) => work(index)));
  const account = (index: number) =>
    options.accounts[index % options.accounts.length] ?? { accountId: "", projectId: "" };
  // Connections and prepared statements, as a running service has them.
  await each((index) => accept(account(index)));
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1_000;
  let left = options.requests;
  let done = 0;
  await each(async (index) => {
    while (left-- > 0 && performance.now() < endsAt) {
      await accept(account(index));
      done += 1;
    }
  });
  const perSecond = done / ((performance.now() - startedAt) / 1_000);
  await pool.end();
  return perSecond;
}
