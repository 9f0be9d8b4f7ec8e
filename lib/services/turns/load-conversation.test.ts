import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { storeUpload } from "@/lib/services/files/store-upload";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { loadFiles } from "@/lib/services/turns/load-conversation";

useServiceDatabase();

async function sendFile(account: TestAccount, name: string, sessionId?: string) {
  async function* stream() {
    yield Buffer.from(name);
  }
  const file = await storeUpload(account, { name, contentType: "text/plain", stream: stream() });
  return acceptTurn(account.principal, chatTurn({ kind: "process", files: [file], ...(sessionId && { sessionId }) }));
}

it("goes along with a turn what the client sent until then: nothing of later turns, and nothing that was made", async () => {
  const account = await createTestAccount();
  const { sessionId } = await sendFile(account, "first.txt");
  const made = await sendFile(account, "made.txt", sessionId);
  await db().query("UPDATE stored_files SET purpose = 'output' WHERE turn_id = $1", [made.turnId]);
  await sendFile(account, "third.txt", sessionId);
  await sendFile(account, "fourth.txt", sessionId);
  await sendFile(account, "elsewhere.txt");
  const filesAt = async (position: number) => (await loadFiles({ sessionId, position })).map(({ name }) => name);
  expect(await Promise.all([0, 1, 2, 3].map(filesAt))).toEqual([
    ["first.txt"],
    ["first.txt"],
    ["first.txt", "third.txt"],
    ["first.txt", "third.txt", "fourth.txt"],
  ]);
});
