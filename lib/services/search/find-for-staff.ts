import { db } from "@/lib/db/pool";
import { type IdKind, isId } from "@/lib/domain/ids";
import { idsIn } from "@/lib/domain/ids-in";

/** What an id of a customer leads staff to. */
export type StaffFoundKind = "account" | "session" | "call" | "delivery" | "auditLine";

export interface StaffFound {
  kind: StaffFoundKind;
  /** Of what staff are shown: of a turn its session, of a key its account. */
  id: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Where a thing is shown, and the statement that finds it by its id. */
interface LookUp {
  kind: StaffFoundKind;
  text: string;
}

const ofProject = (table: string) =>
  `SELECT p.account_id AS id FROM ${table} t JOIN projects p ON p.id = t.project_id WHERE t.id = $1`;

/** Templates, keys and files have no page for staff: whose they are does. Each look-up is by a key or an index. */
const BY_ID: Partial<Record<IdKind, LookUp>> = {
  account: { kind: "account", text: "SELECT id FROM accounts WHERE id = $1" },
  user: { kind: "account", text: "SELECT account_id AS id FROM members WHERE user_id = $1 LIMIT 1" },
  project: { kind: "account", text: "SELECT account_id AS id FROM projects WHERE id = $1" },
  apiKey: { kind: "account", text: ofProject("api_keys") },
  webhook: { kind: "account", text: ofProject("webhook_registrations") },
  template: { kind: "account", text: ofProject("templates") },
  knowledgeFile: { kind: "account", text: ofProject("knowledge_files") },
  file: { kind: "account", text: ofProject("stored_files") },
  session: { kind: "session", text: "SELECT id FROM sessions WHERE id = $1" },
  turn: { kind: "session", text: "SELECT session_id AS id FROM turns WHERE id = $1" },
  request: { kind: "call", text: "SELECT request_id AS id FROM call_logs WHERE request_id = $1 LIMIT 1" },
  call: { kind: "call", text: "SELECT request_id AS id FROM call_logs WHERE id = $1" },
  delivery: { kind: "delivery", text: "SELECT id FROM webhook_deliveries WHERE id = $1" },
  audit: { kind: "auditLine", text: "SELECT id FROM audit_log WHERE id = $1" },
};

const BY_UUID: LookUp = {
  kind: "delivery",
  text: "SELECT id FROM webhook_deliveries WHERE delivery_uuid = $1::uuid",
};

/**
 * For staff: where the thing is shown that an id names, of whichever account, as customers quote it out of an answer, a log
 * or a webhook's headers, also with what stood around it. Null when there is none.
 */
export async function findForStaff(text: string): Promise<StaffFound | null> {
  for (const id of idsIn(text)) {
    const lookUp = lookUpOf(id);
    const { rows } = lookUp ? await db().query<{ id: string }>(lookUp.text, [id]) : { rows: [] };
    if (lookUp && rows[0]) return { kind: lookUp.kind, id: rows[0].id };
  }
  return null;
}

function lookUpOf(id: string): LookUp | undefined {
  if (UUID.test(id)) return BY_UUID;
  const kinds = Object.keys(BY_ID) as IdKind[];
  const kind = kinds.find((candidate) => isId(candidate, id));
  return kind && BY_ID[kind];
}
