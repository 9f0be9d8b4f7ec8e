import { modelError } from "@/lib/ai/explain-model-error";
import { type ModelPace, modelPaces } from "@/lib/ai/model-pace";
import { hotDb } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { TurnError } from "@/lib/domain/turn-errors";
import { isProcessing } from "@/lib/domain/turn-priority";
import type { TurnProgress } from "@/lib/domain/turn-progress";
import { env } from "@/lib/env";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { READY_DATA_OF_TURN } from "@/lib/services/turns/ready-data";
import { limitedAfter } from "@/lib/services/turns/tell-of-limit";
import { turnLane } from "@/lib/services/turns/turn-lane";

/**
 * The pace that a turn is held to while its model's provider refuses calls (docs/decisions/0052); undefined where there is none.
 * Nobody sits and waits for a processing; what was read of it, or ordered, is gone on with at once.
 */
export function paceOf(
  turn: Pick<ClaimedTurn, "kind" | "endpoint" | "position" | "hasOutput" | "model">,
): ModelPace | undefined {
  const isOne = isProcessing(turn.kind, turn.endpoint, turn.position > 0);
  if (!isOne || turn.hasOutput || env().MODEL_LIMIT_PATIENCE_SECONDS === 0) return undefined;
  return modelPaces().find(turn.model ?? env().DEFAULT_MODEL);
}

/** That a limit refused the turn. */
export function tellPace(pace: ModelPace | undefined, turn: ClaimedTurn, { retryAfterSeconds = 0 }: TurnError): void {
  pace?.pacedRefused({ lane: turnLane(turn), refusedBefore: turn.limitedTries, retryAfterSeconds });
}

/** Nothing for a while may be an answer that takes as long. */
const LEAST_PATIENCE_SECONDS = 300;

/**
 * Lets go of a turn whose model is asked at a pace, until it may be its turn: the queue has it again then, as anew. It holds no place
 * meanwhile, and none of its tries is spent or given back. Whoever looks on is told the first time.
 * @param tried how often it was tried before
 * @param tell writes into the timeline
 * @returns whether it was let go of
 * @throws TurnError MODEL_RATE_LIMITED when the turn has waited, and nothing got through to the model, for as long as the settings have patience
 */
export async function holdTurn(
  turn: ClaimedTurn,
  pace: ModelPace | undefined,
  tried: number,
  tell: (progress: TurnProgress) => Promise<void>,
): Promise<boolean> {
  const asked = pace?.ask(turnLane(turn), turn.turnId);
  if (!asked || asked.isTurn) return false;
  const patienceSeconds = Math.max(LEAST_PATIENCE_SECONDS, env().MODEL_LIMIT_PATIENCE_SECONDS);
  if (Math.min(turn.waitedSeconds, asked.silentSeconds) > patienceSeconds) {
    throw modelError("MODEL_RATE_LIMITED", {});
  }
  // Each claim so far was a try that was refused: it was not held before.
  if (turn.generation === 1 + turn.limitedTries) await tell(limitedAfter(turn.limitedTries));
  await letGoUntil(turn, asked.waitSeconds, tried);
  return true;
}

/**
 * The outbox hands it over when its time has come, by which process ever. A turn that ran before stays one that runs, or whoever
 * takes it next would not know that readers may have text of it. The queue counts tries anew for each event, so the event tells of
 * those before: else what the model always fails would be tried for as long as the limit lasts.
 */
async function letGoUntil({ turnId, generation, hasRun }: ClaimedTurn, seconds: number, tried: number): Promise<void> {
  await hotDb().query({
    name: "hold-turn",
    text: `
      WITH held AS (
        UPDATE turns SET status = CASE WHEN $3 THEN status ELSE 'queued' END, started_at = CASE WHEN $3 THEN started_at END,
               heartbeat_at = now() + make_interval(secs => $4)
        WHERE id = $1 AND generation = $2 AND status = 'running'
        RETURNING ${READY_DATA_OF_TURN} AS data
      )
      INSERT INTO outbox_events (id, name, data, created_at, available_at)
      SELECT $5, 'turn/ready', data || jsonb_build_object('tried', $6::int), later, later FROM held, (SELECT now() + make_interval(secs => $4)) AS due (later)`,
    values: [turnId, generation, hasRun, seconds, newId("outbox"), tried],
  });
}
