import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { createUser } from "@/lib/services/accounts/create-user";
import { findForStaff } from "@/lib/services/search/find-for-staff";
import { acceptTurn } from "@/lib/services/turns/accept-turn";

let account: TestAccount;

useServiceDatabase();
beforeAll(async () => {
  account = await createTestAccount();
});

const scope = () => ({ accountId: account.accountId, projectId: account.projectId });

describe("findForStaff", () => {
  it("leads from whatever belongs to an account, and has no page for staff, to the account", async () => {
    const { accountId, projectId } = account;
    const [template, knowledge] = [newId("template"), newId("knowledgeFile")];
    await prisma().template.create({ data: { id: template, projectId, name: "T", slug: "t", promptTemplate: "x" } });
    await prisma().knowledgeFile.create({
      data: { id: knowledge, projectId, path: ".brain/api/db/a.md", content: "x", sha256: "x", tokenCount: 1 },
    });
    const webhook = await seedRegistration({ ...scope(), url: "https://client.example/", secret: "whsec_seeded" });
    const person = await prisma().$transaction((tx) =>
      createUser(tx, { email: "member@client.example", passwordHash: "none", isStaff: false }),
    );
    await prisma().member.create({ data: { accountId, userId: person, role: "member" } });
    const ids = [accountId, projectId, account.principal.apiKeyId ?? "", template, knowledge, webhook, person];
    for (const id of ids) expect([id, await findForStaff(id)]).toEqual([id, { kind: "account", id: accountId }]);
  });

  it("leads from a session, a turn and a call to what was called, and from a delivery by both of its ids to it", async () => {
    const { sessionId, turnId } = await acceptTurn(account.principal, chatTurn({ creditsToReserve: 1 }));
    const call = { id: newId("call"), requestId: newId("request") };
    const fields = { endpoint: "POST /chat", path: "/api/v1/chat", status: 202, durationMs: 5 };
    await prisma().callLog.create({ data: { ...call, ...scope(), ...fields } });
    const delivery = await seedDelivery({ ...scope(), url: "https://client.example/" });
    const found = [
      [sessionId, "session", sessionId],
      [turnId, "session", sessionId],
      [call.requestId, "call", call.requestId],
      [call.id, "call", call.requestId],
      [delivery.id, "delivery", delivery.id],
      [` ${delivery.deliveryUuid.toUpperCase()}\n`, "delivery", delivery.id],
    ] as const;
    for (const [text, kind, id] of found) expect([text, await findForStaff(text)]).toEqual([text, { kind, id }]);
  });

  it("finds an id in whatever was copied around it, and goes on to the next where the first is of nothing", async () => {
    const { sessionId } = await acceptTurn(account.principal, chatTurn({ creditsToReserve: 1 }));
    const copied = [
      `"${sessionId}".`,
      `https://api.example.com/api/v1/process/${sessionId}/download`,
      `{"error":{"code":"NOT_FOUND","requestId":"${newId("request")}"},"sessionId":"${sessionId}"}`,
      sessionId.toUpperCase(),
    ];
    for (const text of copied)
      expect([text, await findForStaff(text)]).toEqual([text, { kind: "session", id: sessionId }]);
  });

  it("takes any text, and finds nothing by what is no id of anything", async () => {
    const texts = ["", " ", "Grey Heron", "' OR 1=1 --", "%", "ses_", newId("session"), newId("user"), randomUUID()];
    for (const text of [...texts, "x".repeat(100_000)]) expect(await findForStaff(text)).toBeNull();
  });
});
