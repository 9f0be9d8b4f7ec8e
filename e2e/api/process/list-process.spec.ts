import { expect, test } from "playwright/test";
import { newTemplate } from "@/e2e/api/support/account-states";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import { startProcessing, textFile } from "@/e2e/api/support/start-processing";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import { SESSION_STATUSES } from "@/lib/domain/session-status";

interface List {
  data: { sessionId: string; status: string }[];
  pagination: { limit: number; offset: number; total: number; hasMore: boolean };
}

const idsOf = ({ data }: List) => data.map(({ sessionId }) => sessionId);

async function list(api: ApiClient, query = ""): Promise<List> {
  const { status, body } = await api.get<List>(`/process${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

test.describe("GET /process 200", () => {
  test("is an empty page before the first processing; chats are not among them", async () => {
    const { api } = await newCaller();
    await api.post("/chat", { message: "Hello" });
    const { status, headers, body } = await api.get("/process");
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(body).toEqual({ data: [], pagination: { limit: 20, offset: 0, total: 0, hasMore: false } });
  });

  test("holds the records without output, newest first, page by page", async () => {
    const { api } = await newCaller();
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift((await startProcessing(api, textFile())).sessionId);
    for (const id of ids) await api.waitUntilDone(`/process/${id}`);
    const all = await list(api);
    expect(idsOf(all)).toEqual(ids);
    const { output, ...record } = (await api.get(`/process/${ids[0]}`)).body;
    expect({ output, context: record.context }).toEqual({ output: expect.any(String), context: expect.any(Object) });
    expect(all.data[0]).toEqual(record);
    const first = await list(api, "?limit=3");
    const second = await list(api, "?limit=3&offset=3");
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(first.pagination).toEqual({ limit: 3, offset: 0, total: 5, hasMore: true });
    expect(second.pagination).toEqual({ limit: 3, offset: 3, total: 5, hasMore: false });
  });

  test("filters by status, end user and template, combined with AND", async () => {
    const { account, api } = await newCaller();
    const templateId = await newTemplate(account, "Sum up");
    const plain = (await startProcessing(api, textFile())).sessionId;
    const ofA = (await startProcessing(api, textFile(), { prompt: "x", endUserId: "user-a" })).sessionId;
    const templated = (await startProcessing(api, textFile(), { templateId })).sessionId;
    const both = (await startProcessing(api, textFile(), { templateId, endUserId: "user-a" })).sessionId;
    const failed = (await startProcessing(api, textFile(), { prompt: "[[fail:400]]", endUserId: "user-a" })).sessionId;
    for (const id of [plain, ofA, templated, both, failed]) await api.waitUntilDone(`/process/${id}`);
    expect(idsOf(await list(api, "?endUserId=user-a"))).toEqual([failed, both, ofA]);
    expect(idsOf(await list(api, `?templateId=${templateId}`))).toEqual([both, templated]);
    expect(idsOf(await list(api, "?status=failed"))).toEqual([failed]);
    expect(idsOf(await list(api, "?status=completed"))).toEqual([both, templated, ofA, plain]);
    expect(idsOf(await list(api, `?status=completed&endUserId=user-a&templateId=${templateId}`))).toEqual([both]);
    expect(idsOf(await list(api, "?status=failed&endUserId=user-b"))).toEqual([]);
    expect(idsOf(await list(api, "?templateId=tpl_01k8z3v5n6f0mve1q5t9d2x7ab"))).toEqual([]);
  });

  test("takes each of the six statuses", async () => {
    const { api } = await newCaller();
    for (const status of SESSION_STATUSES) expect(idsOf(await list(api, `?status=${status}`))).toEqual([]);
  });

  test("never shows another account's processings, not by their template either", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    const templateId = await newTemplate(other.account, "Sum up");
    await startProcessing(other.api, textFile(), { templateId, endUserId: "user-a" });
    for (const query of ["", "?endUserId=user-a", `?templateId=${templateId}`]) {
      expect((await list(mine.api, query)).pagination.total).toBe(0);
    }
  });
});

test.describe("GET /process 400", () => {
  let api: ApiClient;
  test.beforeAll(async () => {
    ({ api } = await newCaller());
  });

  for (const [query, param] of [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=abc", "limit"],
    ["offset=-1", "offset"],
    ["offset=1.5", "offset"],
    ["status=running", "status"],
    ["endUserId=a b", "endUserId"],
    ["templateId=", "templateId"],
    ["templateId=a%00", "templateId"],
  ] as const) {
    test(`names the parameter: ?${query}`, async () => {
      expectError(await api.get(`/process?${query}`), "VALIDATION_FAILED", { param, message: param });
    });
  }

  test("lists the known statuses when one is unknown", async () => {
    const { body } = await api.get<{ error: { message: string } }>("/process?status=running");
    for (const status of SESSION_STATUSES) expect(body.error.message).toContain(status);
  });
});
