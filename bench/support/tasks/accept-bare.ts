import pg from "pg";
import { KEPT_PLANS } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { RESERVE_CREDITS, TURN_COLUMNS } from "@/lib/services/turns/accept-statements";

export interface AcceptBareOptions {
  databaseUrl: string;
  /** Their rows must be there. */
  accounts: { accountId: string; projectId: string }[];
  /** At once; each keeps to one account. */
  connections: number;
  seconds: number;
  requests: number;
}

/** What a call has to have on disk before its answer, in the least statement that does it. */
const ACCEPT_NEW_SESSION = {
  name: "accept-new-session",
  text: `
    WITH money AS (${RESERVE_CREDITS} RETURNING id),
    session AS (
      INSERT INTO sessions (id, account_id, project_id, kind, status, end_user_id, template_id, callback_url, prompt,
                            turn_count, open_turns)
      SELECT $1, $4, $5, $18, 'started', $7, $12, $14, $19, 1, 1 FROM money
      RETURNING id, end_user_id
    ),
    turn AS (
      INSERT INTO turns (${TURN_COLUMNS})
      SELECT $2, s.id, $4, $5, $6, s.end_user_id, $8, $9, $10, $11, $12, $13::int, $14, $15::int, $16::int,
        NULL::json, NULL::int, NULL::text, 'started', 0
      FROM session s RETURNING id
    ),
    message AS (
      INSERT INTO messages (session_id, position, turn_id, role, content) SELECT s.id, 0, $2, 'user', $10 FROM session s
    ),
    outbox AS (
      INSERT INTO outbox_events (id, name, data)
      SELECT $3, 'turn/ready', jsonb_build_object('turnId', $2::text, 'sessionId', s.id, 'accountId', $4::text) FROM session s
    )
    SELECT (SELECT count(*)::int FROM turn) AS accepted`,
};

/** The floor of accepting: one such statement for each call through a pool, and nothing else. Returns how many per second. */
export async function acceptBare(options: AcceptBareOptions): Promise<number> {
  // The service's own settings: a bare statement that is planned anew each time would be an easy one to come near.
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: options.connections, options: KEPT_PLANS });
  const accept = async ({ accountId, projectId }: { accountId: string; projectId: string }) => {
    const { rows } = await pool.query<{ accepted: number }>({
      ...ACCEPT_NEW_SESSION,
      values: [
        ...[
          newId("session"),
          newId("turn"),
          newId("outbox"),
          accountId,
          projectId,
          null,
          null,
          "POST /chat",
          newId("request"),
        ],
        ...["bench", null, null, null, null, null, 1, null, "chat", null],
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
