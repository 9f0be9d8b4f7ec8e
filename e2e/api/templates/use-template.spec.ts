import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { HOSTILE_TEXTS } from "@/e2e/api/templates/hostile-texts";
import { call, createTemplate, MISSING_TEMPLATE, type TemplateRecord } from "@/e2e/api/templates/template-calls";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

interface Started {
  sessionId: string;
}

/** The two ways to use a template; each gives back what the model was asked. */
const WAYS: Record<string, (api: ApiClient, fields: Record<string, unknown>) => Promise<Started>> = {
  "POST /chat": async (api, fields) => {
    const { status, body } = await api.post<Started>("/chat", fields);
    expect(status, JSON.stringify(body)).toBe(202);
    await api.waitUntilDone(`/chat/${body.sessionId}`);
    return body;
  },
  "POST /process": async (api, fields) => {
    const texts = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const file = new File(["File text"], "a.txt");
    const { status, body } = await api.upload<Started>("/process", { ...Object.fromEntries(texts), file });
    expect(status, JSON.stringify(body)).toBe(202);
    await api.waitUntilDone(`/process/${body.sessionId}`);
    return body;
  },
};

async function askedWith(marker: string): Promise<string> {
  const asked = await modelRequestsWith(marker);
  expect(asked).toHaveLength(1);
  return asked[0]?.lastUserText ?? "";
}

const usesOf = async (api: ApiClient, id: string) =>
  (await api.get<TemplateRecord>(`/templates/${id}`)).body.usageCount;

for (const [way, use] of Object.entries(WAYS)) {
  test.describe(`${way} with a template made by the API`, () => {
    test("gives the model the prompt with every placeholder filled", async () => {
      const { api } = await newCaller();
      const marker = randomUUID();
      const { id } = await createTemplate(api, {
        promptTemplate: `${marker} {{topic}} in {{ tone }} words for {{client.name}}; {{topic}} END`,
        variables: { tone: "plain", topic: "nothing" },
      });
      const templateVars = { topic: "rain", "client.name": "ACME", unused: "x" };
      await use(api, { templateId: id, templateVars });
      expect(await askedWith(marker)).toContain(`${marker} rain in plain words for ACME; rain END`);
    });

    test("never searches a value for placeholders again, nor a default", async () => {
      const { api } = await newCaller();
      const marker = randomUUID();
      const { id } = await createTemplate(api, {
        promptTemplate: `${marker} {{a}}|{{b}}|{{c}}|{{{a}}}|END`,
        variables: { c: "{{a}} {{c}}" },
      });
      await use(api, { templateId: id, templateVars: { a: "{{b}}", b: "{{a}}{{c}}" } });
      expect(await askedWith(marker)).toContain(`${marker} {{b}}|{{a}}{{c}}|{{a}} {{c}}|{{{b}}}|END`);
    });

    test("takes every character of hostile values, and of a hostile prompt around them", async () => {
      const { api } = await newCaller();
      const marker = randomUUID();
      // What the prompt itself holds must be no placeholder.
      const around = HOSTILE_TEXTS.filter(([, text]) => !/\{\{\s*[\w.]+\s*\}\}/.test(text)).map(([, text]) => text);
      const names = HOSTILE_TEXTS.map((_, index) => `v${index}`);
      const promptTemplate = `${marker} ${around.join("|")} ${names.map((name) => `<{{${name}}}>`).join("")} END`;
      const { id } = await createTemplate(api, { promptTemplate });
      const values = HOSTILE_TEXTS.map(([, text]) => text);
      await use(api, {
        templateId: id,
        templateVars: Object.fromEntries(values.map((text, index) => [`v${index}`, text])),
      });
      const expected = `${marker} ${around.join("|")} ${values.map((text) => `<${text}>`).join("")} END`;
      expect(await askedWith(marker)).toContain(expected);
    });

    test("takes names of prototypes from the call and from the defaults, as names like any other", async () => {
      const { api } = await newCaller();
      const marker = randomUUID();
      const made = await api.post<TemplateRecord>(
        "/templates",
        `{"name":"P","promptTemplate":"${marker} {{__proto__}} {{constructor}} {{toString}} END",
          "variables":{"__proto__":"default","toString":"t"}}`,
      );
      await use(api, { templateId: made.body.id, templateVars: { constructor: "c" } });
      expect(await askedWith(marker)).toContain(`${marker} default c t END`);
    });

    test("uses the latest version, or the one asked for with its own defaults", async () => {
      const { api } = await newCaller();
      const markers = [randomUUID(), randomUUID()];
      const { id } = await createTemplate(api, { promptTemplate: `${markers[0]} {{a}} END`, variables: { a: "old" } });
      const changes = { promptTemplate: `${markers[1]} {{a}} END`, variables: { a: "new" } };
      await call(api, "PUT", `/templates/${id}`, changes);
      await use(api, { templateId: id });
      expect(await askedWith(markers[1] ?? "")).toContain(`${markers[1]} new END`);
      await use(api, { templateId: id, templateVersion: 1 });
      expect(await askedWith(markers[0] ?? "")).toContain(`${markers[0]} old END`);
    });

    test("counts accepted uses, and shows the template with the session", async () => {
      const { api } = await newCaller();
      const { id, updatedAt } = await createTemplate(api, { promptTemplate: "Hello" });
      const { sessionId } = await use(api, { templateId: id });
      await use(api, { templateId: id });
      expect(await usesOf(api, id)).toBe(2);
      expect((await api.get(`/chat/${sessionId}`)).body).toMatchObject({ templateId: id });
      const { body } = await api.get<TemplateRecord>(`/templates/${id}`);
      expect(body, "a use is no change").toMatchObject({ updatedAt, version: 1 });
    });
  });
}

test.describe("refused uses of a template", () => {
  const send: Record<string, (api: ApiClient, fields: Record<string, string>) => ReturnType<ApiClient["post"]>> = {
    "POST /chat": (api, { templateVersion, ...fields }) =>
      api.post("/chat", { ...fields, ...(templateVersion && { templateVersion: Number(templateVersion) }) }),
    "POST /process": (api, fields) => api.upload("/process", { ...fields, file: new File(["x"], "a.txt") }),
  };

  for (const [way, use] of Object.entries(send)) {
    test(`${way} 404 is the same for a template that is missing and another project's`, async () => {
      const [mine, other] = await Promise.all([newCaller(), newCaller()]);
      const foreign = await createTemplate(other.api);
      const own = await createTemplate(mine.api);
      const uses: Record<string, string>[] = [
        { templateId: MISSING_TEMPLATE },
        { templateId: foreign.id },
        { templateId: foreign.id, templateVersion: "1" },
        { templateId: foreign.id, templateVersion: "2" },
        { templateId: own.slug },
        { templateId: "'; DROP TABLE templates; --" },
      ];
      const answers = await Promise.all(uses.map((fields) => use(mine.api, fields)));
      for (const answer of answers) {
        expectError(answer, "NOT_FOUND", { message: "The template was not found." });
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
      }
      expect(await usesOf(other.api, foreign.id)).toBe(0);
      expect(await usesOf(mine.api, own.id)).toBe(0);
      expect(await prisma().session.count({ where: { projectId: mine.account.projectId } })).toBe(0);
    });

    test(`${way} 404 names the version that its template does not have`, async () => {
      const { api } = await newCaller();
      const { id } = await createTemplate(api);
      const refused = await use(api, { templateId: id, templateVersion: "2" });
      expectError(refused, "NOT_FOUND", {
        message: "Version 2 of the template was not found.",
        param: "templateVersion",
      });
      expect(await usesOf(api, id)).toBe(0);
    });

    test(`${way} counts no use that is refused for a variable or for credits`, async () => {
      const [rich, poor] = await Promise.all([newCaller(), newCaller({ credits: 0 })]);
      const [needy, plain] = await Promise.all([
        createTemplate(rich.api, { promptTemplate: "{{one}} {{two}}", variables: { two: "2" } }),
        createTemplate(poor.api),
      ]);
      const refused = await use(rich.api, { templateId: needy.id });
      expectError(refused, "TEMPLATE_VARIABLE_MISSING", { param: "templateVars.one", message: /\bone\b/ });
      expectError(await use(poor.api, { templateId: plain.id }), "INSUFFICIENT_CREDITS");
      expect(await usesOf(rich.api, needy.id)).toBe(0);
      expect(await usesOf(poor.api, plain.id)).toBe(0);
    });
  }

  test("a template that would grow above 1,000,000 characters is refused with templateVars named", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api, { promptTemplate: "{{a}}".repeat(20_000) });
    const response = await api.post("/chat", { templateId: id, templateVars: { a: "x".repeat(100_000) } });
    expectError(response, "VALIDATION_FAILED", { param: "templateVars" });
  });
});

test.describe("a template in use", () => {
  test("counts every one of 20 uses at once", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post("/chat", { templateId: id })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
    expect(await usesOf(api, id)).toBe(20);
  });

  test("is filtered by in the list of processings", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    const file = new File(["x"], "a.txt");
    const { sessionId } = (await api.upload<Started>("/process", { file, templateId: id })).body;
    await api.upload("/process", { file, prompt: "Other" });
    const { body } = await api.get<{ data: Started[] }>(`/process?templateId=${id}`);
    expect(body.data.map((item) => item.sessionId)).toEqual([sessionId]);
  });
});
