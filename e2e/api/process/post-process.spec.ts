import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { newTemplate } from "@/e2e/api/support/account-states";
import { expectCommonHeaders } from "@/e2e/api/support/expect-error";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import type { ModelRequest } from "@/e2e/support/model-server-journal";
import { newCaller, suite } from "@/e2e/support/suite";

/** Starts a processing and gives back what the model was asked. */
async function askedFor(
  file: File,
  fields: Record<string, string>,
  marker: string,
  caller = newCaller(),
): Promise<ModelRequest | undefined> {
  const { api } = await caller;
  const { sessionId } = await startProcessing(api, file, fields);
  expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "completed" });
  return (await modelRequestsWith(marker))[0];
}

test.describe("POST /process 202", () => {
  test("says session, status and where the stored file is, with nothing else in the body", async () => {
    const { api } = await newCaller();
    const { status, headers, body } = await api.upload("/process", { file: textFile(), prompt: "Sum up" });
    expect(status).toBe(202);
    expectCommonHeaders(headers);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toEqual({
      sessionId: expect.stringMatching(/^ses_[0-9a-z]{26}$/),
      status: "started",
      fileUrl: expect.stringMatching(new RegExp(`^${suite.url}/files/[0-9a-f]{40}$`)),
    });
  });

  test("takes its fields in any order, the file first too", async () => {
    const { api } = await newCaller();
    const form = new FormData();
    form.append("file", textFile());
    form.append("endUserId", "user-a");
    form.append("prompt", "Sum up");
    const response = await api.fetch("/process", { method: "POST", body: form });
    expect(response.status).toBe(202);
    const { sessionId } = (await response.json()) as { sessionId: string };
    expect((await api.get(`/process/${sessionId}`)).body).toMatchObject({ endUserId: "user-a", prompt: "Sum up" });
  });

  test("reads a text in the encoding that its part of the form states", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    // Words too short to tell the encoding by: "Кофе, чай".
    const words = Buffer.from("caeef4e52c20f7e0e9", "hex");
    const type = "text/plain; charset=windows-1251";
    const file = new File([words, `\n${marker}`], "menu.txt", { type });
    const { sessionId, fileUrl } = await startProcessing(api, file);
    expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "completed", contentType: type });
    expect(JSON.stringify((await modelRequestsWith(marker))[0]?.messages)).toContain("Кофе, чай");
    expect((await fetch(fileUrl)).headers.get("content-type")).toBe(type);
  });

  test("keeps the file as part of the conversation for further questions", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const { sessionId } = await startProcessing(api, textFile(`The code word is ${marker}.`));
    await api.waitUntilDone(`/process/${sessionId}`);
    const { status, body } = await api.post("/chat", { message: `What was it? ${marker} [[answer:That]]`, sessionId });
    expect(status).toBe(202);
    expect(body).toMatchObject({ sessionId, status: "resumed" });
    await api.waitUntilDone(`/chat/${sessionId}`);
    const asked = (await modelRequestsWith(marker)).at(-1);
    expect(JSON.stringify(asked?.messages.slice(0, -1)), "the file is in the history").toContain(
      `The code word is ${marker}.`,
    );
    expect((await api.get(`/process/${sessionId}`)).body.output).toBe("That");
  });

  test("replaces the prompt by the template, in which it is {{prompt}}", async () => {
    const caller = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(caller.account, `${marker} {{language}}: {{prompt}}`, { language: "English" });
    const fields = { templateId, prompt: "Sum up", templateVars: JSON.stringify({ language: "Greek" }) };
    const asked = await askedFor(textFile(), fields, marker, Promise.resolve(caller));
    expect(asked?.lastUserText).toMatch(new RegExp(`\\n\\n${marker} Greek: Sum up$`));
  });

  test("does not append the prompt to a template that has no place for it", async () => {
    const caller = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(caller.account, `${marker} only`);
    const asked = await askedFor(textFile(), { templateId, prompt: "Sum up" }, marker, Promise.resolve(caller));
    expect(asked?.lastUserText.endsWith(`${marker} only`)).toBe(true);
  });

  test("turns numbers and booleans of templateVars into strings", async () => {
    const caller = await newCaller();
    const marker = randomUUID();
    const templateId = await newTemplate(caller.account, `${marker} {{n}} {{yes}} {{f}}`);
    const fields = { templateId, templateVars: '{"n": 3, "yes": true, "f": 0.5}' };
    const asked = await askedFor(textFile(), fields, marker, Promise.resolve(caller));
    expect(asked?.lastUserText.endsWith(`${marker} 3 true 0.5`)).toBe(true);
  });

  test("keeps instructions in other alphabets as they were sent", async () => {
    const { api } = await newCaller();
    const prompt = "  Résumé 日本語 👩‍👩‍👧‍👦\r\nline two  ";
    const { sessionId } = await startProcessing(api, textFile(), { prompt });
    expect((await api.get(`/process/${sessionId}`)).body.prompt).toBe(prompt);
  });

  test("shows the client's file name made safe, and keeps it out of the address", async () => {
    const { api } = await newCaller();
    const names = [
      ["../../etc/passwd", "passwd"],
      ["C:\\Users\\a\\report.txt", "report.txt"],
      ["отчёт 🧪.txt", "отчёт 🧪.txt"],
      ["a\u202etxt.exe", "atxt.exe"],
      [`${"n".repeat(300)}.txt`, `${"n".repeat(251)}.txt`],
    ] as const;
    for (const [sent, shown] of names) {
      const { sessionId, fileUrl } = await startProcessing(api, textFile("x", sent));
      expect((await api.get(`/process/${sessionId}`)).body.fileName).toBe(shown);
      expect(fileUrl).toMatch(/\/files\/[0-9a-f]{40}$/);
    }
  });
});
