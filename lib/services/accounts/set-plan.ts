import type { Account } from "@/lib/db/generated/client";
import { inTransaction, type Transaction } from "@/lib/db/pool";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
import { invalidField, notFound } from "@/lib/domain/errors";
import { isPlanId, PLANS, type PlanId } from "@/lib/domain/plans";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { emitTokensExceeded } from "@/lib/services/deliveries/emit-tokens-exceeded";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertOpen } from "@/lib/services/requests/assert-open";
import { grantRequests, withinPool } from "@/lib/services/requests/grant-requests";
import { assertStillStaffWithin } from "@/lib/services/staff/assert-still-staff";

const MAX_REQUESTS_PER_MINUTE = 1_000_000;

/** An account's plan and its balance in credits. */
export interface AccountPlan {
  accountId: string;
  plan: string;
  credits: number;
}

interface PlanMove {
  accountId: string;
  planId: PlanId;
  began?: PlanId;
  requestId?: string | undefined;
  rateLimitPerMinute?: number | null;
  reason?: string;
}

type PlanRow = Pick<Account, "planId" | "rateLimitPerMinute" | "creditBalance">;

const PLAN_COLUMNS = `plan_id AS "planId", rate_limit_per_minute AS "rateLimitPerMinute", credit_balance AS "creditBalance"`;

/**
 * Moves an account to a plan and, when given, sets its own rate limit (requests per key and minute); null: the plan's holds
 * from now on. What is so already is left alone, without a line in the audit log. Where the month's use reaches the limit of a smaller plan, receivers are told as when calls reach it (contract §7).
 * @param input.began the plan that whoever moves it saw; absent (operators): whichever it has
 * @param input.requestId what the account asked for and was open when whoever moves it was asked where to
 * @throws AppError NOT_FOUND; VALIDATION_FAILED, also when somebody else moved it since, and when the request was answered or
 *   taken back since
 */
export async function setPlan(actor: Actor, input: PlanMove): Promise<AccountPlan> {
  const { accountId, planId, began, requestId, rateLimitPerMinute } = input;
  assertRateLimit(rateLimitPerMinute ?? undefined);
  const plan = await inTransaction(async (tx) => {
    // Locked, so that what the audit log says of "before" is true, and a turn that ends meanwhile is held against one plan.
    const [before] = (
      await tx.query<PlanRow>(`SELECT ${PLAN_COLUMNS} FROM accounts WHERE id = $1 FOR UPDATE`, [accountId])
    ).rows;
    await assertStillStaffWithin(tx, actor);
    const [after] = (
      await tx.query<PlanRow>(
        `UPDATE accounts SET plan_id = $2, rate_limit_per_minute = CASE WHEN $4 THEN $3 ELSE rate_limit_per_minute END,
           updated_at = now()
         WHERE id = $1 RETURNING ${PLAN_COLUMNS}`,
        [accountId, planId, rateLimitPerMinute ?? null, rateLimitPerMinute !== undefined],
      )
    ).rows;
    if (!before || !after) throw notFound(`The account ${accountId}`);
    const answer = { accountId, plan: after.planId, credits: after.creditBalance };
    if (before.planId === after.planId && before.rateLimitPerMinute === after.rateLimitPerMinute) return answer;
    if (began !== undefined && before.planId !== began) {
      const { planId: now } = before;
      throw changedMeanwhile(`the account was moved to ${isPlanId(now) ? PLANS[now].name : now}`, "dialog");
    }
    if (requestId !== undefined) await assertOpen(withinPool(tx), { accountId, requestId });
    await writeAudit(tx, actor, {
      accountId,
      action: "account.set-plan",
      subject: accountId,
      ...(input.reason !== undefined && { reason: input.reason }),
      before: { planId: before.planId, rateLimitPerMinute: before.rateLimitPerMinute },
      after: { planId: after.planId, rateLimitPerMinute: after.rateLimitPerMinute },
    });
    if (before.planId !== after.planId) await grantRequests(withinPool(tx), actor, { accountId, planId });
    await tellOfReachedLimit(tx, accountId, before.planId, planId);
    return answer;
  });
  wakeRelay();
  return plan;
}

/** Tells of a limit that is reached by the new plan alone: of the old one's, whoever reached it has told. */
async function tellOfReachedLimit(tx: Transaction, accountId: string, from: string, to: PlanId): Promise<void> {
  const tokenLimit = PLANS[to].tokensPerMonth;
  const earlierLimit = isPlanId(from) ? PLANS[from].tokensPerMonth : null;
  if (tokenLimit === null) return;
  const { rows } = await tx.query<{ at: Date; tokensUsed: number }>(
    `SELECT now() AS at, tokens_used AS "tokensUsed" FROM account_periods
     WHERE account_id = $1 AND period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date`,
    [accountId],
  );
  for (const { at, tokensUsed } of rows) {
    if (tokensUsed < tokenLimit || (earlierLimit !== null && tokensUsed >= earlierLimit)) continue;
    await emitTokensExceeded(tx, { accountId, at, tokensUsed, tokenLimit, turn: null });
  }
}

/** @throws AppError VALIDATION_FAILED unless it is absent or a whole number of requests per minute */
export function assertRateLimit(perMinute: number | undefined): void {
  if (perMinute === undefined) return;
  if (!Number.isInteger(perMinute) || perMinute < 1 || perMinute > MAX_REQUESTS_PER_MINUTE) {
    throw invalidField("rate-limit", `must be a whole number from 1 to ${MAX_REQUESTS_PER_MINUTE}`);
  }
}
