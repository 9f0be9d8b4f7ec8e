import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { removeFileBytes } from "@/lib/services/files/remove-files";
import { storeUpload } from "@/lib/services/files/store-upload";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";
import { fileStoreOf } from "@/lib/storage/select-store";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({ OPENAI_BASE_URL: model.baseUrl }));

afterAll(async () => {
  await turnStops().close();
  await model.stop();
});

it("tells the model of a file that the project keeps no longer, instead of asking on as if there had been none", async () => {
  const { account, sessionId } = await answeredFile();
  await removeFileBytes({ where: "f.session_id = $1", values: [sessionId] }, 1);
  await askOn(account, sessionId);
  const sent = JSON.stringify(model.journal.at(-1)?.messages);
  expect(sent).toContain('name=\\"prices.csv\\" kind=\\"unreadable\\" note=\\"the file is kept no longer');
  expect(sent).not.toContain("tea,3");
});

it("tells the model of a file that the store has lost, instead of failing all that follows in the session", async () => {
  const { account, sessionId, file } = await answeredFile();
  await fileStoreOf(file.store).remove(file.storageKey);
  await askOn(account, sessionId);
  const sent = JSON.stringify(model.journal.at(-1)?.messages);
  expect(sent).toContain('name=\\"prices.csv\\" kind=\\"unreadable\\" note=\\"the file could not be read');
});

it("fails the file's own turn at once when the store has lost it: a further try finds it as little", async () => {
  const { turnId, sessionId, file } = await sentFile();
  await fileStoreOf(file.store).remove(file.storageKey);
  expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
  const { rows } = await db().query("SELECT error_code, error_message, credits_used FROM sessions WHERE id = $1", [
    sessionId,
  ]);
  expect(rows).toEqual([
    {
      error_code: "UNSUPPORTED_FILE",
      error_message: "prices.csv is not there any more, or not whole. Send it again.",
      credits_used: 0,
    },
  ]);
});

async function sentFile() {
  const account = await createTestAccount();
  async function* stream() {
    yield Buffer.from("item,price\ntea,3\n");
  }
  const file = await storeUpload(account, { name: "prices.csv", contentType: "text/csv", stream: stream() });
  const call = { endpoint: "POST /process", requestId: "req_test", input: "Sum up [[answer:One item]]" };
  const turn = await prepareTurn(account.principal, { ...call, inputNames: ["prompt"], files: [file] });
  return { account, file, ...(await acceptTurn(account.principal, turn)) };
}

async function answeredFile() {
  const sent = await sentFile();
  await answerTurn(sent.turnId, 0);
  return sent;
}

async function askOn({ principal }: TestAccount, sessionId: string): Promise<void> {
  const next = await acceptTurn(principal, chatTurn({ input: "And its price?", sessionId }));
  expect(await answerTurn(next.turnId, 0)).toEqual({ status: "ended" });
}
