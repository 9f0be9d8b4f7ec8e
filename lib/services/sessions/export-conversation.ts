import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import type { ProjectScope } from "@/lib/domain/principal";

/** Inputs and answers may be long: few are held at a time. */
const BATCH_SIZE = 20;

interface HeadRow {
  kind: string;
  status: string;
  endUserId: string | null;
  createdAt: Date;
  lastActivityAt: Date;
}

interface TurnRow {
  position: number;
  status: string;
  endpoint: string;
  requestId: string;
  input: string;
  inlineCharacters: number | null;
  output: string | null;
  isBySchema: boolean;
  errorCode: string | null;
  errorMessage: string | null;
  model: string | null;
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
  createdAt: Date;
  sent: string[] | null;
  made: string[] | null;
}

const TURNS = `
  SELECT t.position, t.status, t.endpoint, t.request_id AS "requestId", t.input, length(t.file_content) AS "inlineCharacters",
         t.output, t.output_schema IS NOT NULL AS "isBySchema", t.error_code AS "errorCode", t.error_message AS "errorMessage", t.model, t.tokens_in AS "tokensIn",
         t.tokens_out AS "tokensOut", t.credits_used AS "creditsUsed", t.created_at AS "createdAt",
         array_agg(f.name ORDER BY f.created_at, f.id) FILTER (WHERE f.purpose = 'input') AS sent,
         array_agg(f.name ORDER BY f.created_at, f.id) FILTER (WHERE f.purpose = 'output') AS made
  FROM turns t
  LEFT JOIN stored_files f ON f.session_id = t.session_id AND f.turn_id = t.id AND f.deleted_at IS NULL
  WHERE t.session_id = $1 AND t.project_id = $2 AND t.position > $3
  GROUP BY t.id ORDER BY t.position LIMIT ${BATCH_SIZE}`;

/**
 * A whole session as one text in Markdown, in pieces, the oldest turn first: what was asked and what was answered, with the
 * ids that lead to each call. Files are in it by name.
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function exportConversation(
  scope: ProjectScope,
  sessionId: string,
): Promise<AsyncGenerator<string, void>> {
  // The database fails at looking for a NUL, which an address may have.
  if (!isId("session", sessionId)) throw notFound("The session");
  const { rows } = await db().query<HeadRow>(
    `SELECT kind, status, end_user_id AS "endUserId", created_at AS "createdAt", last_activity_at AS "lastActivityAt"
     FROM sessions WHERE id = $1 AND project_id = $2 AND account_id = $3`,
    [sessionId, scope.projectId, scope.accountId],
  );
  const head = rows[0];
  if (!head) throw notFound("The session");
  return pieces(scope, sessionId, head);
}

async function* pieces({ projectId }: ProjectScope, sessionId: string, head: HeadRow): AsyncGenerator<string, void> {
  yield headText(sessionId, head);
  for (let last = -1; ; ) {
    const { rows } = await db().query<TurnRow>(TURNS, [sessionId, projectId, last]);
    for (const row of rows) yield turnText(row);
    last = rows.at(-1)?.position ?? last;
    if (rows.length < BATCH_SIZE) return;
  }
}

function headText(sessionId: string, { kind, status, endUserId, createdAt, lastActivityAt }: HeadRow): string {
  const facts = [
    `- Kind: ${kind}`,
    `- Status: ${status}`,
    ...(endUserId === null ? [] : [`- End user: ${endUserId}`]),
    `- Began: ${createdAt.toISOString()}`,
    `- Last activity: ${lastActivityAt.toISOString()}`,
  ];
  return `# Session ${sessionId}\n\n${facts.join("\n")}\n`;
}

function turnText(row: TurnRow): string {
  const { position, endpoint, requestId, createdAt, input, inlineCharacters, output, errorCode, errorMessage } = row;
  const parts = [
    `## Turn ${position + 1}`,
    `${createdAt.toISOString()}, ${endpoint}, request ${requestId}`,
    "### Asked",
    input,
    inlineCharacters === null ? "" : `(Text that went along: ${inlineCharacters} characters.)`,
    filesText("Files", row.sent),
    "### Answered",
    output !== null && row.isBySchema ? fenced(output) : (output ?? ""),
    filesText("Files that were made", row.made),
    errorCode === null ? figuresText(row) : `(${row.status}, ${errorCode}: ${errorMessage ?? ""})`,
  ];
  return `\n${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** JSON as it was written: Markdown would take signs of its texts for its own. */
function fenced(json: string): string {
  const longest = Math.max(2, ...Array.from(json.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}

const filesText = (what: string, names: string[] | null) => (names === null ? "" : `(${what}: ${names.join(", ")})`);

function figuresText({ status, model, tokensIn, tokensOut, creditsUsed }: TurnRow): string {
  if (status !== "completed") return `(${status})`;
  return `(${model ?? "no model"}, tokens: ${tokensIn} in, ${tokensOut} out, credits: ${creditsUsed})`;
}
