import type { WebhookPayload } from "@/lib/contracts/webhook-events";
import { enqueueEvents } from "@/lib/db/outbox";
import type { Transaction } from "@/lib/db/pool";
import { sideBySide } from "@/lib/db/side-by-side";
import { newId } from "@/lib/domain/ids";
import { PLANS } from "@/lib/domain/plans";
import { digestSubject } from "@/lib/services/data-rights/digest-subject";
import { type EmitInput, emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";
import { emitStartOfTurn } from "@/lib/services/deliveries/emit-session-started";
import { emitTokensExceeded, type ReachedLimit } from "@/lib/services/deliveries/emit-tokens-exceeded";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { lostPlaces } from "@/lib/services/turns/lost-places";
import { closeOutput } from "@/lib/services/turns/outputs/close-output";
import { CLOSE_TURNS } from "@/lib/services/turns/settle-statement";
import { type SettledTurn, settleTurns } from "@/lib/services/turns/settle-turns";
import { lastPieceOf, terminalPayload } from "@/lib/services/turns/terminal-payload";
import type { EndingTurn } from "@/lib/services/turns/turn-end";

/** What is to be told of an end once it is committed. */
export interface EndedTurn {
  event: { sessionId: string; seq: number; type: "completed" | "error"; data: object };
  /** The last piece of its text, in the log right before the event. */
  lastPiece: object | null;
  /** Whether there is something in the outbox that came of it, or of those that ended in the same transaction. */
  hasOutboxRows: boolean;
  requestId: string;
  /** Stored bytes that are nobody's now. */
  leftover: UploadDraft | null;
}

/** A turn that this transaction ends, with its terminal event. */
interface Closing extends EndingTurn {
  turn: SettledTurn;
  payload: WebhookPayload;
  event: Omit<EndedTurn["event"], "seq">;
  lastPiece: object | null;
  leftover: UploadDraft | null;
}

/**
 * Ends turns of different sessions in the transaction: answers or errors, charges, usage, terminal events, deliveries, and the
 * hand-over of their sessions' next turns.
 * @param sendCommit is called when nothing but the commit follows what was asked for
 * @returns for each turn what came of it; null when another has ended it, or taken it over
 */
export async function writeEnds(
  tx: Transaction,
  endings: EndingTurn[],
  sendCommit: () => void,
): Promise<(EndedTurn | null)[]> {
  const fileIds = endings.map(({ end }) => (end.status === "completed" && end.outputDraft ? newId("file") : undefined));
  const settled = await settleTurns(
    tx,
    endings,
    fileIds.map((outputFileId) => ({ outputFileId })),
  );
  return closeEnds(tx, { endings, settled, fileIds }, sendCommit);
}

/** Turns with what settling them said, and the ids of the files that they made. */
export interface Settling {
  endings: EndingTurn[];
  settled: (SettledTurn | undefined)[];
  fileIds: (string | undefined)[];
}

/** What remains of ending turns once they are settled: see `writeEnds`. */
export async function closeEnds(
  tx: Transaction,
  { endings, settled, fileIds }: Settling,
  sendCommit: () => void,
): Promise<(EndedTurn | null)[]> {
  const closings = await sideBySide(
    endings.map((ending, index) => {
      const turn = settled[index];
      return turn ? beginClosing(tx, ending, turn, fileIds[index]) : null;
    }),
  );
  const open = closings.filter((closing) => closing !== null);
  if (open.length === 0) return endings.map(() => null);
  // Sent one behind the other; what is told comes after the log.
  const closed = closeTurns(tx, open);
  if (!open.some(hasMoreToTell)) sendCommit();
  const [places, toldRows, memoryRows] = await sideBySide([
    closed,
    tellReceivers(
      tx,
      open.filter(({ turn }) => turn.has_receivers),
    ),
    enqueueEvents(tx, open.flatMap(memoryDueOf)),
  ]);
  const nextRows = [...places.values()].filter(({ nextTurnId }) => nextTurnId !== null);
  const hasOutboxRows = toldRows + memoryRows + nextRows.length > 0;
  return closings.map(
    (closing) =>
      closing && {
        event: { ...closing.event, seq: places.get(closing.turnId)?.seq ?? 0 },
        lastPiece: closing.lastPiece,
        hasOutboxRows,
        requestId: closing.turn.request_id,
        leftover: closing.leftover,
      },
  );
}

/** Else nothing follows in the transaction, which holds the rows of its accounts until it ends. */
function hasMoreToTell(closing: Closing): boolean {
  return closing.turn.has_receivers || memoryDueOf(closing).length > 0;
}

/** @returns how many rows of the outbox came of it */
async function tellReceivers(tx: Transaction, closings: Closing[]): Promise<number> {
  const fromOutside = closings.filter(({ generation }) => generation === null);
  const starts = await sideBySide(fromOutside.map(({ turnId }) => emitStartOfTurn(tx, turnId)));
  let rows = starts.reduce((sum, each) => sum + each, 0);
  rows += await emitDeliveries(tx, closings.flatMap(deliveriesOf));
  for (const limit of closings.flatMap(reachedLimitOf)) rows += await emitTokensExceeded(tx, limit);
  return rows;
}

async function beginClosing(
  tx: Transaction,
  ending: EndingTurn,
  turn: SettledTurn,
  fileId: string | undefined,
): Promise<Closing> {
  const { turnId, end } = ending;
  const draft = end.status === "completed" ? end.outputDraft : undefined;
  const leftover = end.status === "completed" && !draft ? null : await closeOutput(tx, turnId, turn, draft, fileId);
  const payload = terminalPayload(turn, end);
  const sessionId = turn.session_id;
  const event =
    end.status === "completed"
      ? { sessionId, type: "completed" as const, data: payload }
      : {
          sessionId,
          type: "error" as const,
          data: { sessionId, error: { code: end.errorCode, message: end.errorMessage } },
        };
  const lastPiece = end.status === "completed" ? lastPieceOf(sessionId, end) : null;
  return { ...ending, turn, payload, event, lastPiece, leftover };
}

interface ClosedTurn {
  turnId: string;
  /** Of the terminal event in the session's log. */
  seq: number;
  /** The session's next turn, which was handed to the queue. */
  nextTurnId: string | null;
}

async function closeTurns(tx: Transaction, closings: Closing[]): Promise<Map<string, ClosedTurn>> {
  const { rows } = await tx.query<ClosedTurn>({
    ...CLOSE_TURNS,
    values: [
      closings.map(({ turn }) => turn.session_id),
      closings.map(({ turnId }) => turnId),
      closings.map(({ event }) => event.type),
      closings.map(({ event }) => JSON.stringify(event.data)),
      closings.map(() => newId("outbox")),
      closings.map(({ turn }) => turn.account_id),
      closings.map(({ lastPiece }) => lastPiece && JSON.stringify(lastPiece)),
      // Whoever ends it from outside does not know what its worker told readers.
      closings.map(({ generation, turn }) => (generation === null ? lostPlaces(turn.generation) : 0)),
    ],
  });
  return new Map(rows.map((closed) => [closed.turnId, closed]));
}

function memoryDueOf({ turnId, turn: { project_id, end_user_id }, end }: Closing) {
  if (end.status !== "completed" || !end.isMemoryDue || end_user_id === null) return [];
  const endUser = `${project_id}/${digestSubject(project_id, end_user_id)}`;
  return [{ name: "memory/due" as const, data: { turnId, endUser } }];
}

function deliveriesOf({ turnId, turn, end, payload }: Closing): EmitInput[] {
  // Whoever canceled knows it already: receivers are told of answers and of failures (docs/decisions/0010).
  if (end.status === "canceled") return [];
  return [
    {
      accountId: turn.account_id,
      projectId: turn.project_id,
      sessionId: turn.session_id,
      turnId,
      endUserId: turn.end_user_id,
      callbackUrl: turn.callback_url,
      event: payload,
      dedupeKey: `${turnId}:${payload.type}`,
    },
  ];
}

/** Whether it was this turn that used the plan's tokens up. */
function reachedLimitOf({ turnId, turn, end }: Closing): ReachedLimit[] {
  const tokenLimit = PLANS[turn.plan_id].tokensPerMonth;
  const tokens = end.status === "completed" ? end.tokensIn + end.tokensOut : 0;
  if (tokenLimit === null || turn.tokens_used < tokenLimit || turn.tokens_used - tokens >= tokenLimit) return [];
  const { account_id: accountId, project_id: projectId, tokens_used: tokensUsed, ended_at: at } = turn;
  const { session_id: sessionId, end_user_id: endUserId, template_id: templateId, reference } = turn;
  const crossing = { projectId, sessionId, turnId, endUserId, templateId, reference, status: end.status };
  return [{ accountId, at, tokensUsed, tokenLimit, turn: crossing }];
}
