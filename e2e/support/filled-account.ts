import { expect } from "playwright/test";
import { writeAccountRecords } from "@/e2e/support/account-records";
import { apiClient } from "@/e2e/support/api-client";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { type PanelAccount, panelAccount } from "@/e2e/support/panel-browser";
import { suite } from "@/e2e/support/suite";
import type { TestAccount } from "@/e2e/support/test-account";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { editMemory } from "@/lib/services/memory/edit-memory";

/** An account that has something of every kind, all of it bearing the same text. */
export interface FilledAccount extends PanelAccount, FilledProject {}

/** What a project was filled with. */
export interface FilledProject {
  /** The session's last answer comes from the model and has the text too. */
  sessionId: string;
  /** By the page's path: what stands for its parameters. */
  idsByPath: Record<string, Record<string, string>>;
}

const END_USER = "ann@example.test";

/**
 * Makes an account with the text wherever a client, a person, a receiver or the AI can write: names, files, messages,
 * answers, templates, knowledge, memory, receivers' answers, company data, alerts, the audit log.
 */
export async function filledAccount(text: string): Promise<FilledAccount> {
  const account = await panelAccount();
  const { accountId } = account;
  const { sessionId, idsByPath } = await fillProject(account, text);
  await writeAccountRecords(accountId, text);
  const exportId = await exportAll(accountId);
  return {
    ...account,
    sessionId,
    idsByPath: {
      ...idsByPath,
      "/panel/settings/company/exports/[id]": { id: exportId },
      "/staff/accounts/[accountId]": { accountId },
      "/staff/verifications/[accountId]": { accountId },
      "/staff/sessions/[id]": { id: sessionId },
    },
  };
}

/** The same for one project of an account, without what belongs to the account as a whole. */
export async function fillProject(account: TestAccount, text: string): Promise<FilledProject> {
  const [processId, sessionId, templateId, knowledge] = await Promise.all([
    processFile(account, text),
    chat(account, text),
    makeTemplate(account, text),
    createKnowledgeFile(account.principal, { path: ".brain/api/db/notes.md", content: `# ${text}\n\n${text}` }),
  ]);
  const { webhookId, deliveryId } = await addWebhook(account, text);
  await editMemory(OPERATOR, account.principal, { endUserId: END_USER, content: text });
  await writeProjectRecords(account, text);
  const exportId = await exportEndUser(account);
  const file = await prisma().storedFile.findFirstOrThrow({ where: { sessionId: processId } });
  return {
    sessionId,
    idsByPath: {
      "/panel/sessions/[id]": { id: sessionId },
      "/panel/sessions/[id]/stream": { id: sessionId },
      "/panel/sessions/[id]/conversation.md": { id: sessionId },
      "/panel/sessions/[id]/files/[fileId]": { id: processId, fileId: file.id },
      "/panel/templates/[id]": { id: templateId },
      "/panel/knowledge/[id]": { id: knowledge.id },
      "/panel/end-users/[id]": { id: END_USER },
      "/panel/end-users/exports/[id]": { id: exportId },
      "/panel/api-b2b/webhooks/[id]": { id: webhookId },
      "/panel/api-b2b/webhooks/deliveries/[id]": { id: deliveryId },
    },
  };
}

/** Of one end user; the server makes it. */
async function exportEndUser({ principal }: TestAccount): Promise<string> {
  const { id } = await requestExport(OPERATOR, principal, END_USER);
  await expect
    .poll(async () => (await prisma().dataRequest.findUniqueOrThrow({ where: { id } })).state, { timeout: 60_000 })
    .toBe("completed");
  return id;
}

/** Of the whole account; the server makes it. */
async function exportAll(accountId: string): Promise<string> {
  const id = await requestAccountExport(OPERATOR, accountId);
  await expect
    .poll(async () => (await prisma().accountExport.findUniqueOrThrow({ where: { id } })).state, { timeout: 60_000 })
    .toBe("completed");
  return id;
}

/** A page's address with its parameters filled in. @throws Error when nothing is known to fill them with */
export function addressOf({ idsByPath }: FilledAccount, path: string): string {
  return path.replace("[...rest]", "nowhere").replace(/\[(\w+)\]/g, (_, name: string) => {
    const id = idsByPath[path]?.[name];
    if (id === undefined) throw new Error(`Say in filled-account.ts what ${path} can show.`);
    return encodeURIComponent(id);
  });
}

async function chat({ apiKey }: TestAccount, text: string): Promise<string> {
  const api = apiClient(suite.url, apiKey);
  // Headers carry Latin letters alone.
  const agent = { "User-Agent": text.replace(/[^\x20-\x7e]/g, "") };
  const fields = { message: text, endUserId: END_USER, reference: referenceWith(text) };
  const { body } = await api.post<{ sessionId: string }>("/chat", fields, agent);
  await api.waitUntilDone(`/chat/${body.sessionId}`);
  return body.sessionId;
}

/** As long as one may be, on one line, without white space around it. */
function referenceWith(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]/gu, " ")
    .slice(0, 200)
    .trim();
}

async function processFile({ apiKey }: TestAccount, text: string): Promise<string> {
  const api = apiClient(suite.url, apiKey);
  const file = new File([text], `${text}.txt`, { type: "text/plain" });
  const { body } = await api.upload<{ sessionId: string }>("/process", { file, prompt: text });
  await api.waitUntilDone(`/process/${body.sessionId}`);
  return body.sessionId;
}

async function makeTemplate({ apiKey }: TestAccount, text: string): Promise<string> {
  const { body } = await apiClient(suite.url, apiKey).post<{ id: string }>("/templates", {
    name: text.slice(0, 200),
    promptTemplate: `${text} {{name}}`,
    variables: { name: text },
    description: text,
    tags: [text.slice(0, 40)],
  });
  const tried = { name: text.slice(0, 200), values: { name: text, [text.slice(0, 200)]: text }, message: text };
  await prisma().templateExample.create({ data: { id: newId("templateExample"), templateId: body.id, ...tried } });
  return body.id;
}

async function addWebhook({ accountId, projectId }: TestAccount, text: string) {
  const url = `https://receiver.example/${encodeURIComponent(text)}?q=${text}`;
  const place = { accountId, projectId, url };
  const webhookId = await seedRegistration({ ...place, secret: newWebhookSecret(), status: "failed" });
  const event = { ...SAMPLE_EVENTS.completion, output: text, endUserId: text };
  const { id } = await seedDelivery({ ...place, registrationId: webhookId, event, status: "failed" });
  await prisma().webhookAttempt.create({
    data: {
      deliveryId: id,
      number: 1,
      startedAt: new Date(),
      durationMs: 12,
      requestHeaders: { "X-Service-Event": text },
      responseStatus: 500,
      responseHeaders: { "x-own": text },
      responseBody: Buffer.from(text),
      error: text,
    },
  });
  return { webhookId, deliveryId: id };
}

/** What people write about a project, and what the service notes down about it. */
async function writeProjectRecords({ accountId, projectId }: TestAccount, text: string): Promise<void> {
  await prisma().project.update({ where: { id: projectId }, data: { name: text } });
  await prisma().apiKey.updateMany({ where: { projectId }, data: { name: text } });
  await prisma().alert.create({
    data: { id: newId("alert"), accountId, projectId, kind: "webhook.failed", message: text, data: { url: text } },
  });
}
