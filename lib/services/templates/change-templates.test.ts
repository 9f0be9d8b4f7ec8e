import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import type { Template, UpdateTemplateBody } from "@/lib/contracts/template-records";
import { db } from "@/lib/db/pool";
import { createTemplate } from "@/lib/services/templates/create-template";
import { deleteTemplate } from "@/lib/services/templates/delete-template";
import { getTemplate } from "@/lib/services/templates/get-template";
import { listTemplateVersions } from "@/lib/services/templates/list-template-versions";
import { listTemplates, type TemplateListRequest } from "@/lib/services/templates/list-templates";
import { renderForCall } from "@/lib/services/templates/render-for-call";
import { updateTemplate } from "@/lib/services/templates/update-template";
import { acceptTurn } from "@/lib/services/turns/accept-turn";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

const ALL = { limit: 100, offset: 0 };
const NOT_FOUND = { code: "NOT_FOUND", message: "The template was not found." };

const make = (more: Partial<Template> = {}) =>
  createTemplate(account.principal, { name: "Invoice", promptTemplate: "Hello {{who}}", ...more });

const update = (id: string, changes: UpdateTemplateBody) => updateTemplate(account.principal, id, changes);

const versionsOf = async (id: string) => (await listTemplateVersions(account.principal, id, ALL)).data;

describe("updateTemplate", () => {
  it("changes the given fields alone", async () => {
    const made = await make({ variables: { who: "you" }, description: "Old", tags: ["a"] });
    const changed = await update(made.id, { description: "New" });
    expect(changed).toEqual({ ...made, description: "New", updatedAt: changed.updatedAt });
    expect(changed.updatedAt >= made.updatedAt).toBe(true);
    expect(await getTemplate(account.principal, made.id)).toEqual(changed);
  });

  it.each<[string, UpdateTemplateBody, version: number]>([
    ["another promptTemplate", { promptTemplate: "Bye {{who}}" }, 2],
    ["other variables", { variables: { who: "me" } }, 2],
    ["no more variables", { variables: {} }, 2],
    ["both", { promptTemplate: "Bye", variables: {} }, 2],
    ["the same promptTemplate", { promptTemplate: "Hello {{who}}" }, 1],
    ["the same variables", { variables: { who: "you" } }, 1],
    ["a name", { name: "Other" }, 1],
    ["a description", { description: "Other" }, 1],
    ["tags", { tags: ["b"] }, 1],
  ])("of %s", async (_what, changes, version) => {
    const made = await make({ variables: { who: "you" } });
    expect(await update(made.id, changes)).toMatchObject({ ...changes, version, slug: made.slug });
    expect(await versionsOf(made.id)).toHaveLength(version);
  });

  it("removes the description with null and keeps an empty one", async () => {
    const made = await make({ description: "Old" });
    expect(await update(made.id, { description: "" })).toMatchObject({ description: "" });
    expect(await update(made.id, { description: null })).not.toHaveProperty("description");
  });

  it("keeps the newest versions, as many as have room together, and the one that holds now", async () => {
    const made = await make();
    await db().query(
      `INSERT INTO template_versions (template_id, version, prompt_template, variables)
       SELECT $1, version, repeat('x', 1000000), '{}' FROM generate_series(2, 14) version`,
      [made.id],
    );
    await db().query("UPDATE templates SET version = 14 WHERE id = $1", [made.id]);
    await update(made.id, { name: "Other" });
    await update(made.id, { promptTemplate: "Newest" });
    const versions = (await versionsOf(made.id)).map(({ version }) => version);
    expect(versions).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
    await expect(
      renderForCall(account.principal, { templateId: made.id, templateVersion: 4, inputNames: [], isInputKept: false }),
    ).rejects.toMatchObject({ code: "NOT_FOUND", param: "templateVersion" });
  });

  it("never changes a version that was", async () => {
    const made = await make({ variables: { who: "you" } });
    await update(made.id, { promptTemplate: "Two" });
    await update(made.id, { variables: {} });
    await update(made.id, { promptTemplate: "Hello {{who}}", variables: { who: "you" } });
    const versions = await versionsOf(made.id);
    expect(versions.map(({ createdAt: _at, ...version }) => version)).toEqual([
      { version: 4, promptTemplate: "Hello {{who}}", variables: { who: "you" } },
      { version: 3, promptTemplate: "Two", variables: {} },
      { version: 2, promptTemplate: "Two", variables: { who: "you" } },
      { version: 1, promptTemplate: "Hello {{who}}", variables: { who: "you" } },
    ]);
    expect(versions.at(-1)?.createdAt).toBe(made.createdAt);
  });

  it("loses none of 30 changes at once: versions are consecutive and each change is one of them", async () => {
    const made = await make();
    const texts = Array.from({ length: 30 }, (_, index) => `Text ${index}`);
    const answers = await Promise.all(texts.map((promptTemplate) => update(made.id, { promptTemplate })));
    const byVersion = new Map(answers.map(({ version, promptTemplate }) => [version, promptTemplate]));
    expect([...byVersion.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 2));
    const versions = await versionsOf(made.id);
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 31 }, (_, index) => 31 - index));
    for (const { version, promptTemplate } of versions.slice(0, -1))
      expect(byVersion.get(version)).toBe(promptTemplate);
    const times = versions.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect(await getTemplate(account.principal, made.id)).toMatchObject({
      version: 31,
      promptTemplate: byVersion.get(31),
    });
  });

  it("loses none of two changes of different fields at once", async () => {
    const made = await make();
    await Promise.all([
      update(made.id, { promptTemplate: "New" }),
      update(made.id, { variables: { a: "b" } }),
      update(made.id, { tags: ["t"] }),
      update(made.id, { name: "Name" }),
      update(made.id, { description: "Text" }),
    ]);
    expect(await getTemplate(account.principal, made.id)).toMatchObject({
      promptTemplate: "New",
      variables: { a: "b" },
      tags: ["t"],
      name: "Name",
      description: "Text",
      version: 3,
    });
  });

  it("notes the person who changed it, and nobody for the API", async () => {
    const made = await make();
    await update(made.id, { promptTemplate: "By API" });
    await updateTemplate(account.principal, made.id, { promptTemplate: "By hand" }, "usr_person");
    const { rows } = await db().query(
      "SELECT created_by_id FROM template_versions WHERE template_id = $1 ORDER BY version",
      [made.id],
    );
    expect(rows.map((row) => row.created_by_id)).toEqual([null, null, "usr_person"]);
  });
});

describe("another project's template", () => {
  it("is not found, like a missing one, by any use case, and stays as it is", async () => {
    const made = await make();
    const { principal: stranger } = await createTestAccount();
    for (const id of [made.id, "tpl_01k8z3v5n6f0mve1q5t9d2x7ab", "nonsense"]) {
      await expect(getTemplate(stranger, id)).rejects.toMatchObject(NOT_FOUND);
      await expect(updateTemplate(stranger, id, { promptTemplate: "Mine" })).rejects.toMatchObject(NOT_FOUND);
      await expect(deleteTemplate(stranger, id)).rejects.toMatchObject(NOT_FOUND);
      await expect(listTemplateVersions(stranger, id, ALL)).rejects.toMatchObject(NOT_FOUND);
      await expect(
        renderForCall(stranger, { inputNames: ["message"], isInputKept: true, templateId: id }),
      ).rejects.toMatchObject(NOT_FOUND);
    }
    expect((await listTemplates(stranger, ALL)).data).toEqual([]);
    expect(await getTemplate(account.principal, made.id)).toEqual(made);
  });
});

describe("deleteTemplate", () => {
  it("removes the template and its versions; a second time it is not found", async () => {
    const made = await make();
    await update(made.id, { promptTemplate: "Two" });
    await deleteTemplate(account.principal, made.id);
    await expect(getTemplate(account.principal, made.id)).rejects.toMatchObject(NOT_FOUND);
    await expect(deleteTemplate(account.principal, made.id)).rejects.toMatchObject(NOT_FOUND);
    const { rows } = await db().query("SELECT count(*) AS left FROM template_versions WHERE template_id = $1", [
      made.id,
    ]);
    expect(rows[0]).toEqual({ left: 0 });
  });

  it("is done once when two arrive at once", async () => {
    const made = await make();
    const results = await Promise.allSettled([1, 2, 3].map(() => deleteTemplate(account.principal, made.id)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("leaves a turn that is being accepted at the same time whole", async () => {
    const made = await make();
    const turn = chatTurn({ template: { id: made.id, version: 1 }, input: "Hello" });
    const [accepted] = await Promise.all([
      acceptTurn(account.principal, turn),
      deleteTemplate(account.principal, made.id),
    ]);
    const { rows } = await db().query("SELECT template_id, template_version, input FROM turns WHERE id = $1", [
      accepted.turnId,
    ]);
    expect(rows).toEqual([{ template_id: made.id, template_version: 1, input: "Hello" }]);
  });
});

describe("listTemplates", () => {
  const idsOf = async (request: Partial<TemplateListRequest>) =>
    (await listTemplates(account.principal, { ...ALL, ...request })).data.map(({ name }) => name);

  it.each<[q: string, names: string[]]>([
    ["invoice", ["Invoice", "ÜBER Rechnung"]],
    ["INVOICE", ["Invoice", "ÜBER Rechnung"]],
    ["über", ["ÜBER Rechnung"]],
    ["uber-rech", ["ÜBER Rechnung"]],
    ["%", ["100% sure_thing"]],
    ["_", ["100% sure_thing"]],
    ["0% S", ["100% sure_thing"]],
    ["\\", ["back\\slash"]],
    ["'", ["Robert'); DROP TABLE templates; --"]],
    ["\\%", []],
    ["nowhere", []],
  ])("finds by q %j", async (q, names) => {
    await make();
    await make({ name: "ÜBER Rechnung", description: "An inVOICE in German" });
    for (const name of ["100% sure_thing", "back\\slash", "Robert'); DROP TABLE templates; --"]) await make({ name });
    expect((await idsOf({ q })).sort()).toEqual(names.toSorted());
  });

  it("does not look into the prompt", async () => {
    await make({ promptTemplate: "needle" });
    expect(await idsOf({ q: "needle" })).toEqual([]);
  });

  it("finds by a whole tag, and by both filters together", async () => {
    await make({ name: "A", tags: ["v1", "prod"] });
    await make({ name: "B", tags: ["v10"] });
    await make({ name: "C", tags: ["V1"] });
    expect(await idsOf({ tag: "v1" })).toEqual(["A"]);
    expect(await idsOf({ tag: "v1", q: "a" })).toEqual(["A"]);
    expect(await idsOf({ tag: "v1", q: "b" })).toEqual([]);
    expect(await idsOf({ tag: "%" })).toEqual([]);
  });

  it("pages newest first without gap or repeat, also among templates of one moment", async () => {
    for (let index = 0; index < 7; index++) await make({ name: `N${index}` });
    await db().query("UPDATE templates SET created_at = now() WHERE project_id = $1", [account.projectId]);
    const seen = [];
    for (let offset = 0; offset < 7; offset += 3) {
      const page = await listTemplates(account.principal, { limit: 3, offset });
      expect(page.pagination).toEqual({ limit: 3, offset, total: 7, hasMore: offset + 3 < 7 });
      seen.push(...page.data.map(({ name }) => name));
    }
    expect(seen).toEqual(["N6", "N5", "N4", "N3", "N2", "N1", "N0"]);
  });
});

describe("renderForCall", () => {
  it("takes names of prototypes from defaults and from the call, as names like any other", async () => {
    const variables = JSON.parse('{"__proto__":"default"}') as Record<string, string>;
    const { id } = await make({ promptTemplate: "{{__proto__}} {{constructor}}", variables });
    const render = (templateVars: Record<string, string>) =>
      renderForCall(account.principal, { inputNames: ["message"], isInputKept: true, templateId: id, templateVars });
    expect((await render({ constructor: "c" })).text).toBe("default c");
    const passed = JSON.parse('{"__proto__":"p","constructor":"c"}') as Record<string, string>;
    expect((await render(passed)).text).toBe("p c");
    await expect(render({})).rejects.toMatchObject({ code: "TEMPLATE_VARIABLE_MISSING" });
  });

  it("renders the version asked for with that version's defaults", async () => {
    const { id } = await make({ promptTemplate: "One {{who}}", variables: { who: "a" } });
    await update(id, { promptTemplate: "Two {{who}}", variables: { who: "b" } });
    const render = (templateVersion?: number) =>
      renderForCall(account.principal, { inputNames: ["prompt"], isInputKept: false, templateId: id, templateVersion });
    expect(await render(1)).toEqual({ text: "One a", template: { id, version: 1 } });
    expect(await render()).toEqual({ text: "Two b", template: { id, version: 2 } });
    await expect(render(3)).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "Version 3 of the template was not found.",
      param: "templateVersion",
    });
  });
});
