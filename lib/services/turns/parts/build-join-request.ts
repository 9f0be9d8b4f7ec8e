import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import type { Extraction } from "@/lib/ai/files/file-kinds";
import { nothingToRead } from "@/lib/ai/files/pages/understand-pages";
import type { ModelPart } from "@/lib/ai/model-message";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { db } from "@/lib/db/pool";
import { tokensSentAnyway } from "@/lib/domain/conversation-window";
import { describeCoverage } from "@/lib/domain/document-ranges";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { shortenPageList } from "@/lib/domain/page-pictures";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { guessSoundSeconds } from "@/lib/domain/transcription";
import type { TurnError } from "@/lib/domain/turn-errors";
import type { TurnModelRequest } from "@/lib/services/turns/build-model-request";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { cutToNothing } from "@/lib/services/turns/cut-to-nothing";
import { frameMessages, frameReceipt } from "@/lib/services/turns/frame-request";
import { creditsForSound } from "@/lib/services/turns/keep-transcripts";
import { loadConversation } from "@/lib/services/turns/load-conversation";
import { loadProjectContext } from "@/lib/services/turns/load-project-context";
import { answerPrompt } from "@/lib/services/turns/parts/part-prompts";
import { recallFirstWords } from "@/lib/services/turns/parts/recall-first-words";
import { type ReadingTotals, readResults, readTotals } from "@/lib/services/turns/parts/turn-part";
import { pickHistory, weighText } from "@/lib/services/turns/pick-history";

/**
 * The last call of a turn that was read in parts: the results that remain, as much of the conversation as fits beside them,
 * and the instruction. It says what the parts have used and what they cover.
 * @throws TurnError UNSUPPORTED_FILE when nothing could be read on any page: the model was not asked
 */
export async function buildJoinRequest(turn: ClaimedTurn): Promise<TurnModelRequest> {
  const totals = await readTotals(turn.turnId);
  const entry = findModel(totals.model);
  const budgetTokens = inputBudgetTokens(entry);
  const [results, project, conversation, files] = await Promise.all([
    readResults(turn.turnId),
    loadProjectContext(turn, budgetTokens, () => recallFirstWords(turn, totals.model)),
    loadConversation({ ...turn, hasFiles: false }, { tokens: budgetTokens, inlineTokens: 0 }),
    readReceipts(turn.turnId),
  ]);
  if (totals.tokensIn === 0) throw nothingWasRead(files);
  if (totals.covers.every(({ heldBack }) => heldBack === "all")) throw cutToNothing("filter");
  const input: ModelPart[] = [{ type: "text", text: answerPrompt(turn.input, results) }];
  const inputTokens = estimatePartTokens(input);
  const fixedTokens = tokensSentAnyway(project.systemTokens, inputTokens);
  const { newestFirst } = conversation;
  const history = await pickHistory(turn, { newestFirst, weigh: weighText, budgetTokens, fixedTokens });
  const { parts, joins, tokensIn, tokensOut } = totals;
  const ranges = totals.covers.map((covers) => describeCoverage(covers.ranges));
  const sound = await soundToPay(turn.turnId);
  const frame = { turn, project, history, sound };
  return {
    model: totals.model,
    messages: frameMessages(frame, input),
    tokensInEstimate: history.tokens,
    maxOutputTokens: entry.maxOutputTokens,
    soundCredits: creditsForSound(sound),
    isTooLong: false,
    isCut: false,
    spent: { tokensIn, tokensOut },
    // JSON has no place for it; the receipt says the same.
    ...(!turn.outputSchema && { closingLine: closingLine(totals, files) }),
    context: {
      ...frameReceipt(frame),
      files,
      parts: { count: parts, joins, tokensIn, tokensOut, ranges },
      tokens: {
        ...project.tokens,
        history: history.tokens - fixedTokens,
        files: inputTokens - estimateTokens(turn.input),
        input: estimateTokens(turn.input),
        total: history.tokens,
      },
    },
  };
}

type FileReceipt = ContextReceipt["files"][number] & Pick<Extraction, "leftOut" | "skipped">;

/** What the answer says of how it was made: "Read in 14 parts: pages 1-2,000 of 2,000." */
function closingLine({ parts, covers, heldBack }: ReadingTotals, files: FileReceipt[]): string {
  const unread = files.some(({ leftOut }) => leftOut !== undefined) ? " The rest of the file was not read." : "";
  const unseen = files.flatMap(({ skipped }) => (skipped?.pageNumbers ? [shortenPageList(skipped.pageNumbers)] : []));
  const missing = unseen.length > 0 ? ` Without text and not read: pages ${unseen.join("; ")}.` : "";
  const coverage = describeCoverage(covers.flatMap(({ ranges }) => ranges));
  const filtered = heldBack.map(({ ranges }) => describeCoverage(ranges)).join("; ");
  const kept = filtered ? ` The model provider's content filter held back some of what was noted on ${filtered}.` : "";
  return `\n\nRead in ${parts} part${parts === 1 ? "" : "s"}: ${coverage}.${missing}${kept}${unread}`;
}

function nothingWasRead(files: FileReceipt[]): TurnError {
  const isBroken = files.some(({ skipped }) => skipped?.pagesReason === "unreadable");
  const isTiff = files.some(({ kind }) => kind === "tiff");
  return nothingToRead(isTiff ? "tiff" : "pdf", isBroken ? "unreadable" : undefined);
}

/** What the plan noted with each file of the turn. */
async function readReceipts(turnId: string): Promise<FileReceipt[]> {
  const { rows } = await db().query<{ id: string; name: string; extraction: Extraction | null }>({
    name: "file-receipts",
    text: `SELECT id, name, extraction FROM stored_files
           WHERE turn_id = $1 AND purpose = 'input' AND deleted_at IS NULL ORDER BY created_at, id`,
    values: [turnId],
  });
  return rows.map(({ id, name, extraction }) => ({ kind: "text", ...extraction, id, name }));
}

/** Seconds of each transcript that this turn pays for. */
async function soundToPay(turnId: string): Promise<number[]> {
  const { rows } = await db().query<{ seconds: number | null; size: number; contentType: string }>({
    name: "sound-of-turn",
    text: `SELECT coalesce((extraction->>'seconds')::float8, transcript_seconds::float8) AS seconds, size,
                  content_type AS "contentType"
           FROM stored_files WHERE transcript_turn_id = $1 AND transcript IS NOT NULL`,
    values: [turnId],
  });
  return rows.map(({ seconds, size, contentType }) => seconds ?? guessSoundSeconds(size, contentType));
}
