import { expect, test } from "playwright/test";
import { expectCommonHeaders, expectError } from "@/e2e/api/support/expect-error";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { SESSION_STATUSES } from "@/lib/domain/session-status";

interface Item {
  id: string;
  status: string;
  createdAt: string;
}

interface List {
  data: Item[];
  pagination: { limit: number; offset: number; total: number; hasMore: boolean };
}

async function startSessions(api: ApiClient, count: number, fields: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push((await api.post<{ sessionId: string }>("/chat", { message: `Hello ${index}`, ...fields })).body.sessionId);
  }
  return ids;
}

const idsOf = (list: List) => list.data.map(({ id }) => id);

test.describe("GET /chat/sessions 200", () => {
  test("is an empty page before the first session", async () => {
    const { api } = await newCaller();
    const { status, headers, body } = await api.get("/chat/sessions");
    expect(status).toBe(200);
    expectCommonHeaders(headers);
    expect(body).toEqual({ data: [], pagination: { limit: 20, offset: 0, total: 0, hasMore: false } });
  });

  test("holds the session records without messages, newest first", async () => {
    const { api } = await newCaller();
    const ids = await startSessions(api, 3, { endUserId: "user-a" });
    for (const id of ids) await api.waitUntilDone(`/chat/${id}`);
    const { body } = await api.get<List>("/chat/sessions");
    expect(idsOf(body)).toEqual(ids.toReversed());
    const { messages, ...record } = (await api.get(`/chat/${ids[2]}`)).body;
    expect(messages).toHaveLength(2);
    expect(record.context).toEqual(expect.any(Object));
    expect(body.data[0]).toEqual(record);
  });

  test("pages without gap or repeat, and says whether more follow", async () => {
    const { api } = await newCaller();
    const newestFirst = (await startSessions(api, 7)).toReversed();
    const seen: string[] = [];
    for (let offset = 0; offset < 7; offset += 3) {
      const { body } = await api.get<List>(`/chat/sessions?limit=3&offset=${offset}`);
      expect(body.pagination).toEqual({ limit: 3, offset, total: 7, hasMore: offset + 3 < 7 });
      seen.push(...idsOf(body));
    }
    expect(seen).toEqual(newestFirst);
    const exact = await api.get<List>("/chat/sessions?limit=7");
    expect(exact.body.pagination.hasMore).toBe(false);
    const behind = await api.get<List>("/chat/sessions?offset=100");
    expect(behind.body).toEqual({ data: [], pagination: { limit: 20, offset: 100, total: 7, hasMore: false } });
  });

  test("gives 20 when nothing is said, and up to 100", async () => {
    const { api } = await newCaller();
    const [id] = await startSessions(api, 1);
    const session = await prisma().session.findUniqueOrThrow({ where: { id } });
    const ids = Array.from(
      { length: 104 },
      (_, index) => `${session.id.slice(0, -3)}${String(index).padStart(3, "0")}`,
    );
    await prisma().session.createMany({
      data: ids.filter((copy) => copy !== id).map((copy) => ({ ...session, id: copy })),
    });
    expect((await api.get<List>("/chat/sessions")).body.data).toHaveLength(20);
    const all = await api.get<List>("/chat/sessions?limit=100");
    expect(new Set(idsOf(all.body)).size, "no repeat among items of the same millisecond").toBe(100);
    expect(all.body.pagination.hasMore).toBe(true);
  });

  test("filters by end user", async () => {
    const { api } = await newCaller();
    const [ofA] = await startSessions(api, 1, { endUserId: "user-a" });
    await startSessions(api, 1, { endUserId: "user-b" });
    await startSessions(api, 1);
    const { body } = await api.get<List>("/chat/sessions?endUserId=user-a");
    expect(idsOf(body)).toEqual([ofA]);
    expect(body.pagination.total).toBe(1);
    expect((await api.get<List>("/chat/sessions?endUserId=user-c")).body.data).toEqual([]);
  });

  test("filters by each status, and combines filters with AND", async () => {
    const { api } = await newCaller();
    const ids = await startSessions(api, SESSION_STATUSES.length, { endUserId: "user-a" });
    for (const id of ids) await api.waitUntilDone(`/chat/${id}`);
    for (const [index, status] of SESSION_STATUSES.entries()) {
      await prisma().session.update({ where: { id: ids[index] }, data: { status } });
    }
    for (const [index, status] of SESSION_STATUSES.entries()) {
      const { body } = await api.get<List>(`/chat/sessions?status=${status}`);
      expect(idsOf(body)).toEqual([ids[index]]);
      expect(body.data[0]?.status).toBe(status);
    }
    expect((await api.get<List>("/chat/sessions?status=failed&endUserId=user-a")).body.data).toHaveLength(1);
    expect((await api.get<List>("/chat/sessions?status=failed&endUserId=user-b")).body.data).toEqual([]);
  });

  test("never shows another account's sessions", async () => {
    const [mine, other] = await Promise.all([newCaller(), newCaller()]);
    await startSessions(other.api, 2, { endUserId: "user-a" });
    const [own] = await startSessions(mine.api, 1, { endUserId: "user-a" });
    expect(idsOf((await mine.api.get<List>("/chat/sessions")).body)).toEqual([own]);
    expect(idsOf((await mine.api.get<List>("/chat/sessions?endUserId=user-a")).body)).toEqual([own]);
  });
});

test.describe("GET /chat/sessions 400", () => {
  let api: ApiClient;
  test.beforeAll(async () => {
    ({ api } = await newCaller());
  });

  const CASES = [
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=ten", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e1", "limit"],
    ["limit=0x10", "limit"],
    ["limit=", "limit"],
    ["limit=%2010", "limit"],
    ["limit=999999999999999999999", "limit"],
    ["limit=5&limit=6", "limit"],
    ["offset=-1", "offset"],
    ["offset=x", "offset"],
    ["offset=2147483648", "offset"],
    ["status=", "status"],
    ["status=done", "status"],
    ["status=Completed", "status"],
    ["endUserId=", "endUserId"],
    ["endUserId=..%2F..%2Fx", "endUserId"],
    ["endUserId=a%00b", "endUserId"],
  ] as const;
  for (const [query, param] of CASES) {
    test(`names the parameter: ?${query}`, async () => {
      expectError(await api.get(`/chat/sessions?${query}`), "VALIDATION_FAILED", { param, message: param });
    });
  }

  test("lists the known statuses when one is unknown", async () => {
    const response = await api.get<{ error: { message: string } }>("/chat/sessions?status=done");
    for (const status of SESSION_STATUSES) expect(response.body.error.message).toContain(status);
  });

  test("says the bound that was crossed", async () => {
    expectError(await api.get("/chat/sessions?limit=101"), "VALIDATION_FAILED", {
      message: "limit must be at most 100.",
    });
    expectError(await api.get("/chat/sessions?limit=0"), "VALIDATION_FAILED", { message: "limit must be at least 1." });
  });
});
