import { randomUUID } from "node:crypto";
import { type PanelAccount, panelAccount } from "@/e2e/support/panel-browser";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

/** An account of so many people with the founder; the last who joined is called Zoë Example, the others Colleague 1 and so on. */
export async function teamOf(count: number): Promise<PanelAccount> {
  const account = await panelAccount();
  const people = Array.from({ length: count - 1 }, (_, index) => ({
    id: newId("user"),
    email: `colleague-${index + 1}-${randomUUID()}@example.test`,
    name: index === count - 2 ? "Zoë Example" : `Colleague ${index + 1}`,
  }));
  await prisma().user.createMany({ data: people });
  await prisma().member.createMany({
    data: people.map(({ id }) => ({ accountId: account.accountId, userId: id, role: "member" })),
  });
  return account;
}
