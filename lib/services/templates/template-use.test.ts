import { beforeEach, describe, expect, it } from "vitest";
import { onOtherClock } from "@/e2e/support/other-clock";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import type { Template } from "@/lib/contracts/template-records";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createTemplate } from "@/lib/services/templates/create-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { getTemplateUse } from "@/lib/services/templates/get-template-use";
import { listTemplateUse } from "@/lib/services/templates/list-template-use";
import { listTemplateVersions } from "@/lib/services/templates/list-template-versions";
import { restoreTemplateVersion } from "@/lib/services/templates/restore-template-version";
import { updateTemplate } from "@/lib/services/templates/update-template";
import { acceptBatch } from "@/lib/services/turns/accept-batch";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

let account: TestAccount;
let template: Template;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  template = await createTemplate(account, { name: "T", promptTemplate: "One {{a}}", variables: { a: "1" } });
});

function use(sessionId?: string) {
  return acceptTurn(account.principal, chatTurn({ sessionId, template }));
}

describe("the use of a template", () => {
  it("counts calls and tells the last one, for new and resumed sessions", async () => {
    const unused = await createTemplate(account, { name: "U", promptTemplate: "x" });
    const { sessionId } = await use();
    const [first] = await listTemplateUse(account, [template.id]);
    await use(sessionId);
    const uses = await listTemplateUse(account, [template.id, unused.id]);
    const second = uses.find(({ templateId }) => templateId === template.id);
    expect(second).toEqual({ templateId: template.id, usageCount: 2, lastUsedAt: expect.stringMatching(/Z$/) });
    expect((second?.lastUsedAt ?? "") >= (first?.lastUsedAt ?? "")).toBe(true);
    expect(uses).toContainEqual({ templateId: unused.id, usageCount: 0, lastUsedAt: null });
  });

  it("counts each file of a batch, and only for its own template", async () => {
    const unused = await createTemplate(account, { name: "U", promptTemplate: "x" });
    const file = { name: "a.txt", contentType: "text/plain", size: 1, sha256: "0".repeat(64), store: "disk" } as const;
    const files = ["a", "b"].map((name) => newId("file") + name).map((key) => ({ ...file, storageKey: key, url: key }));
    await db().query(
      "INSERT INTO pending_uploads (storage_key, store, project_id) SELECT unnest($1::text[]), 'disk', $2",
      [files.map(({ storageKey }) => storageKey), account.projectId],
    );
    const turn = {
      endpoint: "POST /process/batch",
      requestId: newId("request"),
      kind: "process",
      input: "Hi",
    } as const;
    await acceptBatch(account.principal, { ...turn, template, files, creditsToReserve: 1 });
    const uses = await listTemplateUse(account, [template.id, unused.id]);
    expect(uses).toContainEqual({ templateId: template.id, usageCount: 2, lastUsedAt: expect.any(String) });
    expect(uses).toContainEqual({ templateId: unused.id, usageCount: 0, lastUsedAt: null });
  });

  it("tells how its sessions stand and on which days they began", async () => {
    const [done, failed, canceled] = [await use(), await use(), await use(), await use()];
    await endTurn(done.turnId, null, completedEnd());
    await endTurn(failed.turnId, null, { status: "failed", errorCode: "INTERNAL_ERROR", errorMessage: "No." });
    await endTurn(canceled.turnId, null, { status: "canceled", errorCode: "CANCELED", errorMessage: "No." });
    const counts = { open: 1, completed: 1, failed: 1, canceled: 1 };
    expect((await getTemplateUse(account, template.id)).sessions).toEqual(counts);
    await db().query("UPDATE sessions SET status = 'expired' WHERE project_id = $1 AND open_turns = 0", [
      account.projectId,
    ]);
    await db().query("UPDATE sessions SET created_at = '2026-03-09T23:59:59.999Z' WHERE id = $1", [done.sessionId]);
    await db().query("UPDATE sessions SET created_at = '2026-02-01T00:00:00Z' WHERE id = $1", [failed.sessionId]);
    await db().query("UPDATE sessions SET created_at = '2026-03-10T09:00:00Z' WHERE id = $1", [canceled.sessionId]);
    const found = await getTemplateUse(account, template.id, new Date("2026-03-10T10:00:00Z"));
    expect(found.sessions).toEqual(counts);
    expect(found.days).toHaveLength(30);
    expect(found.days.slice(-2)).toEqual([
      { date: "2026-03-09", sessions: 1 },
      { date: "2026-03-10", sessions: 1 },
    ]);
  });

  it("counts the days that the database counts, also where a machine asks whose clock is off", async () => {
    const today = (await getTemplateUse(account, template.id)).days.at(-1);
    expect((await onOtherClock(48, () => getTemplateUse(account, template.id))).days.at(-1)).toEqual(today);
  });

  it("is not told of another project's template", async () => {
    const other = await createTestAccount();
    expect(await listTemplateUse(other, [template.id])).toEqual([]);
    await expect(getTemplateUse(other, template.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("restoreTemplateVersion", () => {
  const versions = async () => (await listTemplateVersions(account, template.id, { limit: 100, offset: 0 })).data;

  it("makes a new version of what an old one said, and keeps those in between", async () => {
    await updateTemplate(account, template.id, { promptTemplate: "Two", variables: {}, name: "Renamed" });
    const restored = await restoreTemplateVersion(account, template.id, 1, { kind: "owner", userId: "usr_1" });
    expect(restored).toMatchObject({
      name: "Renamed",
      promptTemplate: "One {{a}}",
      variables: { a: "1" },
      version: 3,
    });
    expect((await versions()).map(({ promptTemplate }) => promptTemplate)).toEqual(["One {{a}}", "Two", "One {{a}}"]);
    const { rows } = await db().query(
      "SELECT created_by_id FROM template_versions WHERE template_id = $1 AND version = 3",
      [template.id],
    );
    expect(rows[0].created_by_id).toBe("usr_1");
    const line = await db().query(
      "SELECT actor_id, before, after FROM audit_log WHERE action = 'template.restore' AND subject = $1",
      [template.id],
    );
    expect(line.rows).toEqual([
      { actor_id: "usr_1", before: { version: 2 }, after: { version: 3, restoredVersion: 1 } },
    ]);
  });

  it("of what stands already changes nothing, not even the template's time", async () => {
    expect(await restoreTemplateVersion(account, template.id, 1, OPERATOR)).toEqual(template);
    expect(await versions()).toHaveLength(1);
    await updateTemplate(account, template.id, { promptTemplate: "Two" });
    const stands = await updateTemplate(account, template.id, { promptTemplate: "One {{a}}" });
    expect(await restoreTemplateVersion(account, template.id, 1, OPERATOR)).toEqual(stands);
    expect(await versions()).toHaveLength(3);
  });

  it("is one version and one line of the audit log, also when two people do it at once", async () => {
    await updateTemplate(account, template.id, { promptTemplate: "Two" });
    const restore = () => restoreTemplateVersion(account, template.id, 1, OPERATOR);
    const both = await whileHeld(
      { statement: "SELECT FROM templates WHERE id = $1 FOR UPDATE", id: template.id },
      restore,
      restore,
    );
    expect(both).toMatchObject([{ value: { version: 3 } }, { value: { version: 3 } }]);
    const { rows } = await db().query(
      "SELECT before, after FROM audit_log WHERE action = 'template.restore' AND subject = $1",
      [template.id],
    );
    expect(rows).toEqual([{ before: { version: 2 }, after: { version: 3, restoredVersion: 1 } }]);
  });

  it("takes back no version that somebody else saved after the page was drawn, and says so", async () => {
    await updateTemplate(account, template.id, { promptTemplate: "Two" });
    const restore = (began: number) => restoreTemplateVersion(account, template.id, 1, OPERATOR, began);
    const theirs = await updateTemplate(account, template.id, { promptTemplate: "Three" });
    await expect(restore(2)).rejects.toThrow("Nothing was changed: version 3 was saved by somebody else meanwhile.");
    expect(await getTemplate(account, template.id)).toEqual(theirs);
    expect(await restore(3)).toMatchObject({ version: 4, promptTemplate: "One {{a}}" });
    // Sent again, because its answer was lost.
    expect(await restore(3)).toMatchObject({ version: 4 });
  });

  it("answers the same for a missing version, a missing template and another project's", async () => {
    const other = await createTestAccount();
    const attempts = [
      restoreTemplateVersion(account, template.id, 2, OPERATOR),
      restoreTemplateVersion(account, newId("template"), 1, OPERATOR),
      restoreTemplateVersion(other, template.id, 1, OPERATOR),
    ];
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({
        status: "rejected",
        reason: { code: "NOT_FOUND", message: "The version of the template was not found." },
      });
    }
    expect(await versions()).toHaveLength(1);
  });
});
