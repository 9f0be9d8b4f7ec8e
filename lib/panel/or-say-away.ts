import { randomBytes } from "node:crypto";
import { awayDigest } from "@/lib/domain/away-digest";
import { beginWork, pageAnswer } from "@/lib/panel/page-answer";
import { AWAY_RETRY_AFTER_SECONDS, isServiceAway } from "@/lib/services/health/is-service-away";

/**
 * Around each page and layout, and each part of one that is made apart. When the database is away it says that, and not that it
 * broke: the error goes on with a digest that the browser knows, and the answer is a 503 unless it has begun. Any other error goes
 * on as it is.
 */
export function orSayAway<Given extends unknown[], Made>(
  make: (...given: Given) => Promise<Made>,
): (...given: Given) => Promise<Made> {
  return async (...given) => {
    beginWork();
    try {
      return await make(...given);
    } catch (error) {
      if (isServiceAway(error)) markAway(error as { digest?: string });
      throw error;
    }
  };
}

function markAway(error: { digest?: string }): void {
  error.digest ??= awayDigest(randomBytes(5).toString("hex"));
  const answer = pageAnswer();
  if (answer) answer.retryAfterSeconds = AWAY_RETRY_AFTER_SECONDS;
}
