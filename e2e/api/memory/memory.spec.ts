import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import type { ApiClient } from "@/e2e/support/api-client";
import { newCaller } from "@/e2e/support/suite";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { forgetMemory } from "@/lib/services/memory/forget-memory";
import { getMemory } from "@/lib/services/memory/get-memory";
import { listMemoryVersions } from "@/lib/services/memory/list-memory-versions";

async function newRememberingCaller(apiMemoryPerUser = true) {
  const caller = await newCaller();
  await prisma().project.update({ where: { id: caller.account.projectId }, data: { apiMemoryPerUser } });
  return caller;
}

/** Says something in a new session and waits for the answer. */
async function say(api: ApiClient, message: string, endUserId?: string) {
  const { body } = await api.post<{ sessionId: string }>("/chat", { message, ...(endUserId && { endUserId }) });
  const record = await api.waitUntilDone<{ context: ContextReceipt }>(`/chat/${body.sessionId}`);
  return { sessionId: body.sessionId, context: record.context };
}

/** The system message under which something new is said. */
async function systemOfNewSession(api: ApiClient, endUserId?: string): Promise<string> {
  const marker = randomUUID();
  await say(api, marker, endUserId);
  // The update of the memory quotes the conversation: the first request is the call itself.
  return JSON.stringify((await modelRequestsWith(marker))[0]?.messages[0]);
}

test.describe("memory of end users", () => {
  test("a fact said in one session is in the prompt of the next, for that end user of that project alone", async () => {
    const [mine, theirs] = await Promise.all([newRememberingCaller(), newRememberingCaller()]);
    const fact = `Drinks tea ${randomUUID()}`;
    const { sessionId } = await say(mine.api, `I drink tea [[answer:- ${fact}]]`, "ada");
    await expect.poll(async () => (await getMemory(mine.account, "ada"))?.content).toBe(`- ${fact}`);
    const { data } = await listMemoryVersions(mine.account, "ada", { limit: 20, offset: 0 });
    expect(data).toMatchObject([{ version: 1, sessionId, turnId: expect.any(String) }]);

    expect(await systemOfNewSession(mine.api, "ada")).toContain(
      `<memory name=\\"users/ada.md\\" kind=\\"md\\">\\n- ${fact}`,
    );
    expect(await systemOfNewSession(mine.api, "bob")).not.toContain(fact);
    expect(await systemOfNewSession(mine.api)).not.toContain(fact);
    expect(await systemOfNewSession(theirs.api, "ada")).not.toContain(fact);
    const { context } = await say(mine.api, "What do I drink?", "ada");
    expect(context.memory).toEqual({ version: expect.any(Number), tokens: context.tokens.memory });
  });

  test("a quote counts the memory of the session's end user, whether the call names that one or not", async () => {
    const { account, api } = await newRememberingCaller();
    const { sessionId } = await say(api, "I drink tea [[answer:- Drinks tea]]", "ada");
    await expect.poll(async () => (await getMemory(account, "ada"))?.version).toBe(1);
    const quote = async (more: object) => (await api.post("/chat?dryRun=true", { message: "Hi", ...more })).body;
    expect(await quote({ sessionId })).toEqual(await quote({ sessionId, endUserId: "ada" }));
  });

  test("costs the client nothing and shows in no record of the call", async () => {
    const { account, api } = await newRememberingCaller();
    const { sessionId } = await say(api, "I drink tea [[answer:- Drinks tea]]", "ada");
    const before = (await api.get(`/chat/${sessionId}`)).body;
    await expect.poll(async () => (await getMemory(account, "ada"))?.version).toBe(1);
    expect((await api.get(`/chat/${sessionId}`)).body).toEqual(before);
    const { credits, plan } = (await api.get<{ credits: object; plan: object }>("/account")).body;
    expect(credits).toMatchObject({ reserved: 0, usedThisPeriod: 1 });
    expect(plan).toMatchObject({ tokensUsed: before.tokensUsed });
  });

  test("many turns of one end user at once are remembered one after another", async () => {
    const { account, api } = await newRememberingCaller();
    const facts = ["tea", "rain", "snow", "sun"];
    await Promise.all(facts.map((fact) => say(api, `[[answer:- Likes ${fact}]]`, "ada")));
    const versions = async () => (await listMemoryVersions(account, "ada", { limit: 20, offset: 0 })).data;
    await expect.poll(async () => (await versions()).length, { timeout: 30_000 }).toBe(facts.length);
    const all = await versions();
    expect(all.map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    expect(new Set(all.map(({ content }) => content))).toEqual(new Set(facts.map((fact) => `- Likes ${fact}`)));
  });

  test("off, nothing is read or written", async () => {
    const { account, api } = await newRememberingCaller();
    await say(api, "[[answer:- Likes tea]]", "ada");
    await expect.poll(async () => (await getMemory(account, "ada"))?.version).toBe(1);
    await prisma().project.update({ where: { id: account.projectId }, data: { apiMemoryPerUser: false } });
    const marker = randomUUID();
    const { context } = await say(api, `${marker} [[answer:- Likes rain]]`, "ada");
    expect(context).not.toHaveProperty("memory");
    const asked = await modelRequestsWith(marker);
    expect(JSON.stringify(asked[0]?.messages)).not.toContain("Likes tea");
    const due = await prisma().outboxEvent.count({
      where: { name: "memory/due", data: { path: ["endUser"], string_starts_with: account.projectId } },
    });
    expect(due).toBe(0);
    expect(await getMemory(account, "ada")).toMatchObject({ content: "- Likes tea", version: 1 });
  });

  test("without an end user nothing is kept", async () => {
    const { account, api } = await newRememberingCaller();
    await say(api, "[[answer:- Likes tea]]");
    // A later turn's update shows that the earlier one would have come.
    await say(api, "[[answer:- Likes rain]]", "ada");
    await expect.poll(async () => (await getMemory(account, "ada"))?.version).toBe(1);
    expect(await prisma().memoryProfile.count({ where: { projectId: account.projectId } })).toBe(1);
  });

  test("what is forgotten is in no later prompt", async () => {
    const { account, api } = await newRememberingCaller();
    await say(api, "[[answer:- Likes tea]]", "ada");
    await expect.poll(async () => (await getMemory(account, "ada"))?.version).toBe(1);
    await forgetMemory(OPERATOR, account, "ada");
    expect(await systemOfNewSession(api, "ada")).not.toContain("Likes tea");
  });
});
