import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { checkEndUserAllowance, creditsLeftTo } from "@/lib/services/turns/end-user-allowance";

let account: TestAccount;
/** What the checks are asked by: the project allows ten credits. */
let caller: { projectId: string; endUserCredits: number | null };

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
  caller = { projectId: account.projectId, endUserCredits: 10 };
});

const accept = (endUserId?: string, on = account) =>
  acceptTurn(on.principal, chatTurn({ endUserId, creditsToReserve: 4 }));

async function spend(credits: number, endUserId?: string, on = account): Promise<string> {
  const { turnId, sessionId } = await accept(endUserId, on);
  await endTurn(turnId, null, completedEnd({ credits }));
  return sessionId;
}

describe("creditsLeftTo", () => {
  it("counts what the end user's turns of this month cost, and what running ones were promised", async () => {
    expect(await creditsLeftTo(caller, { endUserId: "ada" })).toBe(10);
    await spend(3, "ada");
    const { turnId } = await accept("ada");
    expect(await creditsLeftTo(caller, { endUserId: "ada" })).toBe(3);
    await endTurn(turnId, null, completedEnd({ credits: 2 }));
    expect(await creditsLeftTo(caller, { endUserId: "ada" })).toBe(5);
  });

  it("counts nobody else's, of no other project and of no other month", async () => {
    await spend(3, "bob");
    await spend(3);
    await spend(3, "ada", await addTestProject(account, "Other"));
    await spend(3, "ada", await createTestAccount());
    await spend(3, "ada");
    const lastMonth = "month = month - interval '1 month'";
    await db().query(`UPDATE usage_months SET ${lastMonth} WHERE project_id = $1 AND end_user_id = 'ada'`, [
      account.projectId,
    ]);
    expect(await creditsLeftTo(caller, { endUserId: "ada" })).toBe(10);
  });

  it("is the session's end user whom a turn is for that names none", async () => {
    const sessionId = await spend(3, "ada");
    expect(await creditsLeftTo(caller, { sessionId })).toBe(7);
    const { projectId } = await createTestAccount();
    expect(await creditsLeftTo({ ...caller, projectId }, { sessionId })).toBeNull();
  });

  it("limits nobody where the project sets nothing, and no turn of nobody's", async () => {
    await spend(30, "ada");
    const own = await spend(30);
    expect(await creditsLeftTo({ ...caller, endUserCredits: null }, { endUserId: "ada" })).toBeNull();
    expect(await creditsLeftTo(caller, {})).toBeNull();
    expect(await creditsLeftTo(caller, { sessionId: own })).toBeNull();
  });
});

describe("checkEndUserAllowance", () => {
  it("lets pass while something is left, and refuses from then on", async () => {
    await spend(9, "ada");
    await expect(checkEndUserAllowance(caller, { endUserId: "ada" })).resolves.toBeUndefined();
    await spend(1, "ada");
    await expect(checkEndUserAllowance(caller, { endUserId: "ada" })).rejects.toMatchObject({
      code: "END_USER_LIMIT_REACHED",
      message: expect.stringMatching(/10 credits of this month are used up.*Settings, Project/),
    });
    await expect(checkEndUserAllowance(caller, { endUserId: "bob" })).resolves.toBeUndefined();
  });
});
