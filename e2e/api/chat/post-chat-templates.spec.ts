import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { addTemplateVersion, newTemplate } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

/** Sends a call and gives back what the model was asked. */
async function askedFor(api: ApiClient, call: Record<string, unknown>, marker: string): Promise<string | undefined> {
  const { status, body } = await api.post<{ sessionId: string }>("/chat", call);
  expect(status, JSON.stringify(body)).toBe(202);
  await api.waitUntilDone(`/chat/${body.sessionId}`);
  const [asked] = await modelRequestsWith(marker);
  return asked?.lastUserText;
}

test.describe("POST /chat with a template", () => {
  test("fills placeholders from templateVars, then from the template's defaults", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(account, `${marker}: {{ topic }} in {{tone}} words, {{count}} {{topic}}`, {
      tone: "plain",
      topic: "nothing",
    });
    const call = { templateId, templateVars: { topic: "rain", count: 3, unused: true } };
    expect(await askedFor(api, call, marker)).toBe(`${marker}: rain in plain words, 3 rain`);
  });

  test("puts the message where the template wants it", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(account, `${marker} <<{{message}}>>`);
    expect(await askedFor(api, { templateId, message: "Hi" }, marker)).toBe(`${marker} <<Hi>>`);
  });

  test("lets the message follow a template that does not place it", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(account, `${marker} rules`);
    expect(await askedFor(api, { templateId, message: "Hi" }, marker)).toBe(`${marker} rules\n\nHi`);
  });

  test("never searches a value for placeholders again", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(account, `${marker} {{a}}{{b}}`);
    const templateVars = { a: "{{b}}", b: "{{a}} {{message}}" };
    expect(await askedFor(api, { templateId, templateVars }, marker)).toBe(`${marker} {{b}}{{a}} {{message}}`);
  });

  test("takes prototype names as names like any other", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(account, `${marker} {{constructor}} {{hasOwnProperty}}`);
    const templateVars = { constructor: "c", hasOwnProperty: "h" };
    expect(await askedFor(api, { templateId, templateVars }, marker)).toBe(`${marker} c h`);
  });

  test("is not confused by a value named __proto__", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "{{polluted}}");
    const body = `{"templateId":"${templateId}","templateVars":{"__proto__":{"polluted":"yes"}}}`;
    expect((await api.post("/chat", body)).status).toBe(400);
    const after = await api.post("/chat", { templateId });
    expectError(after, "TEMPLATE_VARIABLE_MISSING", { param: "templateVars.polluted" });
  });

  test("does not find prototype names that nobody passed", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "{{constructor}} {{toString}}");
    const response = await api.post("/chat", { templateId });
    expectError(response, "TEMPLATE_VARIABLE_MISSING", { param: "templateVars.constructor" });
  });

  test("uses the version asked for, else the latest", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(account, `${marker} one`);
    await addTemplateVersion(templateId, 2, `${marker} two`);
    expect(await askedFor(api, { templateId, templateVersion: 1 }, `${marker} one`)).toBe(`${marker} one`);
    expect(await askedFor(api, { templateId }, `${marker} two`)).toBe(`${marker} two`);
    expectError(await api.post("/chat", { templateId, templateVersion: 3 }), "NOT_FOUND");
  });

  test("notes the template with the session and counts its use", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "Hello");
    const { body } = await api.post<{ sessionId: string }>("/chat", { templateId });
    expect((await api.get(`/chat/${body.sessionId}`)).body.templateId).toBe(templateId);
    await api.post("/chat", { templateId });
    const template = await prisma().template.findUniqueOrThrow({ where: { id: templateId } });
    expect(template.usageCount).toBe(2);
  });
});

test.describe("POST /chat 400 TEMPLATE_VARIABLE_MISSING", () => {
  test("names each placeholder without a value, once, and accepts nothing", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "{{one}} {{two}} {{one}} {{three}}", { two: "2" });
    const response = await api.post<{ error: { details: unknown[] } }>("/chat", { templateId });
    expectError(response, "TEMPLATE_VARIABLE_MISSING", { param: "templateVars.one", message: /one, three/ });
    expect(response.body.error.details.map((detail) => (detail as { param: string }).param)).toEqual([
      "templateVars.one",
      "templateVars.three",
    ]);
    expect(await prisma().session.count({ where: { projectId: account.projectId } })).toBe(0);
  });

  test("counts {{message}} among them when no message is sent", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "Answer: {{message}}");
    expectError(await api.post("/chat", { templateId }), "TEMPLATE_VARIABLE_MISSING", { message: /message/ });
  });

  test("does not come for an empty value, which is a value", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "x{{one}}y", { one: "" });
    expect((await api.post("/chat", { templateId })).status).toBe(202);
  });
});

test.describe("POST /chat 404", () => {
  test("is the same for a template that is missing and one of another account", async () => {
    const [{ account: other }, { api }] = await Promise.all([newCaller(), newCaller()]);
    const foreign = await newTemplate(other, "Hello");
    const [a, b] = await Promise.all([
      api.post("/chat", { templateId: foreign }),
      api.post("/chat", { templateId: "tpl_01k8z3v5n6f0mve1q5t9d2x7ab" }),
    ]);
    expectError(a, "NOT_FOUND", { message: /template/ });
    expectError(b, "NOT_FOUND");
    const template = await prisma().template.findUniqueOrThrow({ where: { id: foreign } });
    expect(template.usageCount).toBe(0);
  });
});
