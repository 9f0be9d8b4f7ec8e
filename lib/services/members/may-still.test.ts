import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { newTestOwner, sessionOf } from "@/e2e/support/test-people";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { Role } from "@/lib/domain/panel-actions";
import { mayStill } from "@/lib/services/members/may-still";

useServiceDatabase();

/** Somebody of two accounts, signed in: the owner of one, and what the role says in the other. */
async function newMember(role: Role) {
  const person = await newTestOwner();
  const { accountId } = await createTestAccount();
  await prisma().member.create({ data: { accountId, userId: person.userId, role } });
  const { sessionId } = await sessionOf(person);
  const ask = (action: Parameters<typeof mayStill>[1] = "keys.create") => mayStill({ sessionId, accountId }, action);
  return { ...person, accountId, sessionId, ask };
}

it("goes by the role in that very account, whatever somebody is in another", async () => {
  const [admin, member] = [await newMember("admin"), await newMember("member")];
  expect([await admin.ask(), await admin.ask("account.erase")]).toEqual([true, false]);
  expect(await member.ask()).toBe(false);
  await prisma().member.deleteMany({ where: { accountId: admin.accountId, userId: admin.userId } });
  expect(await admin.ask()).toBe(false);
});

it.each([
  ["the session was ended", "UPDATE user_sessions SET revoked_at = now() WHERE user_id = $1"],
  ["the session is over", "UPDATE user_sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1"],
  ["the person was shut out", "UPDATE users SET disabled_at = now() WHERE id = $1"],
])("is over once %s", async (_, statement) => {
  const { userId, ask } = await newMember("admin");
  expect(await ask()).toBe(true);
  await db().query(statement, [userId]);
  expect(await ask()).toBe(false);
});
