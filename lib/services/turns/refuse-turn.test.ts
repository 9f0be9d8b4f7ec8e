import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { newId } from "@/lib/domain/ids";
import { startChat } from "@/lib/services/chat/start-chat";

useServiceDatabase();

it("an account without credits is told of those before what its call names and is not there", async () => {
  const [poor, rich] = [await createTestAccount({ credits: 0 }), await createTestAccount({ credits: 10 })];
  const calls = [{ templateId: newId("template") }, { sessionId: newId("session") }];
  for (const call of calls) {
    const body = { message: "Hello", ...call };
    const start = ({ principal }: typeof poor) => startChat(principal, body, { requestId: "req_test" });
    await expect(start(poor)).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
    await expect(start(rich)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});
