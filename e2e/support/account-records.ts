import { COMPANY_FIELDS } from "@/lib/contracts/verification";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";

/** What people and staff write about an account, and what the service notes down about it. */
export async function writeAccountRecords(accountId: string, text: string): Promise<void> {
  const now = new Date();
  const later = new Date(now.getTime() + 86_400_000);
  const company = Object.fromEntries(COMPANY_FIELDS.map((field) => [field, text]));
  await prisma().account.update({ where: { id: accountId }, data: { companyName: text } });
  await prisma().verificationSubmission.create({
    data: { id: newId("verification"), accountId, company, message: text, fieldMessages: company, dueAt: later },
  });
  await prisma().invitation.create({
    data: { id: newId("invitation"), accountId, email: text, role: "member", tokenHash: accountId, expiresAt: later },
  });
  await prisma().creditRequest.create({
    data: { id: newId("creditRequest"), accountId, amount: 5, reason: text, requestedById: text, expiresAt: later },
  });
  await prisma().alertChat.create({
    data: {
      accountId,
      app: "slack",
      host: text,
      hint: text.slice(-4),
      addressEncrypted: "",
      failedAt: now,
      failure: text,
    },
  });
  const asked = { accountId, kind: "credits", credits: 5, note: text };
  await prisma().accountRequest.createMany({
    data: [
      { id: newId("accountRequest"), ...asked },
      { id: newId("accountRequest"), ...asked, state: "declined", answer: text, answeredAt: now },
    ],
  });
  await prisma().auditEntry.create({
    data: {
      id: newId("audit"),
      accountId,
      actorKind: "system",
      action: "account.update",
      subject: text,
      reason: text,
      before: { name: text },
      after: { name: text },
    },
  });
}
