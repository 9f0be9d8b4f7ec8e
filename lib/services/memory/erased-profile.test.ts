import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { getMemory } from "@/lib/services/memory/get-memory";
import { MemoryChangedError, rememberTurn } from "@/lib/services/memory/remember-turn";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({ OPENAI_BASE_URL: model.baseUrl, MODEL_RETRY_DELAYS_SECONDS: "" }));
afterAll(() => model.stop());

it("what the AI learned onto a profile that is just being erased does not bring it back", async () => {
  const account = await createTestAccount();
  const id = account.projectId;
  await prisma().project.update({ where: { id }, data: { apiMemoryPerUser: true } });
  const { turnId } = await acceptTurn(account.principal, chatTurn({ input: "My name is Ada.", endUserId: "ada" }));
  await answerTurn(turnId, 0);
  await editMemory(OPERATOR, account, { endUserId: "ada", content: "- Of the erased", baseVersion: 0 });
  const erasing = { statement: "DELETE FROM memory_profiles WHERE project_id = $1", id };
  const [remembered] = await whileHeld(erasing, () => rememberTurn(turnId));
  expect(remembered).toMatchObject({ status: "rejected", reason: expect.any(MemoryChangedError) });
  expect(await getMemory(account, "ada")).toBeNull();
});
