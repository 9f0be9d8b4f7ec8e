import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { prisma } from "@/lib/db/prisma";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { setPlan } from "@/lib/services/accounts/set-plan";

useServiceDatabase();

it("the audit log says of two who set an account's plan at once what each of them changed", async () => {
  const { accountId } = await createTestAccount({ planId: "growth" });
  await whileHeld(
    { statement: "SELECT FROM accounts WHERE id = $1 FOR UPDATE", id: accountId },
    () => setPlan(OPERATOR, { accountId, planId: "starter" }),
    () => setPlan(OPERATOR, { accountId, planId: "scale" }),
  );
  const lines = await prisma().auditEntry.findMany({
    where: { accountId, action: "account.set-plan" },
    orderBy: { createdAt: "asc" },
  });
  expect(lines.map(({ before, after }) => [before, after])).toMatchObject([
    [{ planId: "growth" }, { planId: "starter" }],
    [{ planId: "starter" }, { planId: "scale" }],
  ]);
});
