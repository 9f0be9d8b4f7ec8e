import type { TranscriptDraft, TranscriptStore } from "@/lib/ai/files/understood-file";
import { db } from "@/lib/db/pool";
import { countWords } from "@/lib/domain/count-words";
import type { CreditLimit } from "@/lib/domain/credits";
import { transcriptionCredits } from "@/lib/domain/transcription";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { maxCreditsReached } from "@/lib/services/turns/max-credits-reached";

/** Who has a file transcribed. */
export interface TranscriptPayer {
  turnId: string;
  /** What the turn may cost: no more than this is spent at the provider. */
  limit: CreditLimit;
}

export interface KeptTranscripts extends TranscriptStore {
  /** Whether the transcript that was found or kept is this payer's to pay. */
  isMine(): boolean;
}

interface KeptRow {
  text: string;
  seconds: number | null;
  paidBy: string | null;
  isUnpaid: boolean;
}

/**
 * The transcript of a stored file, kept with it for every process and every later turn. The turn that had it made pays for
 * it; when that one ended without an answer, and so cost nothing, the next that reads it does.
 * @param payer null: the transcript is only looked up, as for a quote
 */
export function keepTranscripts(projectId: string, fileId: string, payer: TranscriptPayer | null): KeptTranscripts {
  let isMine = false;
  return {
    isMine: () => isMine,
    async find(model) {
      const { rows } = await db().query<KeptRow>({
        name: "find-transcript",
        text: `SELECT f.transcript AS text, f.transcript_seconds AS seconds, f.transcript_turn_id AS "paidBy",
                      coalesce(t.status IN ('failed', 'canceled'), true) AS "isUnpaid"
               FROM stored_files f LEFT JOIN turns t ON t.id = f.transcript_turn_id
               WHERE f.id = $1 AND f.project_id = $2 AND f.transcript_model = $3 AND f.transcript IS NOT NULL`,
        values: [fileId, projectId, model],
      });
      const row = rows[0];
      if (!row) return null;
      isMine = row.isUnpaid || row.paidBy === payer?.turnId;
      if (payer && isMine && row.paidBy !== payer.turnId) await takeOver(projectId, fileId, payer.turnId);
      return { text: row.text, ...(row.seconds !== null && { seconds: row.seconds }) };
    },
    approve(model, seconds) {
      const credits = transcriptionCredits(model, seconds);
      if (payer && credits > payer.limit.credits) throw tooExpensive(credits, payer.limit);
    },
    async findDraft(model) {
      const { rows } = await db().query<{ draft: TranscriptDraft }>({
        name: "find-transcript-draft",
        text: `SELECT transcript_draft AS draft FROM stored_files
               WHERE id = $1 AND project_id = $2 AND transcript_draft->>'model' = $3`,
        values: [fileId, projectId, model],
      });
      return rows[0]?.draft ?? null;
    },
    async keepDraft(model, { text, until, seconds }) {
      // A process that stood still while another went on with its turn comes with what is behind by then.
      await db().query(
        `UPDATE stored_files SET transcript_draft = $3
         WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL AND transcript_model IS DISTINCT FROM $4
           AND (transcript_draft->>'model' = $4 AND (transcript_draft->>'until')::float8 >= $5) IS NOT TRUE`,
        [fileId, projectId, JSON.stringify({ model, text, until, seconds }), model, until],
      );
    },
    async keep(model, { text, seconds }) {
      await db().query(
        `UPDATE stored_files SET transcript = $3, transcript_model = $4, transcript_seconds = $5, transcript_turn_id = $6,
                transcript_draft = NULL
         WHERE id = $1 AND project_id = $2 AND deleted_at IS NULL`,
        [fileId, projectId, text, model, seconds ?? null, payer?.turnId ?? null],
      );
      isMine = true;
    },
  };
}

async function takeOver(projectId: string, fileId: string, turnId: string): Promise<void> {
  await db().query("UPDATE stored_files SET transcript_turn_id = $3 WHERE id = $1 AND project_id = $2", [
    fileId,
    projectId,
    turnId,
  ]);
}

function tooExpensive(credits: number, limit: CreditLimit): TurnError {
  return limit.maxCredits !== null
    ? maxCreditsReached("Transcribing the file would cost", limit.maxCredits)
    : new TurnError(
        "INSUFFICIENT_CREDITS",
        `Transcribing the file costs about ${countWords(credits, "credit")} and ${Math.max(0, limit.credits)} are free. Ask for more credits in the panel, and send it again.`,
      );
}

/** Credits for the transcripts of a turn's files, by the length of each in seconds. */
export function creditsForSound(lengths: readonly number[]): number {
  return lengths.reduce((sum, seconds) => sum + transcriptionCredits(env().TRANSCRIPTION_MODEL, seconds), 0);
}
