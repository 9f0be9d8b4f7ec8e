import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { newTemplate } from "@/e2e/api/support/account-states";
import { expectCommonHeaders } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import { newCaller, suite } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";

const PATH = "/b2b/send";

interface Sent {
  sessionId: string;
  status: string;
  fileUrl?: string;
  callbackUrl?: string | null;
}

test.describe("POST /b2b/send 202 without a file", () => {
  test("answers as /chat, from JSON and from a form", async () => {
    const { api } = await newCaller();
    const expected = { sessionId: expect.stringMatching(/^ses_/), status: "started", callbackUrl: null };
    const answers = [
      await api.post<Sent>(PATH, { message: "Hi [[answer:Hello]]" }),
      await api.post<Sent>(PATH, { prompt: "Hi [[answer:Hello]]", message: "Hi [[answer:Hello]]" }),
      await api.upload<Sent>(PATH, { prompt: "Hi [[answer:Hello]]" }),
    ];
    for (const { status, headers, body } of answers) {
      expect(status, JSON.stringify(body)).toBe(202);
      expectCommonHeaders(headers);
      expect(body).toEqual(expected);
      const session = await api.waitUntilDone(`/chat/${body.sessionId}`);
      expect(session).toMatchObject({ kind: "chat", status: "completed", lastOutput: "Hello" });
      expect((await api.get(`/process/${body.sessionId}`)).status).toBe(404);
    }
  });

  test("continues a chat and a processing under the same id", async () => {
    const { api } = await newCaller();
    const chat = (await api.post<Sent>("/chat", { message: "One" })).body;
    const process = await startProcessing(api, textFile());
    for (const { sessionId } of [chat, process]) {
      await api.waitUntilDone(`/chat/${sessionId}`);
      const { status, body } = await api.post<Sent>(PATH, { message: "Two [[answer:Second]]", sessionId });
      expect(status).toBe(202);
      expect(body).toEqual({ sessionId, status: "resumed", callbackUrl: null });
      expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ lastOutput: "Second" });
    }
  });

  test("takes a template of which {{prompt}} and {{message}} are the text, and appends a text that has no place", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const both = await newTemplate(account, `${marker} {{prompt}} = {{message}}`);
    const neither = await newTemplate(account, `${marker} fixed`);
    for (const [templateId, text] of [
      [both, `${marker} word = word`],
      [neither, `${marker} fixed\n\nword`],
    ]) {
      const { body } = await api.post<Sent>(PATH, { templateId, message: "word" });
      await api.waitUntilDone(`/chat/${body.sessionId}`);
      expect((await modelRequestsWith(marker)).at(-1)?.lastUserText).toBe(text);
    }
  });

  test("takes numbers in JSON and as text of a form", async () => {
    const { api } = await newCaller();
    const message = "Long [[size:40000]]";
    for (const { body } of [
      await api.post<Sent>(PATH, { message, maxCredits: 1 }),
      await api.upload<Sent>(PATH, { message, maxCredits: "1" }),
    ]) {
      const session = await api.waitUntilDone(`/chat/${body.sessionId}`);
      expect(session).toMatchObject({ status: "failed", error: { code: "MAX_CREDITS_REACHED" }, creditsUsed: 0 });
    }
  });

  test("names the callbackUrl it will use", async () => {
    const { api } = await newCaller();
    const callbackUrl = "https://client.example/hook";
    expect((await api.post<Sent>(PATH, { message: "Hi", callbackUrl })).body.callbackUrl).toBe(callbackUrl);
  });
});

test.describe("POST /b2b/send 202 with a file", () => {
  test("answers as /process", async () => {
    const { account, api } = await newCaller();
    const fields = { file: textFile(), prompt: "What? [[answer:A note]]", endUserId: "ada" };
    const { status, body } = await api.upload<Sent>(PATH, fields);
    expect(status, JSON.stringify(body)).toBe(202);
    expect(body).toEqual({
      sessionId: expect.stringMatching(/^ses_/),
      status: "started",
      fileUrl: expect.stringMatching(new RegExp(`^${suite.url}/files/[0-9a-f]{40}$`)),
    });
    const record = await api.waitUntilDone(`/process/${body.sessionId}`);
    expect(record).toMatchObject({ status: "completed", output: "A note", prompt: fields.prompt, endUserId: "ada" });
    const days = await prisma().usageDay.findMany({ where: { projectId: account.projectId } });
    expect(days).toMatchObject([{ endpoint: "POST /b2b/send", requests: 1 }]);
  });

  test("replaces the text by a template, in which it is {{message}} and {{prompt}}", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const placed = await newTemplate(account, `${marker} {{message}}`);
    const fixed = await newTemplate(account, `${marker} fixed`);
    for (const [templateId, ending] of [
      [placed, `${marker} word`],
      [fixed, `${marker} fixed`],
    ] as const) {
      const { body } = await api.upload<Sent>(PATH, { file: textFile(), templateId, prompt: "word" });
      await api.waitUntilDone(`/process/${body.sessionId}`);
      expect((await modelRequestsWith(marker)).at(-1)?.lastUserText.endsWith(ending)).toBe(true);
    }
  });

  test("makes the file part of an existing session, whose kind stays", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const { sessionId } = (await api.post<Sent>("/chat", { message: "Hello", endUserId: "ada" })).body;
    await api.waitUntilDone(`/chat/${sessionId}`);
    const { status, body } = await api.upload<Sent>(PATH, {
      file: textFile(`The code word is ${marker}.`),
      message: `Read this ${marker} [[answer:Read]]`,
      sessionId,
    });
    expect(status, JSON.stringify(body)).toBe(202);
    expect(body).toEqual({ sessionId, status: "resumed", fileUrl: expect.stringMatching(/\/files\//) });
    expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ kind: "chat", lastOutput: "Read" });
    await api.post(PATH, { prompt: `What was it? ${marker} [[answer:That]]`, sessionId });
    expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ lastOutput: "That" });
    const [first, second] = await modelRequestsWith(marker);
    expect(first?.lastUserText).toContain(`The code word is ${marker}.`);
    expect(JSON.stringify(second?.messages.slice(0, -1)), "in the history").toContain(`The code word is ${marker}.`);
    const files = await prisma().storedFile.findMany({ where: { sessionId } });
    expect(files).toMatchObject([{ projectId: account.projectId, endUserId: "ada" }]);
    expect((await api.get(`/process/${sessionId}`)).status).toBe(404);
  });

  test("adds a second file to a processing, which keeps its first as its own", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const { sessionId, fileUrl } = await startProcessing(api, textFile(`First ${marker}.`, "first.txt"));
    await api.waitUntilDone(`/process/${sessionId}`);
    const added = await api.upload<Sent>(PATH, {
      file: textFile(`Second ${marker}.`),
      prompt: `Compare ${marker}`,
      sessionId,
    });
    expect(added.body.fileUrl).not.toBe(fileUrl);
    expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ fileUrl, fileName: "first.txt" });
    const asked = JSON.stringify((await modelRequestsWith(`Compare ${marker}`))[0]?.messages);
    expect(asked).toContain(`First ${marker}.`);
    expect(asked).toContain(`Second ${marker}.`);
  });
});
