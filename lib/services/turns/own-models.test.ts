import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { setOwnModels } from "@/lib/domain/model-catalog";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({ OPENAI_BASE_URL: model.baseUrl, MODEL_RETRY_DELAYS_SECONDS: "1" }));

afterEach(() => {
  setOwnModels({});
  model.setBehaviour({});
});

afterAll(async () => {
  await turnStops().close();
  await model.stop();
});

async function newProjectWith(modelName: string): Promise<TestAccount> {
  const account = await createTestAccount();
  await db().query("UPDATE projects SET model = $2 WHERE id = $1", [account.projectId, modelName]);
  return account;
}

async function answer(account: TestAccount, input: string, maxCredits?: number) {
  const { turnId } = await acceptTurn(account.principal, chatTurn({ input, creditsToReserve: 5, maxCredits }));
  await answerTurn(turnId, 0);
  const { rows } = await db().query<{
    status: string;
    error_code: string | null;
    error_message: string | null;
    credits_used: number;
  }>("SELECT status, error_code, error_message, credits_used FROM turns WHERE id = $1", [turnId]);
  return rows[0];
}

describe("a project with a model that is in no list", () => {
  it("is answered by that model, in words that any compatible server knows", async () => {
    const account = await newProjectWith("llama3.2:3b");
    expect(await answer(account, "Hello [[answer:Hi]]", 4)).toMatchObject({ status: "completed", credits_used: 1 });
    const asked = model.journal.at(-1);
    expect(asked?.model).toBe("llama3.2:3b");
    expect(asked?.body).toHaveProperty("max_tokens");
    expect(asked?.body).not.toHaveProperty("max_completion_tokens");
  });

  it("is charged by the operator's own prices", async () => {
    setOwnModels({ "llama3.2:3b": { creditsPerThousandTokensIn: 0, creditsPerThousandTokensOut: 1_000 } });
    const account = await newProjectWith("llama3.2:3b");
    const turn = await answer(account, "Hello [[answer:Hi there]]");
    const tokensOut = await db().query<{ tokens_out: number }>("SELECT tokens_out FROM turns WHERE account_id = $1", [
      account.accountId,
    ]);
    expect(turn?.credits_used).toBe(tokensOut.rows[0]?.tokens_out);
    expect(turn?.credits_used).toBeGreaterThan(1);
  });

  it.each([
    [{ kind: "status", status: 404, code: "model_not_found" }, /does not know this model/],
    [{ kind: "status", status: 404, message: 'model "x" not found, try pulling it first' }, /does not know this model/],
    [{ kind: "status", status: 405, message: "Method Not Allowed" }, /the address/],
  ] as const)("fails at once, without a charge, where the server has none: %j", async (fault, message) => {
    model.setBehaviour({ fault });
    const account = await newProjectWith("gone");
    const asked = model.journal.length;
    expect(await answer(account, "Hello")).toMatchObject({
      status: "failed",
      error_code: "MODEL_NOT_CONFIGURED",
      error_message: expect.stringMatching(message),
      credits_used: 0,
    });
    expect(model.journal.length).toBe(asked + 1);
  });
});
