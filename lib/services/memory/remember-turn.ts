import type { ModelAnswer } from "@/lib/ai/model-message";
import { streamAnswer } from "@/lib/ai/model-port";
import { isUniqueViolation } from "@/lib/db/failures";
import { db } from "@/lib/db/pool";
import { pickWindow, TOKENS_PER_MESSAGE } from "@/lib/domain/conversation-window";
import { memoryPathOf } from "@/lib/domain/knowledge-path";
import {
  MAX_PROFILE_CHARACTERS,
  MAX_PROFILE_VERSIONS,
  MEMORY_INSTRUCTIONS,
  MEMORY_QUESTION,
  toProfile,
} from "@/lib/domain/memory-rules";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { buildSystemPrompt, buildUserPrompt, type DataBlock } from "@/lib/domain/prompt-blocks";
import { estimateTokens, takeTokens } from "@/lib/domain/token-estimate";
import { env } from "@/lib/env";
import { readMessages } from "@/lib/services/turns/read-messages";

/** What became of the memory of a turn. */
export type MemoryOutcome =
  /** The profile has a new version. */
  | "written"
  /** The turn told nothing new, or the model broke off before the profile was whole. */
  | "unchanged"
  /** Nothing to do: memory is off, the turn was remembered before, or the end user was forgotten since. */
  | "skipped";

/** The profile changed while the model was asked: to be done again on what it says now. */
export class MemoryChangedError extends Error {}

interface TurnToRemember {
  turnId: string;
  sessionId: string;
  projectId: string;
  endUserId: string;
  position: number;
  model: string | null;
  content: string;
  version: number;
  forgottenAt: Date | null;
}

/** Of the newest part of a conversation that is read for the profile, where the model's window has room for it. */
const CONVERSATION_TOKENS = 8_000;
const MESSAGE_TOKENS = 2_000;
/** Room for the longest profile, and for what a reasoning model thinks before it. */
const MAX_OUTPUT_TOKENS = 8_000;

/**
 * Brings the profile of a turn's end user up to date. Safe to run again: a turn is remembered once. Costs the client
 * nothing (docs/decisions/0013-memory.md).
 * @throws TurnError from the model; MemoryChangedError; what is no fault of the call
 */
export async function rememberTurn(turnId: string): Promise<MemoryOutcome> {
  const turn = await findTurn(turnId);
  if (!turn) return "skipped";
  const model = turn.model ?? env().DEFAULT_MODEL;
  const maxOutputTokens = Math.min(MAX_OUTPUT_TOKENS, findModel(model).maxOutputTokens);
  const system = buildSystemPrompt({ instructions: MEMORY_INSTRUCTIONS });
  const besideTokens = estimateTokens(system + buildUserPrompt(MEMORY_QUESTION, blocksOf(turn, "")));
  const roomTokens = inputBudgetTokens(findModel(model), maxOutputTokens) - besideTokens;
  const conversation = await readConversation(turn, Math.min(CONVERSATION_TOKENS, roomTokens));
  if (conversation === "") return "skipped";
  const answer = await streamAnswer({
    model,
    messages: [
      { role: "system", parts: [{ type: "text", text: system }] },
      {
        role: "user",
        parts: [{ type: "text", text: buildUserPrompt(MEMORY_QUESTION, blocksOf(turn, conversation)) }],
      },
    ],
    maxOutputTokens,
    idempotencyKey: `memory:${turn.turnId}:${turn.version}`,
  });
  if (isBrokenOff(answer)) return "unchanged";
  const profile = toProfile(answer.text);
  if (profile === "" || profile === turn.content) return "unchanged";
  return writeProfile(turn, profile);
}

/** What the model had not come to yet would be lost. One that is longer than a profile may be is cut as any other. */
function isBrokenOff({ finishReason, text }: ModelAnswer): boolean {
  if (finishReason === "length") return text.length <= MAX_PROFILE_CHARACTERS;
  return finishReason === "content_filter";
}

async function findTurn(turnId: string): Promise<TurnToRemember | undefined> {
  const { rows } = await db().query<TurnToRemember>(
    `SELECT t.id AS "turnId", t.session_id AS "sessionId", t.project_id AS "projectId", t.end_user_id AS "endUserId",
            t.position, p.model, coalesce(m.content, '') AS content, coalesce(m.version, 0) AS version,
            m.forgotten_at AS "forgottenAt"
     FROM turns t
     JOIN projects p ON p.id = t.project_id AND p.api_memory_per_user
     LEFT JOIN memory_profiles m ON m.project_id = t.project_id AND m.end_user_id = t.end_user_id
     WHERE t.id = $1 AND t.status = 'completed' AND t.end_user_id IS NOT NULL
       AND (m.forgotten_at IS NULL OR t.created_at > m.forgotten_at)
       AND NOT EXISTS (SELECT 1 FROM memory_versions v WHERE v.project_id = t.project_id
                       AND v.end_user_id = t.end_user_id AND v.turn_id = t.id)`,
    [turnId],
  );
  return rows[0];
}

/** What was said in the session until the turn ended, and since the end user was forgotten: the newest of it. */
async function readConversation(turn: TurnToRemember, budgetTokens: number): Promise<string> {
  const { sessionId, position, forgottenAt } = turn;
  // Of a small window both the newest question and its answer get a part.
  const most = Math.max(1, Math.min(MESSAGE_TOKENS, Math.floor(budgetTokens / 2) - TOKENS_PER_MESSAGE));
  const span = { sessionId, before: 2 * position + 2, since: forgottenAt, tokens: most, inlineTokens: 0 };
  const { messages } = await pickWindow({
    newestFirst: readMessages(span),
    weigh: ({ role, content }) => {
      const text = takeTokens(content, most);
      return { role, text, tokens: estimateTokens(text) };
    },
    budgetTokens,
    fixedTokens: 0,
  });
  return messages.map(({ role, text }) => `${role === "user" ? "End user" : "Assistant"}: ${text}`).join("\n\n");
}

function blocksOf(turn: TurnToRemember, conversation: string): DataBlock[] {
  const blocks: DataBlock[] = [{ tag: "context", name: "conversation", kind: "text", text: conversation }];
  if (turn.content === "") return blocks;
  return [{ tag: "memory", name: memoryPathOf(turn.endUserId), kind: "md", text: turn.content }, ...blocks];
}

/**
 * Only onto the profile that the model was shown, and only while memory is on and the turn is there: whoever erases the
 * turn waits for its lock, or comes first and nothing is written. A profile that was shown and is gone does not come back:
 * it was erased, and a later turn of who came anew must not bring its words along.
 */
const WRITE_PROFILE = `
  WITH turn AS MATERIALIZED (SELECT id FROM turns WHERE id = $6 FOR KEY SHARE),
  shown AS MATERIALIZED (SELECT version FROM memory_profiles WHERE project_id = $1 AND end_user_id = $2 FOR UPDATE),
  profile AS (
    INSERT INTO memory_profiles AS m (project_id, end_user_id, content)
    SELECT p.id, $2, $3 FROM projects p, turn
    WHERE p.id = $1 AND p.api_memory_per_user AND ($4::int = 0 OR EXISTS (SELECT FROM shown))
    ON CONFLICT (project_id, end_user_id) DO UPDATE SET content = excluded.content, version = m.version + 1, updated_at = now()
    WHERE m.version = $4::int
    RETURNING m.version
  ),
  gone AS (
    DELETE FROM memory_versions v USING profile WHERE v.project_id = $1 AND v.end_user_id = $2
      AND v.version BETWEEN 2 AND profile.version - ${MAX_PROFILE_VERSIONS}
  )
  INSERT INTO memory_versions (project_id, end_user_id, version, content, session_id, turn_id)
  SELECT $1, $2, version, $3, $5, $6 FROM profile`;

async function writeProfile(turn: TurnToRemember, profile: string): Promise<MemoryOutcome> {
  const { projectId, endUserId, version, sessionId, turnId } = turn;
  try {
    const { rowCount } = await db().query(WRITE_PROFILE, [projectId, endUserId, profile, version, sessionId, turnId]);
    if (!rowCount) throw new MemoryChangedError("The profile changed while the model was asked.");
    return "written";
  } catch (error) {
    // Another worker remembered the turn in the meantime.
    if (isUniqueViolation(error)) return "skipped";
    throw error;
  }
}
