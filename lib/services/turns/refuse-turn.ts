import { db, type Queryable } from "@/lib/db/pool";
import { countWords } from "@/lib/domain/count-words";
import { AppError, notFound } from "@/lib/domain/errors";
import { PLANS } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** Why a turn is not accepted. All of it is off the hot path: it is asked once a turn was refused. */

type Wish = Pick<TurnInput, "sessionId" | "endUserId" | "creditsToReserve">;

interface Funds {
  available: number;
  tokensUsed: number;
  isSessionFound: boolean;
}

/** Of a call whose cost is not known yet. */
const LEAST_CREDITS = 1;

/** Says which of the conditions of the accept statement did not hold, credits first (contract §2, order of checks). */
export async function reasonForRefusal(
  on: Pick<Queryable, "query">,
  principal: Principal,
  wish: Wish,
): Promise<AppError> {
  const funds = await readFunds(on, principal, wish);
  if (!funds) return notFound("The session");
  const refusal = findShortage(principal, wish.creditsToReserve, funds);
  if (refusal) return refusal;
  // There is enough of all by now: it was short of credits a moment ago.
  return funds.isSessionFound ? tooFewCredits(wish.creditsToReserve, funds) : notFound("The session");
}

/** Does what may find that a thing is not there. An account without credits is told of those first, as `reasonForRefusal` does. */
export async function creditsFirst<T>(principal: Principal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "NOT_FOUND") throw error;
    const funds = await readFunds(db(), principal, { creditsToReserve: LEAST_CREDITS });
    throw (funds && findShortage(principal, LEAST_CREDITS, funds)) ?? error;
  }
}

async function readFunds(on: Pick<Queryable, "query">, principal: Principal, wish: Wish): Promise<Funds | undefined> {
  const { rows } = await on.query<Funds>(
    `SELECT a.credit_balance - a.credit_reserved AS available,
            coalesce((SELECT tokens_used FROM account_periods p WHERE p.account_id = a.id
                      AND p.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS "tokensUsed",
            $2::text IS NULL OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = $2 AND s.project_id = $3
                      AND ($4::text IS NULL OR s.end_user_id = $4)) AS "isSessionFound"
     FROM accounts a WHERE a.id = $1`,
    [principal.accountId, wish.sessionId ?? null, principal.projectId, wish.endUserId ?? null],
  );
  return rows[0];
}

function findShortage({ planId }: Principal, credits: number, funds: Funds): AppError | undefined {
  const limit = PLANS[planId].tokensPerMonth;
  if (limit !== null && funds.tokensUsed >= limit) {
    return new AppError(
      "TOKEN_LIMIT_REACHED",
      `The plan's ${limit} tokens of this month are used up. Change to a larger plan or wait for the next month.`,
    );
  }
  return funds.available < credits ? tooFewCredits(credits, funds) : undefined;
}

function tooFewCredits(credits: number, { available }: Funds): AppError {
  return new AppError(
    "INSUFFICIENT_CREDITS",
    `This call needs about ${countWords(credits, "credit")} and ${Math.max(0, available)} are free. Ask for more credits in the panel, or wait for running work to end.`,
  );
}
