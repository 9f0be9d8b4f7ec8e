import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { type Allowances, NO_ALLOWANCES, type ProjectScope } from "@/lib/domain/principal";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { authenticateKey } from "@/lib/services/api-keys/authenticate-key";
import { createApiKey } from "@/lib/services/api-keys/create-api-key";
import { getApiKey } from "@/lib/services/api-keys/get-api-key";
import { limitApiKey } from "@/lib/services/api-keys/limit-api-key";
import { rotateApiKey } from "@/lib/services/api-keys/rotate-api-key";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { type AllowedCaller, checkAllowances } from "@/lib/services/turns/allowances";
import { creditsOfEndUser, creditsOfKey, creditsOfProject } from "@/lib/services/turns/credits-spent";
import { endTurn } from "@/lib/services/turns/end-turn";

let account: TestAccount;
/** The project allows each end user ten credits, and the key any number. */
let caller: AllowedCaller;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  caller = limited({ endUser: 10 });
});

const limited = (to: Partial<Allowances>, { principal } = account): AllowedCaller => ({
  ...principal,
  allowances: { ...NO_ALLOWANCES, ...to },
});

const accept = (endUserId?: string, on = account) =>
  acceptTurn(on.principal, chatTurn({ endUserId, creditsToReserve: 4 }));

async function spend(credits: number, endUserId?: string, on = account): Promise<string> {
  const { turnId, sessionId } = await accept(endUserId, on);
  await endTurn(turnId, null, completedEnd({ credits }));
  return sessionId;
}

/** A further key of the project, as its calls come. */
async function further(more: { creditsPerMonth?: number } = {}): Promise<TestAccount> {
  const { accountId, projectId, principal } = account;
  const key = { accountId, projectId, name: "Further", permissions: PERMISSIONS, ...more };
  const { keyId, apiKey } = await createApiKey(OPERATOR, key);
  return { ...account, apiKey, principal: { ...principal, apiKeyId: keyId } };
}

describe("creditsOfEndUser", () => {
  const ofAda = () => creditsOfEndUser(account.projectId, { endUserId: "ada" });

  it("counts what their turns of this month cost, and what running ones were promised", async () => {
    expect(await ofAda()).toBe(0);
    await spend(3, "ada");
    const { turnId } = await accept("ada");
    expect(await ofAda()).toBe(7);
    await endTurn(turnId, null, completedEnd({ credits: 2 }));
    expect(await ofAda()).toBe(5);
  });

  it("counts nobody else's, of no other project and of no other month", async () => {
    await spend(3, "bob");
    await spend(3);
    await spend(3, "ada", await addTestProject(account, "Other"));
    await spend(3, "ada", await createTestAccount());
    await accept("bob");
    await spend(3, "ada");
    const lastMonth = "month = month - interval '1 month'";
    await db().query(`UPDATE usage_months SET ${lastMonth} WHERE project_id = $1 AND end_user_id = 'ada'`, [
      account.projectId,
    ]);
    expect(await ofAda()).toBe(0);
  });

  it("is of the session's end user when a turn names none, and of nobody when that has none", async () => {
    const sessionId = await spend(3, "ada");
    const { projectId } = account;
    expect(await creditsOfEndUser(projectId, { sessionId })).toBe(3);
    expect(await creditsOfEndUser(projectId, { sessionId: await spend(3) })).toBeNull();
    const other = await createTestAccount();
    expect(await creditsOfEndUser(other.projectId, { sessionId })).toBeNull();
  });
});

describe("creditsOfKey", () => {
  const ofKey = ({ projectId, principal }: TestAccount) => creditsOfKey(projectId, principal.apiKeyId);

  it("counts what its turns of this month cost, and what running ones were promised, and no other key's", async () => {
    const other = await further();
    await spend(3);
    await spend(2, "ada");
    await spend(7, "ada", other);
    await accept();
    await accept("ada", other);
    expect(await ofKey(account)).toBe(9);
    await db().query("UPDATE usage_key_days SET day = day - interval '1 month' WHERE project_id = $1", [
      account.projectId,
    ]);
    expect(await ofKey(account)).toBe(4);
  });

  it("goes on where a key took over from others", async () => {
    const first = await further({ creditsPerMonth: 10 });
    await spend(3, undefined, first);
    let last = first;
    for (const credits of [2, 1]) {
      const input = { keyId: last.principal.apiKeyId, overlapHours: 24 };
      const { keyId } = await rotateApiKey(OPERATOR, account, input);
      last = { ...last, principal: { ...last.principal, apiKeyId: keyId } };
      await spend(credits, undefined, last);
    }
    expect(await ofKey(last)).toBe(6);
    expect(await ofKey(first)).toBe(3);
    expect((await getApiKey(account, last.principal.apiKeyId)).creditsPerMonth).toBe(10);
  });
});

describe("creditsOfProject", () => {
  it("counts what all of it cost this month, and what running turns were promised, and no other project's", async () => {
    const { projectId } = account;
    expect(await creditsOfProject(projectId)).toBe(0);
    await spend(3);
    await spend(2, "ada", await further());
    await spend(7, "ada", await addTestProject(account, "Other"));
    const { turnId } = await accept("ada");
    await accept("ada", await createTestAccount());
    expect(await creditsOfProject(projectId)).toBe(9);
    await endTurn(turnId, null, completedEnd({ credits: 2 }));
    expect(await creditsOfProject(projectId)).toBe(7);
    await db().query("UPDATE usage_totals SET day = day - interval '1 month' WHERE project_id = $1", [projectId]);
    expect(await creditsOfProject(projectId)).toBe(0);
  });
});

describe("what is asked for with a limit", () => {
  /** Of work that is nobody's and of another key, which the account promised more to than anybody here used. */
  const beside = async () => acceptTurn((await further()).principal, chatTurn({ creditsToReserve: 50 }));

  it("is told too high only where that is below the limit", async () => {
    const { projectId, principal } = account;
    await spend(3, "ada");
    await accept("ada");
    await beside();
    const asked: [(limit: number) => Promise<number | null>, number][] = [
      [(limit) => creditsOfEndUser(projectId, { endUserId: "ada" }, limit), 7],
      [(limit) => creditsOfKey(projectId, principal.apiKeyId, limit), 7],
      [(limit) => creditsOfProject(projectId, limit), 57],
    ];
    for (const [ask, exact] of asked) {
      for (const limit of [1, 7, 8, 57]) expect(await ask(limit)).toBe(exact);
      expect(await ask(58)).toBe(57);
    }
  });

  it("lets pass whom the account's other work would not", async () => {
    await beside();
    await spend(9, "ada");
    await expect(checkAllowances(caller, { endUserId: "ada" })).resolves.toBeUndefined();
    await expect(checkAllowances(limited({ key: 10 }), {})).resolves.toBeUndefined();
  });
});

describe("checkAllowances", () => {
  it("lets an end user pass while something is left, and refuses from then on, this one alone", async () => {
    await spend(9, "ada");
    await expect(checkAllowances(caller, { endUserId: "ada" })).resolves.toBeUndefined();
    await spend(1, "ada");
    await expect(checkAllowances(caller, { endUserId: "ada" })).rejects.toMatchObject({
      code: "END_USER_LIMIT_REACHED",
      message: expect.stringMatching(/The end user's 10 credits of this month are used up.*Settings, Project/),
    });
    await expect(checkAllowances(caller, { endUserId: "bob" })).resolves.toBeUndefined();
    await expect(checkAllowances(caller, {})).resolves.toBeUndefined();
  });

  it("lets a key pass while something is left, and refuses from then on, this one alone", async () => {
    const key = limited({ key: 10 });
    await spend(9);
    await expect(checkAllowances(key, {})).resolves.toBeUndefined();
    await spend(1);
    await expect(checkAllowances(key, {})).rejects.toMatchObject({
      code: "KEY_LIMIT_REACHED",
      message: expect.stringMatching(/The key's 10 credits of this month are used up.*API Keys/),
    });
    const other = await further();
    await expect(checkAllowances(limited({ key: 10 }, other), {})).resolves.toBeUndefined();
  });

  it("lets a project pass while something is left, and refuses all of it from then on, this one alone", async () => {
    const project = limited({ project: 10, key: 100, endUser: 100 });
    await spend(3);
    await spend(6, "ada", await further());
    await expect(checkAllowances(project, {})).resolves.toBeUndefined();
    await spend(1, "bob");
    await expect(checkAllowances(project, { endUserId: "eve" })).rejects.toMatchObject({
      code: "PROJECT_LIMIT_REACHED",
      message: expect.stringMatching(/The project's 10 credits of this month are used up.*Settings, Project/),
    });
    const other = await addTestProject(account, "Other");
    await expect(checkAllowances(limited({ project: 10 }, other), {})).resolves.toBeUndefined();
  });

  it("limits nobody where nothing is set", async () => {
    const sessionId = await spend(30, "ada");
    await expect(checkAllowances(account.principal, { endUserId: "ada", sessionId })).resolves.toBeUndefined();
  });
});

describe("limitApiKey", () => {
  it("holds from the next call on, and is written down once", async () => {
    const { principal, apiKey } = account;
    const limit = (creditsPerMonth: number | null, scope: ProjectScope = account) =>
      limitApiKey(OPERATOR, scope, { keyId: principal.apiKeyId, creditsPerMonth });
    await limit(25);
    await limit(25);
    expect((await authenticateKey(apiKey)).principal.allowances.key).toBe(25);
    await limit(null);
    expect((await authenticateKey(apiKey)).principal.allowances.key).toBeNull();
    await expect(limit(1, await addTestProject(account, "Other"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    const other = await createTestAccount();
    await expect(limit(1, other)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(limit(1, { ...account, accountId: other.accountId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const lines = await prisma().auditEntry.findMany({
      where: { subject: principal.apiKeyId, action: "key.limit" },
      orderBy: { id: "asc" },
    });
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      [{ creditsPerMonth: null }, { creditsPerMonth: 25 }],
      [{ creditsPerMonth: 25 }, { creditsPerMonth: null }],
    ]);
  });

  it("is written down with what stood before it, also of two at once", async () => {
    const { apiKeyId: keyId } = account.principal;
    const limit = (creditsPerMonth: number) => () => limitApiKey(OPERATOR, account, { keyId, creditsPerMonth });
    const hold = { statement: "SELECT FROM api_keys WHERE id = $1 FOR UPDATE", id: keyId };
    const both = await whileHeld<unknown[]>(hold, limit(5), limit(7));
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    const lines = await prisma().auditEntry.findMany({ where: { subject: keyId }, orderBy: { id: "asc" } });
    expect(lines.at(-1)?.before).toEqual(lines.at(-2)?.after);
  });
});
