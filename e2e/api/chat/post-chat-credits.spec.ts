import { expect, test } from "playwright/test";
import { limitEndUser, readCredits, setTokensUsed } from "@/e2e/api/support/account-states";
import { expectError } from "@/e2e/api/support/expect-error";
import { newCaller } from "@/e2e/support/suite";
import { prisma } from "@/lib/db/prisma";
import { PLANS } from "@/lib/domain/plans";

interface Started {
  sessionId: string;
}

test.describe("POST /chat 402", () => {
  test("INSUFFICIENT_CREDITS without credits; nothing is accepted", async () => {
    const { account, api } = await newCaller({ credits: 0 });
    const refused = await api.post("/chat", { message: "Hello" });
    expectError(refused, "INSUFFICIENT_CREDITS", { message: /about 1 credit and 0 are free/ });
    expect(await prisma().session.count({ where: { projectId: account.projectId } })).toBe(0);
  });

  test("INSUFFICIENT_CREDITS while open work holds what is left, and no longer when it has ended", async () => {
    const { api } = await newCaller({ credits: 2 });
    const [a, b] = await Promise.all([
      api.post<Started>("/chat", { message: "Silent [[hang]]" }),
      api.post<Started>("/chat", { message: "Slow [[hang]]" }),
    ]);
    expect([a.status, b.status]).toEqual([202, 202]);
    expectError(await api.post("/chat", { message: "Third" }), "INSUFFICIENT_CREDITS");
    expect((await api.post(`/chat/${a.body.sessionId}/cancel`, {})).status).toBe(200);
    expect((await api.post("/chat", { message: "Fourth" })).status).toBe(202);
  });

  test("TOKEN_LIMIT_REACHED when the plan's tokens of the month are used up", async () => {
    const { account, api } = await newCaller({ planId: "starter" });
    await setTokensUsed(account, PLANS.starter.tokensPerMonth);
    expectError(await api.post("/chat", { message: "Hello" }), "TOKEN_LIMIT_REACHED", { message: /token/ });
    expect(await prisma().session.count({ where: { projectId: account.projectId } })).toBe(0);
    expect(await readCredits(account)).toMatchObject({ balance: 1_000, reserved: 0 });
  });

  test("takes the call that crosses the token limit, and none after it", async () => {
    const { account, api } = await newCaller({ planId: "starter" });
    await setTokensUsed(account, PLANS.starter.tokensPerMonth - 1);
    const { status, body } = await api.post<Started>("/chat", { message: "The last" });
    expect(status).toBe(202);
    await api.waitUntilDone(`/chat/${body.sessionId}`);
    expectError(await api.post("/chat", { message: "One more" }), "TOKEN_LIMIT_REACHED");
  });

  test("is not met on a plan without a token limit", async () => {
    const { account, api } = await newCaller({ planId: "scale" });
    await setTokensUsed(account, 9_000_000_000);
    expect((await api.post("/chat", { message: "Hello" })).status).toBe(202);
  });
});

test.describe("POST /chat of an end user with an allowance", () => {
  async function limited(endUserCreditsPerMonth: number) {
    const caller = await newCaller();
    await prisma().project.update({ where: { id: caller.account.projectId }, data: { endUserCreditsPerMonth } });
    return caller;
  }

  test("END_USER_LIMIT_REACHED once it is used up, in their sessions too; others and the client go on", async () => {
    const { account, api } = await limited(1);
    const { body } = await api.post<Started>("/chat", { message: "Hello", endUserId: "ada" });
    await api.waitUntilDone(`/chat/${body.sessionId}`);
    const refused = await api.post("/chat", { message: "More", endUserId: "ada" });
    expectError(refused, "END_USER_LIMIT_REACHED", { message: /1 credit of this month/ });
    // In the client's own name: it is the end user's session still.
    expectError(await api.post("/chat", { message: "More", sessionId: body.sessionId }), "END_USER_LIMIT_REACHED");
    expect(await prisma().turn.count({ where: { projectId: account.projectId } })).toBe(1);
    expect((await api.post("/chat", { message: "Hello", endUserId: "bob" })).status).toBe(202);
    expect((await api.post("/chat", { message: "Hello" })).status).toBe(202);
    await prisma().project.update({ where: { id: account.projectId }, data: { endUserCreditsPerMonth: null } });
    expect((await api.post("/chat", { message: "More", endUserId: "ada" })).status).toBe(202);
  });

  test("END_USER_LIMIT_REACHED while running work holds it, and no longer when that has ended", async () => {
    const { api } = await limited(1);
    const { body } = await api.post<Started>("/chat", { message: "Silent [[hang]]", endUserId: "ada" });
    expectError(await api.post("/chat", { message: "More", endUserId: "ada" }), "END_USER_LIMIT_REACHED");
    expect((await api.post(`/chat/${body.sessionId}/cancel`, {})).status).toBe(200);
    expect((await api.post("/chat", { message: "More", endUserId: "ada" })).status).toBe(202);
  });

  test("says so in a quote", async () => {
    const { account, api } = await newCaller();
    await limitEndUser(account, "ada");
    const quote = (endUserId: string) => api.post("/chat?dryRun=true", { message: "Hello", endUserId });
    const warning = expect.stringMatching(/END_USER_LIMIT_REACHED/);
    expect((await quote("ada")).body).toMatchObject({ wouldExceed: "credits", warnings: [warning] });
    expect((await quote("bob")).body).toMatchObject({ wouldExceed: null, warnings: [] });
  });
});

test.describe("credits", () => {
  test("of 30 calls at once with credits for 10, exactly 10 are accepted and paid for", async () => {
    const { account, api } = await newCaller({ credits: 10 });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        api.post<Started>("/chat", { message: `Call ${index} [[first:300ms]]` }),
      ),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(10);
    for (const answer of answers) if (answer.status !== 202) expectError(answer, "INSUFFICIENT_CREDITS");
    expect(await prisma().session.count({ where: { projectId: account.projectId } })).toBe(10);
    await Promise.all(accepted.map(({ body }) => api.waitUntilDone(`/chat/${body.sessionId}`)));
    expect(await readCredits(account)).toEqual({ balance: 0, reserved: 0, ledger: 0, charges: 10 });
  });

  test("cost what the model's own token counts come to, once", async () => {
    const { account, api } = await newCaller();
    const { body } = await api.post<Started>("/chat", { message: "Long answer [[size:20000]]" });
    const session = await api.waitUntilDone(`/chat/${body.sessionId}`);
    const { tokensIn, tokensOut } = session as { tokensIn: number; tokensOut: number };
    const credits = Math.max(1, Math.ceil((tokensIn * 400 + tokensOut * 1_600) / 1_000_000));
    expect(session).toMatchObject({ creditsUsed: credits, tokensUsed: tokensIn + tokensOut });
    expect(credits).toBeGreaterThan(1);
    expect(await readCredits(account)).toEqual({
      balance: 1_000 - credits,
      reserved: 0,
      ledger: 1_000 - credits,
      charges: 1,
    });
  });

  test("are not taken for a turn that failed", async () => {
    const { account, api } = await newCaller();
    const { body } = await api.post<Started>("/chat", { message: "No [[fail:400]]" });
    const session = await api.waitUntilDone(`/chat/${body.sessionId}`);
    expect(session).toMatchObject({ status: "failed", creditsUsed: 0, tokensUsed: 0 });
    expect(await readCredits(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
  });

  test("are not taken beyond maxCredits: the turn fails instead", async () => {
    const { account, api } = await newCaller();
    const { body } = await api.post<Started>("/chat", { message: "Long [[size:40000]]", maxCredits: 1 });
    const session = await api.waitUntilDone(`/chat/${body.sessionId}`);
    expect(session).toMatchObject({ status: "failed", error: { code: "MAX_CREDITS_REACHED" }, creditsUsed: 0 });
    expect(await readCredits(account)).toMatchObject({ balance: 1_000, reserved: 0, charges: 0 });
  });
});
