import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { readBacklog } from "@/lib/services/metrics/read-backlog";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();

it("tells what waits, since when, and what is being done; what is not due yet is no backlog", async () => {
  const { principal } = await createTestAccount();
  const [ended, running, queued] = await Promise.all([1, 2, 3, 4].map(() => acceptTurn(principal, chatTurn())));
  await endTurn(ended?.turnId ?? "", null, completedEnd());
  await claimedTurn(running?.turnId ?? "");
  const age = "UPDATE turns SET created_at = now() - make_interval(secs => $2) WHERE id = $1";
  await db().query(age, [ended?.turnId, 9_000]);
  await db().query(age, [running?.turnId, 900]);
  await db().query(age, [queued?.turnId, 90]);
  await db().query("TRUNCATE outbox_events, runner_items");
  await db().query(
    `INSERT INTO outbox_events (id, name, data, created_at) VALUES ('evt_1', 'x', '{}', now() - interval '60 seconds'),
       ('evt_2', 'x', '{}', now());
     INSERT INTO runner_items (run_id, step_id, lane, is_sleep, state, due_at, attempt, losses, generation)
     VALUES ('r1', 'step', '', false, 'ready', now() - interval '30 seconds', 0, 0, 1),
            ('r2', 'step', '', true, 'waiting', now() - interval '20 seconds', 0, 0, 1),
            ('r3', 'step', '', true, 'waiting', now() + interval '1 hour', 0, 0, 1),
            ('r4', 'step', '', false, 'leased', now() - interval '1 hour', 0, 0, 1)`,
  );
  const backlog = await readBacklog();
  expect(backlog).toMatchObject({
    outboxWaiting: 2,
    queueWaiting: 2,
    queueRunning: 1,
    turnsQueued: 2,
    turnsRunning: 1,
  });
  const seconds = [backlog.outboxLagSeconds, backlog.queueOldestSeconds, backlog.turnsOldestQueuedSeconds];
  expect(seconds.map((each) => Math.round(each / 30) * 30)).toEqual([60, 30, 90]);
});

it("tells of mails those that the mail server has not taken, and since when the first waits", async () => {
  expect(await readBacklog()).toMatchObject({ mailsWaiting: 0, mailsOldestSeconds: 0 });
  await db().query(
    `INSERT INTO mails (id, sealed, created_at)
     VALUES ('mail_1', 'x', now() - interval '1 hour'), ('mail_2', 'x', now())`,
  );
  const { mailsWaiting, mailsOldestSeconds } = await readBacklog();
  expect(mailsWaiting).toBe(2);
  expect(mailsOldestSeconds).toBeGreaterThanOrEqual(3_600);
  expect(mailsOldestSeconds).toBeLessThan(3_700);
});

it("tells of deliveries those that are still to be sent, and how long the first has been due", async () => {
  const { principal } = await createTestAccount();
  for (let turn = 0; turn < 3; turn++) {
    const { turnId } = await acceptTurn(principal, chatTurn({ callbackUrl: "https://client.example/hook" }));
    await endTurn(turnId, null, completedEnd());
  }
  await db().query("UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour'");
  expect(await readBacklog()).toMatchObject({ deliveriesOverdueSeconds: 0 });
  const first = "(SELECT min(id) FROM webhook_deliveries)";
  await db().query(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '40 seconds' WHERE id = ${first}`);
  const { deliveriesPending, deliveriesOverdueSeconds } = await readBacklog();
  expect(deliveriesOverdueSeconds).toBeGreaterThanOrEqual(40);
  await db().query(`UPDATE webhook_deliveries SET status = 'delivered', next_attempt_at = NULL WHERE id = ${first}`);
  expect(await readBacklog()).toMatchObject({
    deliveriesPending: deliveriesPending - 1,
    deliveriesOverdueSeconds: 0,
  });
});
