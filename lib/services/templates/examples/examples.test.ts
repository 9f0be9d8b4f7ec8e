import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import type { ExampleDraft } from "@/lib/contracts/template-examples";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { MAX_TEMPLATE_EXAMPLES } from "@/lib/domain/template-limits";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { createOnce } from "@/lib/services/idempotency/create-once";
import { createTemplate } from "@/lib/services/templates/create-template";
import { deleteTemplate } from "@/lib/services/templates/delete-template";
import { deleteExample } from "@/lib/services/templates/examples/delete-example";
import { keepExample } from "@/lib/services/templates/examples/keep-example";
import { listExamples } from "@/lib/services/templates/examples/list-examples";
import { saveExample } from "@/lib/services/templates/examples/save-example";

const NOT_FOUND = { code: "NOT_FOUND" };
const ANNA: Actor = { kind: "owner", userId: "usr_anna" };

let account: TestAccount;
let templateId: string;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  templateId = await newTemplate(account);
});

async function newTemplate({ principal }: TestAccount): Promise<string> {
  return (await createTemplate(principal, { name: "Invoice", promptTemplate: "Sum up {{what}}" })).id;
}

const draft = (name: string, more: Partial<ExampleDraft> = {}): ExampleDraft => ({
  name,
  values: { what: "No. 7" },
  message: "Now.",
  ...more,
});

const keep = (name: string, more: Partial<ExampleDraft> = {}) =>
  keepExample(account.principal, templateId, draft(name, more), "usr_anna");

const fill = (count: number) =>
  prisma().templateExample.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      ...draft(`Example ${n}`),
      id: newId("templateExample"),
      templateId,
    })),
  });

/** Two that have both begun before either of them is kept. */
const bothAtOnce = (first: string, second: string) =>
  whileHeld(
    { statement: "SELECT 1 FROM templates WHERE id = $1 FOR UPDATE", id: templateId },
    () => keep(first),
    () => keep(second),
  );

const auditOf = async (action: string) =>
  (
    await db().query("SELECT actor_id, before, after FROM audit_log WHERE subject = $1 AND action = $2", [
      templateId,
      action,
    ])
  ).rows;

/** Who must not find it: another account, and another project of the same one. */
async function strangers() {
  return [await createTestAccount(), await addTestProject(account, "Other")].map(({ principal }) => principal);
}

describe("keepExample", () => {
  it("keeps values and message under the name, with who made it, for whoever looks", async () => {
    const values = JSON.parse('{"what":"No. 7","__proto__":"own","constructor":"too"}');
    const kept = await keep("Short", { values, message: "" });
    expect(kept).toEqual({ id: kept.id, name: "Short", values, message: "", updatedAt: kept.updatedAt });
    expect(Object.hasOwn(kept.values, "__proto__")).toBe(true);
    expect(await listExamples(account, templateId)).toEqual([kept]);
    const row = await prisma().templateExample.findUniqueOrThrow({ where: { id: kept.id } });
    expect(row.createdById).toBe("usr_anna");
  });

  it("lists by name, whatever was kept first", async () => {
    for (const name of ["b", "C", "a"]) await keep(name);
    expect((await listExamples(account, templateId)).map(({ name }) => name)).toEqual(["a", "b", "C"]);
  });

  it("refuses a name that another example of the template has, and no other template's", async () => {
    await keep("Short");
    await expect(keep("Short")).rejects.toMatchObject({ code: "VALIDATION_FAILED", param: "draft.name" });
    templateId = await newTemplate(account);
    await expect(keep("Short")).resolves.toMatchObject({ name: "Short" });
  });

  it("keeps as many as a template may have, also of two at once for the last place", async () => {
    await fill(MAX_TEMPLATE_EXAMPLES - 1);
    const [first, second] = await bothAtOnce("Mine", "Theirs");
    expect(first.status).toBe("fulfilled");
    expect(second).toMatchObject({ status: "rejected", reason: { code: "VALIDATION_FAILED", param: undefined } });
    expect(await listExamples(account, templateId)).toHaveLength(MAX_TEMPLATE_EXAMPLES);
  });

  it("takes one of two of one name at once", async () => {
    const [first, second] = await bothAtOnce("Same", "Same");
    expect(first.status).toBe("fulfilled");
    expect(second).toMatchObject({ status: "rejected", reason: { param: "draft.name" } });
  });

  it("keeps one though it is sent again because its answer was lost", async () => {
    const send = () =>
      createOnce(account, "attempt-of-a-form-1", draft("Short"), (claim) =>
        keepExample(account.principal, templateId, draft("Short"), "usr_anna", claim),
      );
    expect(await send()).toEqual(await send());
    expect(await listExamples(account, templateId)).toHaveLength(1);
  });
});

describe("saveExample", () => {
  const save = (exampleId: string, base: string, changed: ExampleDraft, of = templateId) =>
    saveExample(account, { templateId: of, exampleId }, { base, draft: changed }, ANNA);

  it("changes what it began with, and says in the audit log who did, by the names alone", async () => {
    const kept = await keep("Short");
    const result = await save(kept.id, kept.updatedAt, draft("Shorter", { values: {}, message: "Later." }));
    const saved = { id: kept.id, name: "Shorter", values: {}, message: "Later." };
    expect(result).toMatchObject({ outcome: "saved", saved });
    expect(await listExamples(account, templateId)).toMatchObject([saved]);
    const line = { actor_id: "usr_anna", before: { example: "Short" }, after: { example: "Shorter" } };
    expect(await auditOf("template.change-example")).toEqual([line]);
  });

  it("changes nothing that somebody else saved meanwhile, and gives what they saved", async () => {
    const kept = await keep("Short");
    await save(kept.id, kept.updatedAt, draft("Short", { message: "Theirs." }));
    const [current] = await listExamples(account, templateId);
    const mine = await save(kept.id, kept.updatedAt, draft("Short", { message: "Mine." }));
    expect(mine).toEqual({ outcome: "conflict", current });
    expect(await listExamples(account, templateId)).toEqual([current]);
  });

  it("lets one of ten that began with the same through", async () => {
    const kept = await keep("Short");
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, n) => save(kept.id, kept.updatedAt, draft("Short", { message: `${n}` }))),
    );
    expect(results.filter(({ outcome }) => outcome === "saved")).toHaveLength(1);
  });

  it("refuses the name of another example, and takes its own", async () => {
    await keep("Long");
    const kept = await keep("Short");
    const taken = save(kept.id, kept.updatedAt, draft("Long"));
    await expect(taken).rejects.toMatchObject({ code: "VALIDATION_FAILED", param: "draft.name" });
    expect(await save(kept.id, kept.updatedAt, draft("Short"))).toMatchObject({ outcome: "saved" });
  });

  it("tells each change from the one before, also where a clock was set back between them", async () => {
    const { id, updatedAt } = await keep("Short");
    const ahead = new Date(new Date(updatedAt).getTime() + 3_600_000);
    await prisma().templateExample.update({ where: { id }, data: { updatedAt: ahead } });
    const result = await save(id, ahead.toISOString(), draft("Short", { message: "Later." }));
    const saved = result.outcome === "saved" ? result.saved.updatedAt : "";
    expect(saved > ahead.toISOString(), saved).toBe(true);
  });

  it("finds none that is being deleted at that moment", async () => {
    const kept = await keep("Short");
    const [saved] = await whileHeld({ statement: "DELETE FROM template_examples WHERE id = $1", id: kept.id }, () =>
      save(kept.id, kept.updatedAt, draft("Short", { message: "Mine." })),
    );
    expect(saved).toMatchObject({ status: "rejected", reason: NOT_FOUND });
  });

  it("knows no example of another template", async () => {
    const kept = await keep("Short");
    const other = await newTemplate(account);
    await expect(save(kept.id, kept.updatedAt, draft("Short"), other)).rejects.toMatchObject(NOT_FOUND);
  });
});

describe("deleteExample", () => {
  it("removes the example, and says in the audit log who did", async () => {
    const kept = await keep("Short");
    await deleteExample(account, { templateId, exampleId: kept.id }, ANNA);
    expect(await listExamples(account, templateId)).toEqual([]);
    expect(await auditOf("template.delete-example")).toEqual([
      { actor_id: "usr_anna", before: { example: "Short" }, after: null },
    ]);
  });

  it("removes none of another template", async () => {
    const kept = await keep("Short");
    const other = { templateId: await newTemplate(account), exampleId: kept.id };
    await expect(deleteExample(account, other, ANNA)).rejects.toMatchObject(NOT_FOUND);
    expect(await listExamples(account, templateId)).toEqual([kept]);
  });

  it("goes with its template", async () => {
    const kept = await keep("Short");
    await deleteTemplate(account, templateId);
    expect(await prisma().templateExample.count({ where: { id: kept.id } })).toBe(0);
  });
});

describe("another account, and another project", () => {
  it("find nothing by a template's id or an example's", async () => {
    const { id: exampleId, updatedAt: base } = await keep("Short");
    for (const stranger of await strangers()) {
      const place = { templateId, exampleId };
      await expect(listExamples(stranger, templateId)).rejects.toMatchObject(NOT_FOUND);
      await expect(keepExample(stranger, templateId, draft("Mine"), "usr_eve")).rejects.toMatchObject(NOT_FOUND);
      const saved = saveExample(stranger, place, { base, draft: draft("Mine") }, ANNA);
      await expect(saved).rejects.toMatchObject(NOT_FOUND);
      await expect(deleteExample(stranger, place, ANNA)).rejects.toMatchObject(NOT_FOUND);
    }
    expect(await listExamples(account, templateId)).toMatchObject([{ name: "Short" }]);
  });

  it("reach no example through a template of their own", async () => {
    const { id: exampleId, updatedAt: base } = await keep("Short");
    const stranger = await createTestAccount();
    const place = { templateId: await newTemplate(stranger), exampleId };
    const saved = saveExample(stranger, place, { base, draft: draft("Mine") }, ANNA);
    await expect(saved).rejects.toMatchObject(NOT_FOUND);
    await expect(deleteExample(stranger, place, ANNA)).rejects.toMatchObject(NOT_FOUND);
    expect(await listExamples(account, templateId)).toHaveLength(1);
  });
});
