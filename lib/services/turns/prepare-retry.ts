import { db } from "@/lib/db/pool";
import { AppError, notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { schemaRule } from "@/lib/domain/prompt-blocks";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import type { SessionKind } from "@/lib/domain/session-status";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { checkCallbackUrl } from "@/lib/services/turns/check-callback-url";
import { countProjectTokens } from "@/lib/services/turns/count-project-tokens";
import { creditBounds, creditsToReserve } from "@/lib/services/turns/prepare-turn";
import { nothingToRetry } from "@/lib/services/turns/take-over-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** What is to be tried again, and by which call. */
export interface RetryCall {
  sessionId: string;
  /** As usage and logs name it: "POST /chat/:sessionId/retry". */
  endpoint: string;
  requestId: string;
  /** Whose session it has to be; absent: anybody's. */
  endUserId?: string | undefined;
  /** Which kind of session it has to be; absent: either. */
  kind?: SessionKind;
}

interface LastTurn {
  turnId: string;
  position: number;
  kind: SessionKind;
  status: string;
  endUserId: string | null;
  input: string;
  fileContent: string | null;
  templateId: string | null;
  templateVersion: number | null;
  callbackUrl: string | null;
  reference: string | null;
  /** What the call itself named, whatever its project let it cost then. */
  maxCredits: number | null;
  /** As it was sent; null: the answer may be anything. */
  outputSchema: OutputSchema | null;
  files: { contentType: string; size: number; isRemoved: boolean }[];
}

/**
 * A session's last turn once more, where it failed or was canceled: with its files, its rendered template, its schema, and told of
 * at the same address. What the project and the caller may spend is asked anew.
 * @throws AppError NOT_FOUND; NOT_READY while it is under way, or where there is nothing to try again; URL_NOT_HTTPS,
 * URL_NOT_ALLOWED where its address is allowed no more
 */
export async function prepareRetry(principal: Principal, call: RetryCall): Promise<TurnInput> {
  const last = await findLastTurn(principal, call);
  if (!last) throw notFound(call.kind === "process" ? "The processing" : "The session");
  refuseUnless(last);
  const { input, fileContent, templateId, outputSchema, files } = last;
  const endUserId = last.endUserId ?? undefined;
  const bounds = creditBounds(principal, last.maxCredits ?? undefined);
  const counted = { inputTokens: estimateTokens(input), endUserId, sessionId: call.sessionId };
  const projectTokens = await countProjectTokens(principal, counted);
  const addedTokens = projectTokens + (outputSchema ? estimateTokens(schemaRule(outputSchema)) : 0);
  const text = fileContent ?? undefined;
  return {
    endpoint: call.endpoint,
    requestId: call.requestId,
    kind: last.kind,
    sessionId: call.sessionId,
    endUserId,
    input,
    fileContent: text,
    template: templateId === null ? undefined : { id: templateId, version: last.templateVersion ?? 1 },
    callbackUrl: checkCallbackUrl(last.callbackUrl ?? undefined),
    reference: last.reference ?? undefined,
    ...bounds,
    outputSchema: outputSchema ?? undefined,
    retryOf: { turnId: last.turnId, position: last.position, files: files.length },
    addedTokens,
    creditsToReserve: creditsToReserve(principal, {
      text: input,
      fileContent: text,
      files,
      addedTokens,
      maxCredits: bounds.maxCredits,
    }),
  };
}

function refuseUnless({ status, files }: LastTurn): void {
  if (status === "completed") throw nothingToRetry("Its last call was answered: there is nothing to try again.");
  if (status === "queued" || status === "running") {
    throw new AppError("NOT_READY", "Its last call is still under way: it can be tried again if it fails.");
  }
  if (files.some(({ isRemoved }) => isRemoved)) {
    throw nothingToRetry("The file of its last call is kept no longer: send it again.");
  }
}

async function findLastTurn({ projectId }: Principal, call: RetryCall): Promise<LastTurn | undefined> {
  const { rows } = await db().query<LastTurn>({
    name: "find-turn-to-retry",
    text: `
      SELECT t.id AS "turnId", t.position, s.kind, t.status, t.end_user_id AS "endUserId", t.input, t.file_content AS "fileContent",
             t.template_id AS "templateId", t.template_version AS "templateVersion", t.callback_url AS "callbackUrl",
             t.reference,
             nullif(coalesce(t.call_max_credits, t.max_credits), 0) AS "maxCredits", t.output_schema AS "outputSchema",
             (SELECT coalesce(json_agg(json_build_object('contentType', f.content_type, 'size', f.size,
                                                         'isRemoved', f.deleted_at IS NOT NULL)), '[]')
              FROM stored_files f WHERE f.session_id = s.id AND f.turn_id = t.id AND f.purpose = 'input') AS files
      FROM sessions s
      CROSS JOIN LATERAL (SELECT * FROM turns WHERE session_id = s.id ORDER BY position DESC LIMIT 1) t
      WHERE s.id = $1 AND s.project_id = $2 AND ($3::text IS NULL OR s.end_user_id = $3) AND ($4::text IS NULL OR s.kind = $4)`,
    values: [call.sessionId, projectId, call.endUserId ?? null, call.kind ?? null],
  });
  return rows[0];
}
