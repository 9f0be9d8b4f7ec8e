import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { addTestMember, type TestMember } from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import { prisma } from "@/lib/db/prisma";
import type { Role } from "@/lib/domain/panel-actions";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { setAlertChat } from "@/lib/services/alerts/set-alert-chat";
import { requestAccountExport } from "@/lib/services/data-rights/account-exports";
import { requestAccountErasure } from "@/lib/services/data-rights/request-account-erasure";
import { changeRole, listMembers, removeMember } from "@/lib/services/members/change-members";
import { inviteMember } from "@/lib/services/members/invitations";
import { showCallbackSecret } from "@/lib/services/projects/show-callback-secret";

useServiceDatabase();

let account: TestAccount;
let owner: Actor & { userId: string };
let member: TestMember;

beforeEach(async () => {
  account = await createTestAccount();
  owner = await ownerOf(account);
  member = await addTestMember(account, "member");
});

const teamOf = (actor: Actor, role: Role) => ({ accountId: account.accountId, role, actor });

describe("an act that gives or takes power", () => {
  it("of owners alone is not done by an owner who was made an admin a moment ago", async () => {
    const { accountId } = account;
    const lowered = await addTestMember(account, "admin");
    const { companyName } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
    for (const act of [
      () => changeRole(teamOf(lowered, "owner"), { userId: member.userId, role: "owner" }),
      () => requestAccountExport(lowered, accountId),
      () => requestAccountErasure(lowered, { accountId, confirmation: companyName }),
    ]) {
      const refused = { code: "NOT_FOUND", message: expect.stringContaining("role") };
      await expect(act(), act.toString()).rejects.toMatchObject(refused);
    }
  });

  it("goes by the role in the account that it is about, whatever somebody is in another", async () => {
    const stranger = await ownerOf(await createTestAccount());
    const refused = { code: "NOT_FOUND", message: expect.stringContaining("role") };
    await expect(showCallbackSecret(stranger, account)).rejects.toMatchObject(refused);
    const guest = { email: "guest@else.example", role: "owner" } as const;
    await expect(inviteMember(teamOf(stranger, "owner"), guest)).rejects.toMatchObject(refused);
  });

  it("waits for nobody who waits for it: a removal and an act that holds the account are done one after the other", async () => {
    const { accountId } = account;
    const [removed, set] = await whileHeld(
      { statement: "SELECT FROM members WHERE user_id = $1 FOR UPDATE", id: owner.userId },
      () => removeMember(teamOf(owner, "owner"), member.userId),
      () => setAlertChat(owner, accountId, "https://hooks.slack.com/services/T0/B0/secret"),
    );
    expect([removed.status, set.status]).toEqual(["fulfilled", "fulfilled"]);
    expect((await listMembers(accountId)).map(({ userId }) => userId)).toEqual([owner.userId]);
  });
});
