import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { createTemplate } from "@/lib/services/templates/create-template";
import { deleteTemplate } from "@/lib/services/templates/delete-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { listTemplateTags } from "@/lib/services/templates/list-template-tags";
import { testTemplate } from "@/lib/services/templates/test-template";
import { saveTemplate, updateTemplate } from "@/lib/services/templates/update-template";

const NOT_FOUND = { code: "NOT_FOUND" };

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

const make = (tags: string[] = []) =>
  createTemplate(account.principal, { name: "Invoice", promptTemplate: "Hello {{who}}", tags });

describe("saveTemplate", () => {
  it("saves over what the editor began with, and over nothing newer", async () => {
    const base = await make();
    const save = (promptTemplate: string) =>
      saveTemplate(account.principal, base.id, { base, changes: { promptTemplate } }, "usr_1");
    expect(await save("Bye {{who}}")).toMatchObject({ outcome: "saved", saved: { version: 2 } });
    const current = await getTemplate(account.principal, base.id);
    expect(await save("Hi {{who}}")).toEqual({ outcome: "conflict", current });
    expect(await getTemplate(account.principal, base.id)).toEqual(current);
  });

  it("sees a change that made no version", async () => {
    const base = await make();
    await updateTemplate(account.principal, base.id, { name: "Other" });
    const result = await saveTemplate(account.principal, base.id, { base, changes: { name: "Mine" } }, "usr_1");
    expect(result).toMatchObject({ outcome: "conflict", current: { name: "Other", version: 1 } });
  });

  it("is not disturbed by calls that use the template", async () => {
    const base = await make();
    await db().query("UPDATE templates SET usage_count = usage_count + 1, last_used_at = now() WHERE id = $1", [
      base.id,
    ]);
    const result = await saveTemplate(account.principal, base.id, { base, changes: { name: "Mine" } }, "usr_1");
    expect(result.outcome).toBe("saved");
  });

  it("lets one of twenty that began with the same through", async () => {
    const base = await make();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        saveTemplate(account.principal, base.id, { base, changes: { promptTemplate: `by ${n}` } }, "usr_1"),
      ),
    );
    expect(results.filter(({ outcome }) => outcome === "saved")).toHaveLength(1);
  });

  it("knows no template of another project", async () => {
    const base = await make();
    const { principal } = await createTestAccount();
    const attempt = saveTemplate(principal, base.id, { base, changes: { name: "Mine" } }, "usr_1");
    await expect(attempt).rejects.toMatchObject(NOT_FOUND);
  });
});

describe("testTemplate", () => {
  const DRAFT = { promptTemplate: "Say {{what}} in {{tone}}", variables: { tone: "plain words" } };
  const run = (values: Record<string, string>, message = "") =>
    testTemplate(account.principal, { ...DRAFT, values, message }, { requestId: "req_1" });

  it("starts a session with what the template says, and counts as no use of any template", async () => {
    const { sessionId } = await run({ what: "hello {{tone}}" }, "Now.");
    const { rows } = await db().query("SELECT input, template_id FROM turns WHERE session_id = $1", [sessionId]);
    expect(rows).toEqual([{ input: "Say hello {{tone}} in plain words\n\nNow.", template_id: null }]);
  });

  it("starts nothing while a value is missing, and names it", async () => {
    await expect(run({})).rejects.toMatchObject({ code: "TEMPLATE_VARIABLE_MISSING", param: "templateVars.what" });
    const { rowCount } = await db().query("SELECT 1 FROM sessions WHERE project_id = $1", [account.projectId]);
    expect(rowCount).toBe(0);
  });
});

describe("listTemplateTags", () => {
  it("names each tag of the project once", async () => {
    await make(["b", "a"]);
    await make(["a"]);
    await createTemplate((await createTestAccount()).principal, { name: "x", promptTemplate: "x", tags: ["theirs"] });
    expect(await listTemplateTags(account)).toEqual(["a", "b"]);
  });
});

describe("deleteTemplate", () => {
  it("says in the audit log which person removed what", async () => {
    const { id, name, slug, version } = await make();
    await deleteTemplate(account, id, { kind: "owner", userId: "usr_1" });
    const { rows } = await db().query("SELECT action, actor_id, before FROM audit_log WHERE subject = $1", [id]);
    expect(rows).toEqual([{ action: "template.delete", actor_id: "usr_1", before: { name, slug, version } }]);
  });
});
