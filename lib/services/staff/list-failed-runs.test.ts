import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { listFailedRuns } from "@/lib/services/staff/list-failed-runs";

useServiceDatabase();

beforeEach(() => db().query("TRUNCATE runner_runs, runner_events"));

/** A run that failed, and the event that began it. */
async function failedRun(payload: string | null): Promise<void> {
  await db().query(
    `INSERT INTO runner_runs (id, function_id, event_id, lane, status, pending, output, created_at, ended_at)
     VALUES ('r', 'f', 'e', '', 'failed', 0, '{"message":"It broke."}', now(), now())`,
  );
  if (payload === null) return;
  await db().query("INSERT INTO runner_events (id, name, payload, received_at) VALUES ('e', 'n', $1, now())", [
    payload,
  ]);
}

const [turnId, sessionId, deliveryId, accountId] = [
  newId("turn"),
  newId("session"),
  newId("delivery"),
  newId("account"),
];
const turnEvent = { name: "turn/ready", data: { turnId, sessionId, accountId } };

const NAMED: [name: string, event: object, subject: object][] = [
  ["a turn", turnEvent, { kind: "turn", id: turnId, accountId }],
  ["a turn whose failure is handled", { data: { event: turnEvent } }, { kind: "turn", id: turnId, accountId }],
  ["a turn of nobody named", { data: { turnId, endUser: "x" } }, { kind: "turn", id: turnId, accountId: null }],
  ["a session", { data: { sessionId, accountId } }, { kind: "session", id: sessionId, accountId }],
  [
    "a delivery",
    { data: { deliveryId, round: 1, receiver: "x" } },
    { kind: "delivery", id: deliveryId, accountId: null },
  ],
  ["an account", { data: { accountId } }, { kind: "account", id: accountId, accountId }],
];

const NAMELESS: [name: string, payload: string | null][] = [
  ["there is no event any more", null],
  ["the event is of the clock", JSON.stringify({ data: { cron: "* * * * *" } })],
  ["the event has other ids alone", JSON.stringify({ data: { mailId: newId("mail") } })],
  ["an id has not the form of one", JSON.stringify({ data: { turnId: "<b>", accountId: 7 } })],
  ["the event cannot be read", "{"],
];

describe("a run that failed", () => {
  it.each(NAMED)("says that it was of %s", async (_, event, subject) => {
    await failedRun(JSON.stringify(event));
    expect(await listFailedRuns()).toMatchObject([{ id: "r", message: "It broke.", subject }]);
  });

  it("stands before those that failed earlier, which are left out where there are too many", async () => {
    await db().query(
      `INSERT INTO runner_runs (id, function_id, event_id, lane, status, pending, created_at, ended_at)
       SELECT id, 'f', 'e', '', status, 0, now(), now() - age * interval '1 minute'
       FROM (VALUES ('old', 'failed', 9), ('new', 'failed', 1), ('mid', 'failed', 5), ('well', 'completed', 0)) AS r (id, status, age)`,
    );
    expect((await listFailedRuns(2)).map(({ id }) => id)).toEqual(["new", "mid"]);
  });

  it.each(NAMELESS)("names nothing when %s", async (_, payload) => {
    await failedRun(payload);
    expect(await listFailedRuns()).toMatchObject([{ id: "r", message: "It broke.", subject: null }]);
  });
});
