import type { OutputOrder } from "@/lib/ai/tools/output-order";
import { db } from "@/lib/db/pool";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import type { TurnContext } from "@/lib/services/turns/turn-end";

/** What the model that ordered an output has used; the turn's record gets it when the turn ends. */
export interface OrderingAnswer {
  /** As the project calls the model, which prices go by. */
  model: string;
  tokensIn: number;
  tokensOut: number;
  /** For what was transcribed for the turn, on top of the tokens. */
  soundCredits: number;
  /** The context receipt. */
  context: TurnContext;
  /** Outputs that were asked for beside this one: a turn has one. */
  leftOut: number;
}

/** An output that an open turn is making, as far as it is. */
export interface TurnOutput {
  order: OutputOrder;
  /** What the order costs on top of the answer's tokens. */
  credits: number;
  answer: OrderingAnswer;
  /** The provider's name of the video that is being made; null before, and for what is made at once. */
  jobId: string | null;
  /** Seconds since the provider began. */
  jobSeconds: number | null;
  /** The stored bytes, which nobody has adopted yet. */
  draft: UploadDraft | null;
}

/** The output of a turn; null when nothing was ordered, or the turn has ended. */
export async function findTurnOutput(turnId: string): Promise<TurnOutput | null> {
  const { rows } = await db().query<TurnOutput>({
    name: "find-turn-output",
    text: `SELECT "order", credits, answer, job_id AS "jobId", draft,
                  extract(epoch FROM now() - job_at)::float AS "jobSeconds"
           FROM turn_outputs WHERE turn_id = $1`,
    values: [turnId],
  });
  return rows[0] ?? null;
}
