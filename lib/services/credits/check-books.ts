import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";

/** What the books of an account say, and what is wrong with them. All amounts in credits. */
export interface BooksReport {
  accountId: string;
  isClean: boolean;
  balance: number;
  /** Sum of the ledger. */
  ledger: number;
  reserved: number;
  /** Sum of what open turns were promised. */
  openReservations: number;
  /** Sum of the ledger's charges. */
  charged: number;
  /** Sum of usage. */
  used: number;
  /** A sentence for each rule that does not hold. */
  problems: string[];
}

/**
 * Holds the books of an account against each other, all as of one moment: balance and ledger, reservations and open
 * turns, usage and ledger for each day, endpoint and end user, usage and its sums, usage by key, periods and ledger, turns and their charges, sessions and
 * their turns. Right while work is going on, too. For operators; reads all of the account's turns.
 * @throws AppError NOT_FOUND
 */
export async function checkBooks(accountId: string): Promise<BooksReport> {
  // One statement sees one state of the database.
  const { rows } = await db().query<BooksRow>({ text: CHECK_BOOKS, values: [accountId] });
  const row = rows[0];
  if (!row) throw notFound(`The account ${accountId}`);
  const problems = RULES.filter(({ holds }) => !holds(row)).map(({ problem }) => problem(row));
  const { balance, ledger, reserved, openReservations, charged, used } = row;
  return {
    accountId,
    isClean: problems.length === 0,
    balance,
    ledger,
    reserved,
    openReservations,
    charged,
    used,
    problems,
  };
}

interface BooksRow {
  balance: number;
  ledger: number;
  reserved: number;
  openReservations: number;
  charged: number;
  used: number;
  usageGroupsOff: number;
  usageTotalsOff: number;
  usageMonthsOff: number;
  usageKeysOff: number;
  periodsOff: number;
  chargesOff: number;
  sessionsOff: number;
}

interface Rule {
  holds(row: BooksRow): boolean;
  problem(row: BooksRow): string;
}

const RULES: readonly Rule[] = [
  {
    holds: ({ balance, ledger }) => balance === ledger,
    problem: ({ balance, ledger }) => `The balance is ${balance}, the sum of the ledger ${ledger}.`,
  },
  {
    holds: ({ reserved, openReservations }) => reserved === openReservations,
    problem: ({ reserved, openReservations }) =>
      `${reserved} are reserved, open turns were promised ${openReservations}.`,
  },
  {
    holds: ({ balance, reserved }) => balance >= reserved,
    problem: ({ balance, reserved }) => `${reserved} are reserved of a balance of ${balance}.`,
  },
  {
    holds: ({ used, charged }) => used === charged,
    problem: ({ used, charged }) => `Usage says ${used}, the ledger's charges ${charged}.`,
  },
  {
    holds: ({ usageGroupsOff }) => usageGroupsOff === 0,
    problem: ({ usageGroupsOff }) =>
      `${usageGroupsOff} rows of usage differ from the ledger of their day, endpoint and end user.`,
  },
  {
    holds: ({ usageTotalsOff }) => usageTotalsOff === 0,
    problem: ({ usageTotalsOff }) => `${usageTotalsOff} sums of usage differ from the usage of their day and endpoint.`,
  },
  {
    holds: ({ usageMonthsOff }) => usageMonthsOff === 0,
    problem: ({ usageMonthsOff }) => `${usageMonthsOff} months of end users differ from the usage of their days.`,
  },
  {
    holds: ({ usageKeysOff }) => usageKeysOff === 0,
    problem: ({ usageKeysOff }) => `On ${usageKeysOff} days keys used more than their project.`,
  },
  {
    holds: ({ periodsOff }) => periodsOff === 0,
    problem: ({ periodsOff }) => `${periodsOff} months differ from the ledger's charges of that month.`,
  },
  {
    holds: ({ chargesOff }) => chargesOff === 0,
    problem: ({ chargesOff }) =>
      `${chargesOff} turns were charged otherwise than they say, or though they did not complete.`,
  },
  {
    holds: ({ sessionsOff }) => sessionsOff === 0,
    problem: ({ sessionsOff }) => `The sums of ${sessionsOff} sessions differ from their turns.`,
  },
];

/**
 * Charges carry the tokens of their turn; turns that cost nothing have none. Turns and sessions may be gone after their
 * retention, so the ledger is held against those that are there, not the other way round.
 */
const CHECK_BOOKS = `
  WITH account AS (SELECT * FROM accounts WHERE id = $1),
  charges AS (
    SELECT project_id, turn_id, (created_at AT TIME ZONE 'UTC')::date AS day, endpoint,
           coalesce(end_user_id, '') AS end_user_id, -amount AS credits, tokens_in, tokens_out
    FROM ledger_entries WHERE account_id = $1 AND kind = 'charge'
  ),
  charge_groups AS (
    SELECT project_id, day, endpoint, end_user_id, sum(credits) AS credits, sum(tokens_in) AS tokens_in,
           sum(tokens_out) AS tokens_out, count(*) AS n
    FROM charges GROUP BY 1, 2, 3, 4
  ),
  charge_months AS (
    SELECT date_trunc('month', day::timestamp)::date AS month, sum(credits) AS credits, sum(tokens_in + tokens_out) AS tokens
    FROM charges GROUP BY 1
  ),
  own_turns AS (SELECT * FROM turns WHERE account_id = $1),
  turn_sums AS (
    SELECT session_id, sum(credits_used) AS credits, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out,
           count(*) FILTER (WHERE status IN ('queued', 'running')) AS open_turns
    FROM own_turns GROUP BY 1
  )
  SELECT account.credit_balance AS balance, account.credit_reserved AS reserved,
    (SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE account_id = $1) AS ledger,
    (SELECT coalesce(sum(credits_reserved), 0) FROM own_turns WHERE status IN ('queued', 'running')) AS "openReservations",
    (SELECT coalesce(sum(credits), 0) FROM charges) AS charged,
    (SELECT coalesce(sum(credits), 0) FROM usage_days WHERE account_id = $1) AS used,
    (SELECT count(*) FROM (SELECT * FROM usage_days WHERE account_id = $1) u
     FULL JOIN charge_groups c USING (project_id, day, endpoint, end_user_id)
     WHERE (coalesce(u.credits, 0), coalesce(u.tokens_in, 0), coalesce(u.tokens_out, 0))
           <> (coalesce(c.credits, 0), coalesce(c.tokens_in, 0), coalesce(c.tokens_out, 0))
        OR coalesce(u.requests, 0) < coalesce(c.n, 0)) AS "usageGroupsOff",
    (SELECT count(*) FROM (SELECT * FROM usage_totals WHERE account_id = $1) t
     FULL JOIN (SELECT project_id, day, endpoint, sum(requests) AS requests, sum(tokens_in) AS tokens_in,
                       sum(tokens_out) AS tokens_out, sum(credits) AS credits
                FROM usage_days WHERE account_id = $1 GROUP BY 1, 2, 3) u USING (project_id, day, endpoint)
     WHERE (coalesce(t.requests, 0), coalesce(t.tokens_in, 0), coalesce(t.tokens_out, 0), coalesce(t.credits, 0))
           <> (coalesce(u.requests, 0), coalesce(u.tokens_in, 0), coalesce(u.tokens_out, 0), coalesce(u.credits, 0))
    ) AS "usageTotalsOff",
    (SELECT count(*) FROM (SELECT * FROM usage_months WHERE project_id IN (SELECT id FROM projects WHERE account_id = $1)) m
     FULL JOIN (SELECT project_id, date_trunc('month', day::timestamp)::date AS month, end_user_id, sum(requests) AS requests,
                       sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, sum(credits) AS credits
                FROM usage_days WHERE account_id = $1 GROUP BY 1, 2, 3) u USING (project_id, month, end_user_id)
     WHERE (m.requests, m.tokens_in, m.tokens_out, m.credits)
           IS DISTINCT FROM (u.requests, u.tokens_in, u.tokens_out, u.credits)) AS "usageMonthsOff",
    (SELECT count(*) FROM (SELECT project_id, day, sum(requests) AS requests, sum(tokens_in) AS tokens_in,
                                  sum(tokens_out) AS tokens_out, sum(credits) AS credits
                           FROM usage_key_days WHERE project_id IN (SELECT id FROM projects WHERE account_id = $1) GROUP BY 1, 2) k
     LEFT JOIN (SELECT project_id, day, sum(requests) AS requests, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out,
                       sum(credits) AS credits
                FROM usage_totals WHERE account_id = $1 GROUP BY 1, 2) t USING (project_id, day)
     WHERE k.requests > coalesce(t.requests, 0) OR k.tokens_in > coalesce(t.tokens_in, 0)
        OR k.tokens_out > coalesce(t.tokens_out, 0) OR k.credits > coalesce(t.credits, 0)) AS "usageKeysOff",
    (SELECT count(*) FROM (SELECT * FROM account_periods WHERE account_id = $1) p
     FULL JOIN charge_months c ON c.month = p.period_start
     WHERE (coalesce(p.credits_used, 0), coalesce(p.tokens_used, 0)) <> (coalesce(c.credits, 0), coalesce(c.tokens, 0))
    ) AS "periodsOff",
    (SELECT count(*) FROM own_turns t LEFT JOIN charges c ON c.turn_id = t.id
     WHERE (t.status = 'completed') <> (c.turn_id IS NOT NULL)
        OR (t.credits_used, t.tokens_in, t.tokens_out)
           <> (coalesce(c.credits, 0), coalesce(c.tokens_in, 0), coalesce(c.tokens_out, 0))) AS "chargesOff",
    (SELECT count(*) FROM sessions s LEFT JOIN turn_sums t ON t.session_id = s.id
     WHERE s.project_id IN (SELECT id FROM projects WHERE account_id = $1)
       AND (s.credits_used, s.tokens_in, s.tokens_out, s.open_turns)
           <> (coalesce(t.credits, 0), coalesce(t.tokens_in, 0), coalesce(t.tokens_out, 0), coalesce(t.open_turns, 0))
    ) AS "sessionsOff"
  FROM account`;
