import { beforeEach, describe, expect, it } from "vitest";
import { addProject, seedDelivery, seedProject, seedRegistration } from "@/e2e/support/delivery-seeds";
import { useDeliveryStage } from "@/e2e/support/delivery-stage";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { metrics } from "@/lib/metrics";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";
import { countDeliveries, countUndelivered } from "@/lib/services/deliveries/count-deliveries";
import { exportDeliveriesCsv } from "@/lib/services/deliveries/export-deliveries-csv";
import { getDelivery } from "@/lib/services/deliveries/get-delivery";
import { listDeliveries } from "@/lib/services/deliveries/list-deliveries";
import { resendFailedDeliveries } from "@/lib/services/deliveries/resend-failed-deliveries";

const PAGE = { limit: 20 };
const URL = "https://a.example/";
const stage = useDeliveryStage();
let owner: { accountId: string; projectId: string };
let webhookId: string;

beforeEach(async () => {
  owner = await seedProject();
  webhookId = await seedRegistration({ ...owner, url: URL, secret: "whsec_seeded" });
});

async function csvOf(...args: Parameters<typeof exportDeliveriesCsv>): Promise<string[]> {
  let text = "";
  for await (const piece of exportDeliveriesCsv(...args)) text += piece;
  return text.trim().split(/\r?\n/).slice(1);
}

describe("the deliveries of a project", () => {
  it("are shown to another project of the same account as little as to a stranger", async () => {
    const { id } = await seedDelivery({ ...owner, registrationId: webhookId, url: URL, status: "failed" });
    const sibling = await addProject(owner.accountId);
    await expect(getDelivery(sibling, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await listDeliveries(sibling, PAGE)).data).toEqual([]);
    expect((await listDeliveries(sibling, PAGE, { webhookId })).data).toEqual([]);
    expect([...(await countDeliveries(sibling))]).toEqual([]);
    expect(await countUndelivered(sibling, webhookId)).toEqual({ count: 0, hasMore: false });
    expect(await csvOf(sibling)).toEqual([]);
    expect(await csvOf(owner)).toHaveLength(1);
  });

  it("show attempts in the order in which they were made, round by round, and as the last result that of the last", async () => {
    const { id } = await seedDelivery({ ...owner, registrationId: webhookId, url: URL, status: "failed" });
    const made = [
      [1, 1, 501],
      [1, 2, 502],
      [2, 1, 503],
    ];
    for (const [round, number, status] of made) {
      await db().query(
        `INSERT INTO webhook_attempts (delivery_id, round, number, started_at, duration_ms, request_headers, response_status)
         VALUES ($1, $2, $3, now(), 1, '{}', $4)`,
        [id, round, number, status],
      );
    }
    const statuses = (attempts: { responseStatus: number | null }[] = []) =>
      attempts.map(({ responseStatus }) => responseStatus);
    expect(statuses((await getDelivery(owner, id)).attempts)).toEqual([501, 502, 503]);
    expect(statuses((await listDeliveries(owner, PAGE)).data[0]?.attempts)).toEqual([501, 502, 503]);
    expect((await csvOf(owner))[0]?.split(",")).toContain("503");
  });

  it("are found by whose they are and when they were made, in the list and in its file alike", async () => {
    const tuesday = "2026-03-03T14:30:00.000Z";
    const seed = async (endUserId: string, createdAt: string) => {
      const { id } = await seedDelivery({ ...owner, registrationId: webhookId, url: URL });
      const values = [id, endUserId, createdAt];
      await db().query("UPDATE webhook_deliveries SET end_user_id = $2, created_at = $3 WHERE id = $1", values);
      return id;
    };
    const wanted = await seed("ada", tuesday);
    await seed("bob", tuesday);
    await seed("ada", "2026-03-04T00:00:00.000Z");
    await seed("ada", "2026-03-02T23:59:59.999Z");
    const day = { from: new Date("2026-03-03T00:00:00.000Z"), to: new Date("2026-03-04T00:00:00.000Z") };
    const idsOf = async (filters: Parameters<typeof listDeliveries>[2]) =>
      (await listDeliveries(owner, PAGE, filters)).data.map(({ id }) => id);
    expect(await idsOf({ endUserId: "ada", ...day })).toEqual([wanted]);
    expect(await idsOf({ endUserId: "ada" })).toHaveLength(3);
    expect(await idsOf(day)).toHaveLength(2);
    expect(await csvOf(owner, { endUserId: "ada", ...day })).toEqual([expect.stringContaining(wanted)]);
    const first = await listDeliveries(owner, { limit: 1 }, { endUserId: "ada", to: day.to });
    const second = await listDeliveries(
      owner,
      { limit: 1, cursor: first.nextCursor ?? "" },
      { endUserId: "ada", to: day.to },
    );
    expect([...first.data, ...second.data].map(({ createdAt }) => createdAt)).toEqual([
      tuesday,
      "2026-03-02T23:59:59.999Z",
    ]);
  });

  it("name the call whose turn they tell of", async () => {
    const { id } = await seedDelivery({ ...owner, url: URL });
    expect(await getDelivery(owner, id)).toMatchObject({ requestId: null });
    const [sessionId, turnId, requestId] = [newId("session"), newId("turn"), newId("request")];
    await prisma().session.create({ data: { id: sessionId, ...owner, kind: "chat", status: "completed" } });
    const turn = { status: "completed", endpoint: "POST /chat", input: "x", openStatus: "started" };
    await prisma().turn.create({ data: { id: turnId, sessionId, ...owner, position: 0, requestId, ...turn } });
    await db().query("UPDATE webhook_deliveries SET turn_id = $2 WHERE id = $1", [id, turnId]);
    expect(await getDelivery(owner, id)).toMatchObject({ requestId });
  });

  it("are exported of one session where that is asked for", async () => {
    const { id } = await seedDelivery({ ...owner, url: URL });
    await seedDelivery({ ...owner, url: URL });
    await db().query("UPDATE webhook_deliveries SET session_id = 'ses_1' WHERE id = $1", [id]);
    expect(await csvOf(owner, { sessionId: "ses_1" })).toEqual([expect.stringContaining(id)]);
  });
});

it("a press that sends nothing again leaves no line in the audit log", async () => {
  expect(await resendFailedDeliveries(owner, webhookId, { actor: { kind: "operator" } })).toBe(0);
  const { rows } = await db().query("SELECT FROM audit_log WHERE subject = $1", [webhookId]);
  expect(rows).toEqual([]);
});

it("the time that a receiver takes is told to operators in seconds", async () => {
  const receiver = await stage.startReceiver({ kind: "slow", delayMs: 100 });
  const { id } = await seedDelivery({ ...owner, url: receiver.url });
  expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
  const { values } = await metrics().attemptSeconds.get();
  const sum = values.find(({ metricName, labels }) => metricName?.endsWith("_sum") && labels.outcome === "2xx");
  expect(sum?.value).toBeGreaterThan(0.09);
  expect(sum?.value).toBeLessThan(20);
});
