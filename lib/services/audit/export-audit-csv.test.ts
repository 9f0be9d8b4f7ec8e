import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf } from "@/e2e/support/test-account";
import { inTransaction } from "@/lib/db/pool";
import { type Actor, OPERATOR, writeAudit } from "@/lib/services/accounts/record-audit";
import { exportAuditCsv } from "@/lib/services/audit/export-audit-csv";

useServiceDatabase();

async function read(...args: Parameters<typeof exportAuditCsv>): Promise<string[]> {
  let text = "";
  for await (const piece of exportAuditCsv(...args)) text += piece;
  return text.trimEnd().split("\r\n");
}

it("the file of the audit log has each line that the filters let through once, newest first, beyond one batch", async () => {
  const account = await createTestAccount();
  const owner = await ownerOf(account);
  const write = (action: string, subject: string, actor: Actor = owner) =>
    inTransaction((tx) => writeAudit(tx, actor, { accountId: account.accountId, action, subject, after: { a: 2 } }));
  await inTransaction(async (tx) => {
    for (let number = 0; number < 1_100; number++) {
      await writeAudit(tx, owner, { accountId: account.accountId, action: "key.revoke", subject: `key_${number}` });
    }
  });
  await write("template.delete", "=cmd()");
  await write("account.set-plan", "x", OPERATOR);
  const [head, ...lines] = await read(account, { action: "key.revoke" });
  expect(head).toBe("createdAt,id,action,subject,actor,actorId,actorEmail,ip,reason,before,after");
  expect(lines).toHaveLength(1_100);
  expect(new Set(lines.map((line) => line.split(",")[3])).size).toBe(1_100);
  const order = lines.map((line) => line.split(",").slice(0, 2).join(" "));
  expect(order).toEqual(order.toSorted().reverse());
  const [, ofTemplate] = await read(account, { action: "template" });
  expect(ofTemplate).toContain(`,template.delete,'=cmd(),owner,${owner.userId},`);
  expect(ofTemplate).toContain(`203.0.113.7,,,"{""a"":2}"`);
  // Which of the operator's people it was is not told.
  const [, ofOperator] = await read(account, { action: "account.set-plan" });
  expect(ofOperator).toContain(",account.set-plan,x,operator,,,,,");
  expect(await read(await createTestAccount(), { action: "key.revoke" })).toHaveLength(1);
});
