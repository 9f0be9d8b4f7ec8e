import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { newTemplate } from "@/e2e/api/support/account-states";
import { newCaller } from "@/e2e/support/suite";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";

interface Started {
  sessionId: string;
}

interface Recorded {
  context: ContextReceipt;
  tokensIn: number;
}

test.describe("the context of a record", () => {
  test("names template, files, model, history and tokens of the latest turn", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "Say hello");
    const file = new File(["Name,Age\nAda,36\n"], "people.csv");
    const { sessionId } = (await api.upload<Started>("/process", { file, templateId })).body;
    const { context, tokensIn } = await api.waitUntilDone<Recorded>(`/process/${sessionId}`);
    expect(context).toMatchObject({
      model: expect.any(String),
      isTokenCountEstimated: false,
      template: { id: templateId, version: 1 },
      files: [{ name: "people.csv", kind: "csv", tokens: expect.any(Number) }],
      history: { messages: 0, leftOut: 0 },
    });
    expect(context.tokens.files).toBeGreaterThan(0);
    expect(Math.abs(context.tokens.total - tokensIn)).toBeLessThan(tokensIn / 2);
    await api.post("/chat", { message: "And now?", sessionId });
    const next = await api.waitUntilDone<Recorded>(`/chat/${sessionId}`);
    expect(next.context).toMatchObject({ files: [], history: { messages: 2, leftOut: 0 } });
    expect(next.context).not.toHaveProperty("template");
  });

  test("is there for a turn that failed at the model, and not while a turn is open", async () => {
    const { api } = await newCaller();
    const failed = (await api.post<Started>("/chat", { message: "[[fail:400]]" })).body.sessionId;
    const record = await api.waitUntilDone<Recorded>(`/chat/${failed}`);
    expect(record).toMatchObject({ status: "failed", context: { history: { messages: 0 } } });
    const open = (await api.post<Started>("/chat", { message: "[[first:800ms]]" })).body.sessionId;
    expect((await api.get(`/chat/${open}`)).body).not.toHaveProperty("context");
  });

  test("is the same in lists", async () => {
    const { api } = await newCaller();
    const endUserId = randomUUID();
    const fields = { file: new File(["x"], "a.txt"), prompt: "Read", endUserId };
    const { sessionId } = (await api.upload<Started>("/process", fields)).body;
    const { context } = await api.waitUntilDone<Recorded>(`/process/${sessionId}`);
    for (const path of ["/process", "/chat/sessions"]) {
      const { body } = await api.get<{ data: Recorded[] }>(`${path}?endUserId=${endUserId}`);
      expect(body.data.map((item) => item.context)).toEqual([context]);
    }
  });
});
