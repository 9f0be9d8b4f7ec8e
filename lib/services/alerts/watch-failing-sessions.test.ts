import { beforeEach, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { suspendAccount } from "@/lib/services/accounts/suspend-account";
import { dismissAlert } from "@/lib/services/alerts/dismiss-alert";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { watchFailingSessions } from "@/lib/services/alerts/watch-failing-sessions";

useServiceDatabase();

const PAGE = { limit: 20, offset: 0 };
const NOTHING = { raised: 0, ended: 0 };
const RAISED = { raised: 1, ended: 0 };
const ENDED = { raised: 0, ended: 1 };
const AWAY = "MODEL_UNAVAILABLE";

let account: TestAccount;

beforeEach(async () => {
  await db().query("TRUNCATE alerts, sessions CASCADE");
  account = await createTestAccount();
});

interface Sessions {
  /** Null: answered. */
  errorCode?: string | null;
  ago?: string;
  isOpen?: boolean;
  projectId?: string;
}

async function sessions(count: number, more: Sessions = {}): Promise<void> {
  const { errorCode = AWAY, ago = "10 minutes", isOpen = false, projectId = account.projectId } = more;
  const status = isOpen ? "started" : errorCode === null ? "completed" : "failed";
  await db().query(
    `INSERT INTO sessions (id, account_id, project_id, kind, status, error_code, open_turns, created_at)
     SELECT id, $2, $3, 'chat', $4, $5, $6, now() - $7::interval FROM unnest($1::text[]) id`,
    [
      Array.from({ length: count }, () => newId("session")),
      account.accountId,
      projectId,
      status,
      isOpen ? null : errorCode,
      Number(isOpen),
      ago,
    ],
  );
}

const alerts = async (state: "open" | "past" = "open") => (await listAlerts(account, PAGE, state)).data;

it("tells of them once where two servers look at the same moment", async () => {
  await sessions(12);
  const raising = { statement: "SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", id: account.accountId };
  const looks = await whileHeld(raising, watchFailingSessions, watchFailingSessions);
  expect(looks.map((look) => look.status === "fulfilled" && look.value)).toEqual([RAISED, NOTHING]);
  expect(await alerts()).toHaveLength(1);
});

it("tells of sessions that fail one after another once, how many, by which error, and what helps", async () => {
  await sessions(12);
  await sessions(1, { errorCode: "MODEL_TIMEOUT" });
  await sessions(5, { errorCode: null });
  expect(await watchFailingSessions()).toEqual(RAISED);
  expect(await alerts()).toMatchObject([
    {
      kind: "sessions.failing",
      title: "Most of the newest sessions failed",
      projectId: account.projectId,
      message: expect.stringMatching(
        /^13 of the newest 18 sessions of the project “Default” failed within the last hour, most of them with MODEL_UNAVAILABLE\. .+ in the panel, Sessions\.$/,
      ),
    },
  ]);
  await sessions(3);
  expect(await watchFailingSessions()).toEqual(NOTHING);
});

it.each<[string, [number, Sessions?][]]>([
  ["few failed", [[9]]],
  ["more were answered", [[10], [11, { errorCode: null }]]],
  ["what was sent was wrong", [[40, { errorCode: "UNSUPPORTED_FILE" }]]],
  ["they were canceled", [[40, { errorCode: "CANCELED" }]]],
  ["they failed long ago", [[40, { ago: "61 minutes" }]]],
  ["they run", [[40, { isOpen: true }]]],
  ["the newest were answered", [[500], [400, { errorCode: null, ago: "1 minute" }]]],
])("tells of none where %s", async (_, all) => {
  for (const [count, more] of all) await sessions(count, more);
  expect(await watchFailingSessions()).toEqual(NOTHING);
});

it("counts what runs neither way: while a model is away, much waits for it", async () => {
  await sessions(10);
  await sessions(50, { isOpen: true, ago: "1 minute" });
  expect(await watchFailingSessions()).toEqual(RAISED);
});

it("ends by itself when sessions are answered again, as when what failed was tried again", async () => {
  await sessions(10);
  await watchFailingSessions();
  await db().query("UPDATE sessions SET status = 'completed', error_code = NULL");
  expect(await watchFailingSessions()).toEqual(ENDED);
  expect(await alerts()).toEqual([]);
  expect(await alerts("past")).toMatchObject([{ kind: "sessions.failing" }]);
});

it("tells of an outage that comes and goes, or was put away, again after six hours alone", async () => {
  await sessions(10);
  await watchFailingSessions();
  const [alert] = await alerts();
  await dismissAlert(await ownerOf(account), account, alert?.id ?? "");
  expect(await watchFailingSessions()).toEqual(NOTHING);
  await db().query("UPDATE alerts SET created_at = now() - interval '361 minutes'");
  expect(await watchFailingSessions()).toEqual(RAISED);
});

it("is of each project for itself", async () => {
  const other = await addTestProject(account, "Other");
  await sessions(40, { errorCode: null });
  await sessions(10, { projectId: other.projectId });
  expect(await watchFailingSessions()).toEqual(RAISED);
  expect(await alerts()).toMatchObject([{ projectId: other.projectId }]);
});

it("says nothing to an account that is suspended, whose work was stopped", async () => {
  await sessions(10);
  await suspendAccount(OPERATOR, { accountId: account.accountId, reason: "Not paid" });
  expect(await watchFailingSessions()).toEqual(NOTHING);
});
