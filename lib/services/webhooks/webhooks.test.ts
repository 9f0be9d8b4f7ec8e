import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { seedDelivery, seedRegistrations } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { MAX_WEBHOOKS } from "@/lib/domain/limits";
import { sealText } from "@/lib/domain/sealed-text";
import type { WebhookEventKind } from "@/lib/domain/webhook-events";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { dismissAlert } from "@/lib/services/alerts/dismiss-alert";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";
import { loadDelivery } from "@/lib/services/deliveries/load-delivery";
import { createProject } from "@/lib/services/projects/create-project";
import { createWebhook } from "@/lib/services/webhooks/create-webhook";
import { deleteWebhook } from "@/lib/services/webhooks/delete-webhook";
import { getWebhook } from "@/lib/services/webhooks/get-webhook";
import { listWebhooks } from "@/lib/services/webhooks/list-webhooks";
import { reactivateWebhook } from "@/lib/services/webhooks/reactivate-webhook";
import { rotateWebhookSecret } from "@/lib/services/webhooks/rotate-webhook-secret";
import { showWebhookSecret } from "@/lib/services/webhooks/show-webhook-secret";
import { testWebhook } from "@/lib/services/webhooks/test-webhook";
import { saveWebhook, updateWebhook } from "@/lib/services/webhooks/update-webhook";

const PAGE = { limit: 20, offset: 0 };
const URL_A = "https://a.example/in";

let account: TestAccount;
let stranger: TestAccount;
let owner: Actor;

useServiceDatabase({ OUTBOUND_ALLOWED_HOSTS: "localhost", LOG_LEVEL: "error" });
beforeEach(async () => {
  [account, stranger] = await Promise.all([createTestAccount(), createTestAccount()]);
  owner = await ownerOf(account);
});

const create = (more: { url?: string; events?: WebhookEventKind[]; active?: boolean } = {}) =>
  createWebhook(account, { url: URL_A, events: ["completion"], active: true, ...more }, owner);

/** As five failed attempts leave it. */
async function fail(id: string, alertId = `alr_${id}`) {
  await db().query("UPDATE webhook_registrations SET status = 'failed', failed_at = now() WHERE id = $1", [id]);
  await db().query(
    `INSERT INTO alerts (id, account_id, project_id, kind, subject_id, message)
     VALUES ($4, $1, $3, 'webhook.failed', $2, 'It failed.')`,
    [account.accountId, id, account.projectId, alertId],
  );
}

const row = async (id: string) => (await db().query("SELECT * FROM webhook_registrations WHERE id = $1", [id])).rows[0];

const audited = async (subject: string) =>
  (
    await db().query<{ action: string }>("SELECT action FROM audit_log WHERE subject = $1 ORDER BY id", [subject])
  ).rows.map(({ action }) => action);

describe("registrations", () => {
  it("keep the secret sealed, and give it with the creation alone", async () => {
    const { secret, ...created } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await getWebhook(account, created.id)).toEqual(created);
    expect(JSON.stringify(await row(created.id))).not.toContain(secret.slice(6));
    expect(created).toMatchObject({
      partnerId: account.accountId,
      active: true,
      status: "active",
      lastDeliveryAt: null,
    });
  });

  it("are inactive when created so", async () => {
    expect(await create({ active: false })).toMatchObject({ active: false, status: "inactive" });
  });

  it.each([
    ["http://a.example/", "URL_NOT_HTTPS"],
    ["https://10.0.0.1/", "URL_NOT_ALLOWED"],
    ["https://localhost.localdomain/", "URL_NOT_ALLOWED"],
  ])("refuse the address %s, at creation and at change", async (url, code) => {
    await expect(create({ url })).rejects.toMatchObject({ code, param: "url" });
    const { id } = await create();
    await expect(updateWebhook(owner, account, id, { url })).rejects.toMatchObject({ code });
    expect((await getWebhook(account, id)).url).toBe(URL_A);
  });

  it("take a host that the operator lets through", async () => {
    expect((await create({ url: "https://localhost:4443/in" })).url).toBe("https://localhost:4443/in");
  });

  it(`are at most ${MAX_WEBHOOKS} in a project, also when they come at once, and a deleted one makes room`, async () => {
    const others = await createProject(owner, account, { name: "Other" });
    await seedRegistrations(MAX_WEBHOOKS - 3, { ...account, url: URL_A });
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => create()));
    const made = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
    expect(made).toHaveLength(3);
    for (const attempt of attempts.filter(({ status }) => status === "rejected")) {
      expect(attempt).toMatchObject({
        reason: { code: "VALIDATION_FAILED", message: expect.stringContaining(`at most ${MAX_WEBHOOKS} webhooks`) },
      });
    }
    await expect(create({ active: false })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await createWebhook({ ...account, projectId: others.id }, { url: URL_A, events: ["error"], active: true });
    await deleteWebhook(owner, account, made[0]?.id ?? "");
    expect(await create()).toMatchObject({ status: "active" });
    expect((await listWebhooks(account, PAGE)).pagination.total).toBe(MAX_WEBHOOKS);
  });

  it("are listed newest first, page by page", async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.unshift((await create()).id);
    const first = await listWebhooks(account, { limit: 2, offset: 0 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.pagination).toEqual({ limit: 2, offset: 0, total: 3, hasMore: true });
    expect((await listWebhooks(account, { limit: 2, offset: 2 })).data.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  it("change field by field, and are audited without a secret", async () => {
    const { id, secret } = await create();
    const changed = await updateWebhook(owner, account, id, { events: ["error", "session.timeout"] });
    expect(changed).toMatchObject({ url: URL_A, events: ["error", "session.timeout"], status: "active" });
    expect(await updateWebhook(owner, account, id, { active: false })).toMatchObject({
      active: false,
      status: "inactive",
    });
    expect(await updateWebhook(owner, account, id, { active: true })).toMatchObject({ active: true, status: "active" });
    expect(await audited(id)).toEqual(["webhook.create", "webhook.update", "webhook.update", "webhook.update"]);
    const { rows } = await db().query("SELECT * FROM audit_log WHERE subject = $1", [id]);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  });

  it("are switched off once by two who do it at once, with one line in the audit log", async () => {
    const { id } = await create();
    const switchOff = () => updateWebhook(owner, account, id, { active: false });
    const both = await Promise.all([switchOff(), switchOff()]);
    expect(both[1]).toEqual(both[0]);
    expect(both[0]).toMatchObject({ active: false, status: "inactive" });
    expect(await audited(id)).toEqual(["webhook.create", "webhook.update"]);
  });

  it("send what is under way to a changed address, and leave the log of what was sent", async () => {
    const { id } = await create();
    const pending = await seedDelivery({ ...account, registrationId: id, url: URL_A });
    const delivered = await seedDelivery({ ...account, registrationId: id, url: URL_A, status: "delivered" });
    await updateWebhook(owner, account, id, { url: "https://b.example/in" });
    const { rows } = await db().query("SELECT id, url FROM webhook_deliveries WHERE registration_id = $1", [id]);
    expect(new Map(rows.map((each) => [each.id, each.url]))).toEqual(
      new Map([
        [pending.id, "https://b.example/in"],
        [delivered.id, URL_A],
      ]),
    );
  });

  it("are saved by a form over what it began with, and over nothing newer", async () => {
    const { id } = await create();
    const delivery = await seedDelivery({ ...account, registrationId: id, url: URL_A });
    const began = { url: URL_A, events: ["completion"] };
    const save = (url: string, events: WebhookEventKind[]) => saveWebhook(owner, account, id, { url, events, began });
    const both: WebhookEventKind[] = ["error", "completion"];
    expect(await save(URL_A, both)).toEqual({ outcome: "saved", saved: { url: URL_A, events: both } });
    const conflict = { outcome: "conflict", current: { url: URL_A, events: both } };
    expect(await save("https://b.example/in", ["completion"])).toEqual(conflict);
    expect(await getWebhook(account, id)).toMatchObject({ url: URL_A, events: both });
    const { rows } = await db().query("SELECT url FROM webhook_deliveries WHERE id = $1", [delivery.id]);
    expect(rows).toEqual([{ url: URL_A }]);
    expect(await save(URL_A, ["completion", "error"])).toMatchObject({ outcome: "saved" });
    // Which changed nothing, as when it is sent again after an answer that was lost.
    const { accountId } = account;
    expect(await prisma().auditEntry.count({ where: { accountId, action: "webhook.update" } })).toBe(1);
    const moved = { url: "https://moved.example/in", events: ["completion" as const] };
    await updateWebhook(owner, account, id, moved);
    expect(await save("https://b.example/in", ["completion"])).toEqual({ outcome: "conflict", current: moved });
    await expect(saveWebhook(owner, stranger, id, { ...began, events: both, began })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("take one of two forms that began with the same and are saved at once", async () => {
    const { id } = await create();
    const began = { url: URL_A, events: ["completion"] };
    const save = (url: string) => () => saveWebhook(owner, account, id, { url, events: ["completion"], began });
    const saves = await whileHeld(
      { statement: "SELECT 1 FROM webhook_registrations WHERE id = $1 FOR UPDATE", id },
      save("https://b.example/in"),
      save("https://c.example/in"),
    );
    const outcomes = saves.map((one) => (one.status === "fulfilled" ? one.value.outcome : one.reason));
    expect(outcomes.sort()).toEqual(["conflict", "saved"]);
  });

  it("send also what was just being written down to the address that they were given meanwhile", async () => {
    const { id } = await create();
    const { accountId, projectId } = account;
    const of = { accountId, projectId, sessionId: null, turnId: null, endUserId: null, callbackUrl: null };
    const event = SAMPLE_EVENTS.completion;
    await inTransaction(async (tx) => {
      await emitDeliveries(tx, [{ ...of, event, dedupeKey: id }]);
      await updateWebhook(owner, account, id, { url: "https://b.example/in" });
    });
    const { rows } = await db().query<{ id: string }>("SELECT id FROM webhook_deliveries WHERE registration_id = $1", [
      id,
    ]);
    const delivery = await loadDelivery({ deliveryId: rows[0]?.id ?? "", round: 1, number: 1 });
    expect(delivery).toMatchObject({ status: "pending", url: "https://b.example/in" });
  });

  it("are gone when deleted; their deliveries stay in the log, undelivered", async () => {
    const { id } = await create();
    await fail(id);
    const held = await seedDelivery({ ...account, registrationId: id, url: URL_A, status: "held" });
    await deleteWebhook(owner, account, id);
    for (const missing of [id, "\0"]) {
      await expect(getWebhook(account, missing)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    const { rows } = await db().query("SELECT status FROM webhook_deliveries WHERE id = $1", [held.id]);
    expect(rows).toEqual([{ status: "failed" }]);
    expect((await listAlerts(account, PAGE)).data).toEqual([]);
  });
});

describe("a registration that failed", () => {
  it("is switched on again by its owner, which ends its alert and leaves held deliveries held", async () => {
    const { id } = await create();
    await fail(id);
    const held = await seedDelivery({ ...account, registrationId: id, url: URL_A, status: "held" });
    expect((await listAlerts(account, PAGE)).data).toMatchObject([{ kind: "webhook.failed", subjectId: id }]);
    expect(await reactivateWebhook(owner, account, id)).toMatchObject({ status: "active", active: true });
    expect((await row(id)).failed_at).toBeNull();
    expect((await listAlerts(account, PAGE)).data).toEqual([]);
    expect((await listAlerts(account, PAGE, "past")).data).toMatchObject([{ resolvedAt: expect.any(String) }]);
    const { rows } = await db().query("SELECT status FROM webhook_deliveries WHERE id = $1", [held.id]);
    expect(rows).toEqual([{ status: "held" }]);
    expect(await audited(id)).toEqual(["webhook.create", "webhook.reactivate"]);
    await reactivateWebhook(owner, account, id);
    expect(await audited(id), "a second time changes nothing").toHaveLength(2);
  });

  it("keeps when an earlier failure ended when the next one does", async () => {
    const { id } = await create();
    const failOnce = async (alertId: string) => {
      await fail(id, alertId);
      await reactivateWebhook(owner, account, id);
      return (await listAlerts(account, PAGE, "past")).data;
    };
    const [first] = await failOnce("alr_first");
    const alerts = await failOnce("alr_second");
    expect([alerts.length, alerts.at(-1)]).toEqual([2, first]);
  });

  it("stays failed when it is merely saved, and starts afresh when switched off and on", async () => {
    const { id } = await create();
    await fail(id);
    expect(await updateWebhook(owner, account, id, { url: "https://b.example/", active: true })).toMatchObject({
      status: "failed",
    });
    expect(await updateWebhook(owner, account, id, { active: false })).toMatchObject({ status: "inactive" });
    expect((await listAlerts(account, PAGE)).data).toEqual([]);
    expect(await updateWebhook(owner, account, id, { active: true })).toMatchObject({ status: "active" });
  });
});

describe("secrets", () => {
  it("are shown again, and who looked is noted", async () => {
    const { id, secret } = await create();
    expect(await showWebhookSecret(owner, account, id)).toEqual({ secret, previous: null });
    expect(await audited(id)).toEqual(["webhook.create", "webhook.show-secret"]);
  });

  it("are rotated with an overlap of 24 hours", async () => {
    const { id, secret } = await create();
    const now = new Date("2026-03-01T12:00:00.000Z");
    const rotated = await rotateWebhookSecret(owner, account, id, { now });
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.previousValidUntil).toBe("2026-03-02T12:00:00.000Z");
    expect(await audited(id)).toEqual(["webhook.create", "webhook.rotate-secret"]);
    const previous = { secret, validUntil: rotated.previousValidUntil };
    const lastMoment = new Date("2026-03-02T11:59:59.999Z");
    expect(await showWebhookSecret(owner, account, id, lastMoment)).toEqual({ secret: rotated.secret, previous });
    const after = new Date(rotated.previousValidUntil);
    expect(await showWebhookSecret(owner, account, id, after)).toEqual({ secret: rotated.secret, previous: null });
  });

  it("that are rotated because the key that sealed them was lost are shown without the one that no key opens", async () => {
    const { id } = await create();
    const lost = sealText(newWebhookSecret(), randomBytes(32).toString("base64"));
    await db().query("UPDATE webhook_registrations SET secret_encrypted = $2 WHERE id = $1", [id, lost]);
    const { secret } = await rotateWebhookSecret(owner, account, id);
    expect(await showWebhookSecret(owner, account, id)).toEqual({ secret, previous: null });
  });

  it("that no key opens any more are told to be rotated, and why is for the log", async () => {
    const { id } = await create();
    const lost = sealText(newWebhookSecret(), randomBytes(32).toString("base64"));
    await db().query("UPDATE webhook_registrations SET secret_encrypted = $2 WHERE id = $1", [id, lost]);
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const shown = await showWebhookSecret(owner, account, id).catch((error: unknown) => error);
    const lines = written.mock.calls.join();
    written.mockRestore();
    expect(shown).toMatchObject({ code: "INTERNAL_ERROR", message: expect.stringMatching(/ Rotate it and give /) });
    expect((shown as Error).message).not.toContain("ENCRYPTION_KEY");
    expect(lines).toContain("ENCRYPTION_KEY is not the one that sealed this");
  });

  it("are two at most: rotating again ends the oldest", async () => {
    const { id } = await create();
    const second = await rotateWebhookSecret(owner, account, id);
    const third = await rotateWebhookSecret(owner, account, id);
    expect(await showWebhookSecret(owner, account, id)).toMatchObject({
      secret: third.secret,
      previous: { secret: second.secret },
    });
  });
});

describe("a rotation", () => {
  it("is refused to who has not seen the one before, as after an answer that was lost: it would end what a receiver goes by", async () => {
    const { id, secret } = await create();
    const rotate = (seen: string | null) => rotateWebhookSecret(owner, account, id, { seen });
    const first = await rotate(null);
    await expect(rotate(null)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const shown = await showWebhookSecret(owner, account, id);
    expect(shown).toMatchObject({ secret: first.secret, previous: { secret } });
    await rotate(shown.previous?.validUntil ?? null);
    expect(await showWebhookSecret(owner, account, id)).toMatchObject({ previous: { secret: first.secret } });
  });

  it("is refused to one of two who rotate at once: the secret of the other would sign nothing any more", async () => {
    const { id } = await create();
    const rotate = () => rotateWebhookSecret(owner, account, id, { seen: null });
    const statement = "SELECT 1 FROM webhook_registrations WHERE id = $1 FOR UPDATE";
    const rotations = await whileHeld({ statement, id }, rotate, rotate);
    expect(rotations.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("a test send", () => {
  it.each(["active", "inactive", "failed"])("is queued for a registration that is %s", async (status) => {
    const { id } = await create({ active: status !== "inactive" });
    if (status === "failed") await fail(id);
    const { deliveryId, event } = await testWebhook(account, id, undefined, owner);
    expect(await audited(id)).toContain("webhook.test");
    expect(event).toBe("completion");
    const { rows } = await db().query("SELECT * FROM webhook_deliveries WHERE id = $1", [deliveryId]);
    expect(rows).toMatchObject([
      { is_test: true, registration_id: id, url: URL_A, status: "pending", session_id: null },
    ]);
    expect(JSON.parse(rows[0].body)).toMatchObject({ type: "completion", test: true });
    const queued = await db().query("SELECT data FROM outbox_events WHERE data->>'deliveryId' = $1", [deliveryId]);
    expect(queued.rows).toMatchObject([{ data: { deliveryId, round: 1 } }]);
    expect((await getWebhook(account, id)).status).toBe(status);
  });
});

describe("another project of the account", () => {
  it("tests no receiver but its own; the account tests all of them", async () => {
    const { id } = await create();
    const { accountId } = account;
    const other = await createProject(owner, { accountId }, { name: "Other" });
    await expect(testWebhook({ accountId, projectId: other.id }, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const sent = await testWebhook({ accountId }, id);
    const { rows } = await db().query("SELECT id FROM webhook_deliveries WHERE registration_id = $1", [id]);
    expect(rows).toEqual([{ id: sent.deliveryId }]);
  });
});

describe("another account", () => {
  it("finds nothing of it, by the same words as for what does not exist", async () => {
    const { id } = await create();
    await fail(id);
    const alertId = `alr_${id}`;
    const theirs = await ownerOf(stranger);
    const uses: ((scope: TestAccount, webhookId: string) => Promise<unknown>)[] = [
      getWebhook,
      (scope, webhookId) => testWebhook(scope, webhookId, undefined, theirs),
      (scope, webhookId) => updateWebhook(theirs, scope, webhookId, { active: false }),
      (scope, webhookId) => deleteWebhook(theirs, scope, webhookId),
      (scope, webhookId) => reactivateWebhook(theirs, scope, webhookId),
      (scope, webhookId) => rotateWebhookSecret(theirs, scope, webhookId),
      (scope, webhookId) => showWebhookSecret(theirs, scope, webhookId),
      (scope, webhookId) => dismissAlert(theirs, scope, webhookId === id ? alertId : "alr_missing"),
    ];
    const refusal = (use: (typeof uses)[number], webhookId: string) =>
      use(stranger, webhookId).then(
        () => "done",
        ({ code, message }) => ({ code, message }),
      );
    for (const use of uses) {
      const foreign = await refusal(use, id);
      expect(foreign).toMatchObject({ code: "NOT_FOUND" });
      expect(foreign).toEqual(await refusal(use, "whk_missing"));
    }
    expect((await listWebhooks(stranger, PAGE)).data).toEqual([]);
    expect((await listAlerts(stranger, PAGE)).data).toEqual([]);
    expect(await row(id)).toMatchObject({ status: "failed", active: true });
    expect(await audited(id)).toEqual(["webhook.create"]);
  });
});

describe("alerts", () => {
  it("are out of sight once dismissed, and may be dismissed twice", async () => {
    const { id } = await create();
    await fail(id);
    await dismissAlert(owner, account, `alr_${id}`);
    await dismissAlert(owner, account, `alr_${id}`);
    expect((await listAlerts(account, PAGE)).data).toEqual([]);
    expect((await listAlerts(account, PAGE, "past")).pagination.total).toBe(1);
    expect(await audited(`alr_${id}`)).toEqual(["alert.dismiss"]);
  });
});
