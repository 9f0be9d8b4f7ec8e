import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { seedSecretSession } from "@/e2e/support/staff-session-seeds";
import { createTestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { getStaffSession } from "@/lib/services/staff/get-staff-session";

useServiceDatabase();

describe("a session as staff see it", () => {
  it("tells how each turn went, the newest first: what was read, what did not fit, how long it took", async () => {
    const { accountId, projectId } = await createTestAccount();
    const { turns, ...session } = await getStaffSession(await seedSecretSession({ accountId, projectId }));
    expect(session).toMatchObject({ accountId, projectId, kind: "chat", status: "completed", turnCount: 2 });
    expect(turns).toMatchObject([
      {
        ...{ position: 1, status: "completed", errorCode: null, begun: 2, inlineBytes: 2_400, outputBytes: 9 },
        startedAt: "2026-03-03T14:30:12.000Z",
        endedAt: "2026-03-03T14:30:50.000Z",
        receipt: {
          outputCut: "length",
          files: [{ kind: "pdf", pages: 40, leftOut: { reason: "window", pages: 12 } }],
          knowledge: { whole: 0, sections: 1, none: 1 },
          hasMemory: true,
          parts: { count: 4, joins: 1 },
          history: { messages: 4, leftOut: 2 },
        },
      },
      { position: 0, status: "failed", errorCode: "MODEL_TIMEOUT", startedAt: null, receipt: null },
    ]);
  });

  it("holds no word of what was said, and no name of a file, a section or an end user", async () => {
    const account = await createTestAccount();
    expect(JSON.stringify(await getStaffSession(await seedSecretSession(account)))).not.toContain("secret");
  });

  it("is of a long one its newest fifty turns, and of no other session's", async () => {
    const { accountId, projectId } = await createTestAccount();
    const scope = { accountId, projectId };
    const [id, other] = [newId("session"), newId("session")];
    for (const each of [id, other]) {
      await prisma().session.create({ data: { id: each, ...scope, kind: "chat", status: "completed" } });
    }
    const fixed = {
      ...scope,
      requestId: "req_1",
      status: "completed",
      input: "x",
      endpoint: "POST /chat",
      openStatus: "resumed",
    };
    await prisma().turn.createMany({
      data: Array.from({ length: 51 }, (_, position) => ({ ...fixed, id: newId("turn"), sessionId: id, position })),
    });
    await prisma().turn.create({ data: { ...fixed, id: newId("turn"), sessionId: other, position: 60 } });
    const { turns } = await getStaffSession(id);
    expect(turns.map(({ position }) => position)).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index));
  });

  it.each([newId("session"), "", "\0"])("is not there by the id %j", async (id) => {
    await expect(getStaffSession(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
