import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import type { Template } from "@/lib/contracts/template-records";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { MAX_TEMPLATE_VERSIONS_BYTES } from "@/lib/domain/template-limits";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createTemplate } from "@/lib/services/templates/create-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { listTemplateVersions } from "@/lib/services/templates/list-template-versions";
import { listTemplates } from "@/lib/services/templates/list-templates";
import { releaseTemplateVersion } from "@/lib/services/templates/release-template-version";
import { renderForCall } from "@/lib/services/templates/render-for-call";
import { saveTemplate, updateTemplate } from "@/lib/services/templates/update-template";

let account: TestAccount;
let template: Template;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  template = await createTemplate(account, { name: "T", promptTemplate: "One {{a}}", variables: { a: "1" } });
});

const release = (version: number | null) => releaseTemplateVersion(account, template.id, { version }, OPERATOR);

const change = (promptTemplate: string) => updateTemplate(account, template.id, { promptTemplate });

/** What a call gets, as text and version. */
async function said(templateVersion?: number): Promise<[string, number | undefined]> {
  const call = { templateId: template.id, templateVersion, inputNames: ["message"] as const, isInputKept: false };
  const { text, template: used } = await renderForCall(account.principal, call);
  return [text, used?.version];
}

async function auditLines() {
  const { rows } = await db().query(
    "SELECT before, after FROM audit_log WHERE action = 'template.release' AND subject = $1 ORDER BY created_at",
    [template.id],
  );
  return rows;
}

describe("a version that was chosen for calls", () => {
  it("is what they get whatever is saved later, until another is chosen or none", async () => {
    await release(1);
    await change("Two");
    expect(await said()).toEqual(["One 1", 1]);
    await release(2);
    await change("Three");
    expect(await said()).toEqual(["Two", 2]);
    await release(null);
    expect(await said()).toEqual(["Three", 3]);
    await change("Four");
    expect(await said()).toEqual(["Four", 4]);
  });

  it("leaves calls that name a version what they name", async () => {
    await change("Two");
    await release(1);
    expect(await said(2)).toEqual(["Two", 2]);
  });

  it("is in the template's record, which says what was saved last; so it is in lists and answers to changes", async () => {
    expect(template).not.toHaveProperty("liveVersion");
    await release(1);
    expect(await change("Two")).toMatchObject({ liveVersion: 1, version: 2, promptTemplate: "Two" });
    expect(await getTemplate(account, template.id)).toMatchObject({ liveVersion: 1, promptTemplate: "Two" });
    const { data } = await listTemplates(account, { limit: 5, offset: 0 });
    expect(data).toMatchObject([{ id: template.id, liveVersion: 1 }]);
  });

  it("is no change that somebody who edits would meet", async () => {
    await release(1);
    expect((await getTemplate(account, template.id)).updatedAt).toBe(template.updatedAt);
    const base = { version: 1, updatedAt: template.updatedAt };
    const saved = await saveTemplate(account, template.id, { base, changes: { promptTemplate: "Two" } }, "usr_1");
    expect(saved.outcome).toBe("saved");
  });

  it("stays when the oldest go: calls would have nothing to say", async () => {
    await release(1);
    const text = "x".repeat(100_000);
    const most = Math.ceil(MAX_TEMPLATE_VERSIONS_BYTES / text.length) + 2;
    await db().query(
      `INSERT INTO template_versions (template_id, version, prompt_template, variables)
       SELECT $1, n, $2, '{}' FROM generate_series(2, $3::int) n`,
      [template.id, text, most],
    );
    await db().query("UPDATE templates SET version = $2, prompt_template = $3 WHERE id = $1", [
      template.id,
      most,
      text,
    ]);
    await change("New");
    expect(await said()).toEqual(["One 1", 1]);
    const { data, pagination } = await listTemplateVersions(account, template.id, { limit: 100, offset: 50 });
    expect(pagination.total).toBeLessThan(most);
    expect(data.slice(-2).map(({ version }) => version)).toEqual([expect.any(Number), 1]);
    expect(data.at(-2)?.version).toBeGreaterThan(2);
    await release(null);
    for (const end of ["y", "z"]) await change(text.slice(1) + end);
    await expect(said(1), "it goes with the others of its age").rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("releaseTemplateVersion", () => {
  it("leaves one line in the audit log for each change, and none where it is so already", async () => {
    await change("Two");
    for (const version of [null, 2, 2, null]) await release(version);
    expect(await auditLines()).toEqual([
      { before: { liveVersion: null }, after: { liveVersion: 2 } },
      { before: { liveVersion: 2 }, after: { liveVersion: null } },
    ]);
  });

  it("is written down once when two people choose the same at once", async () => {
    const both = await whileHeld(
      { statement: "SELECT FROM templates WHERE id = $1 FOR UPDATE", id: template.id },
      () => release(1),
      () => release(1),
    );
    expect(both).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
    expect(await auditLines()).toHaveLength(1);
  });

  it("is not undone by a page from before: whoever chose another learns of it, and the same choice twice is one", async () => {
    await change("Two");
    const choose = (version: number | null, began: number | null) =>
      releaseTemplateVersion(account, template.id, { version, began }, OPERATOR);
    await choose(1, null);
    await choose(1, null);
    await expect(choose(2, null)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("version 1 was chosen by somebody else"),
    });
    expect(await said()).toEqual(["One 1", 1]);
    await choose(null, 1);
    await expect(choose(2, 1)).rejects.toMatchObject({ message: expect.stringContaining("follow the newest") });
    expect(await auditLines()).toHaveLength(2);
  });

  it("answers that nothing was found for a missing version, a missing template and another project's", async () => {
    const other = await createTestAccount();
    const missing = [
      releaseTemplateVersion(account, template.id, { version: 2 }, OPERATOR),
      releaseTemplateVersion(account, newId("template"), { version: 1 }, OPERATOR),
      releaseTemplateVersion(other, template.id, { version: 1 }, OPERATOR),
      releaseTemplateVersion(other, template.id, { version: null }, OPERATOR),
    ];
    for (const attempt of await Promise.allSettled(missing)) {
      expect(attempt).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    }
    expect(await auditLines()).toEqual([]);
    expect(await said()).toEqual(["One 1", 1]);
  });
});
