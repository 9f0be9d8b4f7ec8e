import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { createTestAccount } from "@/e2e/support/test-account";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { chatTurn } from "@/e2e/support/test-turns";
import { closePools } from "@/lib/db/pool";
import { removeFileBytes } from "@/lib/services/files/remove-files";
import { storeUpload } from "@/lib/services/files/store-upload";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";

let database: TestDatabase;
let model: ModelServer;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), startModelServer()]);
  useTestSettings(database.url, { OPENAI_BASE_URL: model.baseUrl });
});

afterAll(async () => {
  await turnStops().close();
  await closePools();
  await Promise.all([database.drop(), model.stop()]);
});

it("tells the model of a file that the project keeps no longer, instead of asking on as if there had been none", async () => {
  const account = await createTestAccount();
  async function* stream() {
    yield Buffer.from("item,price\ntea,3\n");
  }
  const file = await storeUpload(account, { name: "prices.csv", contentType: "text/csv", stream: stream() });
  const call = { endpoint: "POST /process", requestId: "req_test", input: "Sum up [[answer:One item]]" };
  const turn = await prepareTurn(account.principal, { ...call, inputNames: ["prompt"], files: [file] });
  const { turnId, sessionId } = await acceptTurn(account.principal, turn);
  await answerTurn(turnId, 0);
  await removeFileBytes({ where: "f.session_id = $1", values: [sessionId] }, 1);

  const next = await acceptTurn(account.principal, chatTurn({ input: "And its price?", sessionId }));
  expect(await answerTurn(next.turnId, 0)).toEqual({ status: "ended" });
  const sent = JSON.stringify(model.journal.at(-1)?.messages);
  expect(sent).toContain('name=\\"prices.csv\\" kind=\\"unreadable\\" note=\\"the file is kept no longer');
  expect(sent).not.toContain("tea,3");
});
