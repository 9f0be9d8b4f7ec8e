import { isRefusedStatement } from "@/lib/db/failures";
import { hotDb } from "@/lib/db/pool";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import { OPEN_TURN_STATUSES, type SessionKind } from "@/lib/domain/session-status";
import { processSingleton } from "@/lib/process-singleton";
import { HAS_RECEIVERS, IS_START_AWAITED } from "@/lib/services/deliveries/emit-session-started";
import { INLINE_COLUMNS } from "@/lib/services/turns/inline-text";
import { together } from "@/lib/together";

/** What a worker needs to answer a turn. */
export interface ClaimedTurn {
  turnId: string;
  sessionId: string;
  accountId: string;
  projectId: string;
  endUserId: string | null;
  /** Of its session. */
  kind: SessionKind;
  /** The call that began it, as usage names it. */
  endpoint: string;
  position: number;
  /** Fences this worker's writes: a later claim of the same turn has a higher one. */
  generation: number;
  input: string;
  /** Null also where it is long: `readInlineText` reads it for whoever needs it. */
  fileContent: string | null;
  /** Whether the text is too long to be held by each turn that is under way. */
  isInlineLong: boolean;
  templateId: string | null;
  templateVersion: number | null;
  /** The client's own for it. */
  reference: string | null;
  maxCredits: number | null;
  /** What the answer has to fit. */
  outputSchema: OutputSchema | null;
  creditsReserved: number;
  /** Credits of the account that nothing is promised to. */
  creditsFree: number;
  model: string | null;
  systemPrompt: string | null;
  /** Of the last event in the session's log; 0 when there is none. */
  lastSeq: number;
  /** Whether an earlier worker may have written text of this turn: a reader has it even where a crash took it from the log. */
  hasRun: boolean;
  /** Whether files came with this turn or an earlier one of its session. */
  hasFiles: boolean;
  /** Whether an earlier worker ordered a picture, speech or a video for the turn. */
  hasOutput: boolean;
  /** Whether the project has knowledge files. */
  hasKnowledge: boolean;
  /** Whether the turn has an end user whose profile the project keeps. */
  isMemoryOn: boolean;
  createdAt: Date;
  /** From then to this claim, by the database's clock, as that time is. */
  waitedSeconds: number;
  /** Whether the turn begins its session and a receiver wants to be told of that. */
  isStartAwaited: boolean;
  /** Whether anybody may be to be told of its end. */
  hasReceivers: boolean;
  /** How many of its tries a provider's limit on requests refused. */
  limitedTries: number;
}

/** Of a turn `t` and its project `p`: what stands beside the turn. */
export const CLAIMED_BESIDE = `
  p.model, p.system_prompt AS "systemPrompt",
  p.api_enabled AND EXISTS (SELECT 1 FROM knowledge_files k WHERE k.project_id = t.project_id) AS "hasKnowledge",
  p.api_memory_per_user AND t.end_user_id IS NOT NULL AS "isMemoryOn",
  t.created_at AS "createdAt", extract(epoch FROM now() - t.created_at)::float AS "waitedSeconds",
  ${IS_START_AWAITED} AS "isStartAwaited",
  ${HAS_RECEIVERS} AS "hasReceivers"`;

/**
 * A worker that let go of its claim has not begun, and this claim is the one that begins: at this very moment, for a clock that was
 * set back since has begun others later than now. Whoever read the turn in parts has written none of its answer.
 */
const HAS_RUN = `(t.generation > 1 AND t.started_at <> now()::timestamptz(3)
  AND coalesce((SELECT max(asked_generation) FROM turn_parts part WHERE part.turn_id = t.id) < t.generation - 1, true))`;

const CLAIMED_COLUMNS = `
  t.id AS "turnId", t.session_id AS "sessionId", t.account_id AS "accountId", t.project_id AS "projectId",
  t.end_user_id AS "endUserId", (SELECT kind FROM sessions s WHERE s.id = t.session_id) AS kind, t.endpoint, t.position, t.generation, t.input, ${INLINE_COLUMNS},
  t.template_id AS "templateId", t.template_version AS "templateVersion", t.reference,
  t.max_credits AS "maxCredits",
  t.output_schema AS "outputSchema", t.limited_tries AS "limitedTries",
  t.credits_reserved AS "creditsReserved", a.credit_balance - a.credit_reserved AS "creditsFree",
  (SELECT coalesce(max(seq), 0) FROM session_events ev WHERE ev.session_id = t.session_id) AS "lastSeq",
  ${HAS_RUN} AS "hasRun",
  EXISTS (SELECT 1 FROM stored_files f WHERE f.session_id = t.session_id AND f.purpose = 'input') AS "hasFiles",
  EXISTS (SELECT 1 FROM turn_outputs o WHERE o.turn_id = t.id) AS "hasOutput",
  ${CLAIMED_BESIDE}`;

/** Claims a turn; those that are claimed at once go together. Null when it is not there to be claimed. */
export function claimNow(turnId: string, which: Which): Promise<ClaimedTurn | null> {
  return processSingleton("claim-together", () =>
    together({
      work: claimTurns,
      max: MAX_AT_ONCE,
      laneOf: ({ which }: Claim) => which,
      isRepeatable: isRefusedStatement,
    }),
  )({ turnId, which });
}

/** Turns that are read in parts; others; those of the others that nobody has claimed. */
type Which = "read" | "any" | "new";

interface Claim {
  turnId: string;
  which: Which;
}

const MAX_AT_ONCE = 50;

/** One statement for all, but for a turn that is claimed twice: each claim raises its generation. */
async function claimTurns(claims: Claim[]): Promise<(ClaimedTurn | null)[]> {
  const found = new Map<string, ClaimedTurn>();
  const results: (ClaimedTurn | null)[] = [];
  const isFirst = claims.map(({ turnId }, index) => claims.findIndex((claim) => claim.turnId === turnId) === index);
  const ids = claims.filter((_, index) => isFirst[index]).map(({ turnId }) => turnId);
  const which = claims[0]?.which ?? "any";
  for (const turn of await updateClaimed(ids, which)) found.set(turn.turnId, turn);
  for (const [index, { turnId }] of claims.entries()) {
    results.push((isFirst[index] ? found.get(turnId) : (await updateClaimed([turnId], which))[0]) ?? null);
  }
  return results;
}

/**
 * The statuses of an open turn are a parameter: as words of the statement they would let the kept plan, made while there is
 * little, read the index of all that is open instead of looking these turns up. Of the turns before one in its session only
 * the first open one is looked at, by that index.
 */
async function updateClaimed(turnIds: string[], which: Which): Promise<ClaimedTurn[]> {
  const { rows } = await hotDb().query<ClaimedTurn>({
    name: "claim-turns",
    text: `
      UPDATE turns t SET status = 'running', generation = t.generation + 1, started_at = coalesce(t.started_at, now()),
             heartbeat_at = now()
      FROM projects p, accounts a
      WHERE t.id = ANY ($1::text[]) AND t.status = ANY ($3::text[]) AND p.id = t.project_id AND a.id = t.account_id
        AND (SELECT e.position FROM turns e WHERE e.session_id = t.session_id AND e.status IN ('queued', 'running')
             ORDER BY e.position LIMIT 1) = t.position
        AND EXISTS (SELECT 1 FROM turn_parts part WHERE part.turn_id = t.id) = $2
        AND (NOT $4 OR t.generation = 0)
      RETURNING ${CLAIMED_COLUMNS}`,
    values: [turnIds, which === "read", OPEN_TURN_STATUSES, which === "new"],
  });
  return rows;
}

/** A turn that was claimed before, for whoever goes on with it; null when it ended or was claimed again since. */
export async function findClaimedTurn(turnId: string, generation: number): Promise<ClaimedTurn | null> {
  const { rows } = await hotDb().query<ClaimedTurn>({
    name: "find-claimed-turn",
    text: `
      SELECT ${CLAIMED_COLUMNS}
      FROM turns t JOIN projects p ON p.id = t.project_id JOIN accounts a ON a.id = t.account_id
      WHERE t.id = $1 AND t.generation = $2 AND t.status = 'running'`,
    values: [turnId, generation],
  });
  return rows[0] ?? null;
}
