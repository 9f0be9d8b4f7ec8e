import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { call, createTemplate, MISSING_TEMPLATE } from "@/e2e/api/templates/template-calls";
import { newCaller } from "@/e2e/support/suite";

const remove = (api: Parameters<typeof call>[0], id: string) => call(api, "DELETE", `/templates/${id}`);

test.describe("DELETE /templates/:id 204", () => {
  test("has no body, and the template is gone everywhere", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    const { status, headers, body } = await remove(api, id);
    expect({ status, body }).toEqual({ status: 204, body: null });
    expectCommonHeaders(headers);
    expect(headers.get("content-type")).toBeNull();
    expectError(await api.get(`/templates/${id}`), "NOT_FOUND");
    expectError(await api.get(`/templates/${id}/versions`), "NOT_FOUND");
    expectError(await call(api, "PUT", `/templates/${id}`, { name: "A" }), "NOT_FOUND");
    expectError(await remove(api, id), "NOT_FOUND");
    expect((await api.get("/templates")).body).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  test("leaves sessions that used it their history; using it afterwards is a 404", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api, { promptTemplate: "Say hi [[answer:Hi]]" });
    const { sessionId } = (await api.post<{ sessionId: string }>("/chat", { templateId: id })).body;
    const before = await api.waitUntilDone(`/chat/${sessionId}`);
    expect(before).toMatchObject({ templateId: id, lastOutput: "Hi" });
    await remove(api, id);
    expect((await api.get(`/chat/${sessionId}`)).body).toEqual(before);
    expectError(await api.post("/chat", { templateId: id }), "NOT_FOUND", { message: "The template was not found." });
    expectError(await api.post("/chat", { templateId: id, templateVersion: 1, sessionId }), "NOT_FOUND");
    const file = new File(["Text"], "a.txt");
    expectError(await api.upload("/process", { file, templateId: id }), "NOT_FOUND");
    expect((await api.post("/chat", { message: "Go on", sessionId })).status).toBe(202);
  });

  test("does not stop a turn that waits or runs", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api, { promptTemplate: "Wait [[first:400ms]] [[answer:Done]]" });
    const { sessionId } = (await api.post<{ sessionId: string }>("/chat", { templateId: id })).body;
    await api.post("/chat", { templateId: id, sessionId });
    expect((await remove(api, id)).status).toBe(204);
    expect(await api.waitUntilDone(`/chat/${sessionId}`)).toMatchObject({ status: "completed", lastOutput: "Done" });
  });

  test("is given once when several arrive at once", async () => {
    const { api } = await newCaller();
    const { id } = await createTemplate(api);
    const answers = await Promise.all([1, 2, 3, 4].map(() => remove(api, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
  });
});

test.describe("DELETE /templates/:id 404", () => {
  test("is the same for missing, foreign and malformed ids, and removes nothing", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const foreign = await createTemplate(other.api);
    const answers = await Promise.all([MISSING_TEMPLATE, foreign.id, "x"].map((id) => remove(mine.api, id)));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND", { message: "The template was not found." });
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer));
    }
    expect((await other.api.get(`/templates/${foreign.id}`)).body).toEqual(foreign);
  });
});
