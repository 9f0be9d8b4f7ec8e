import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { removeFileBytes } from "@/lib/services/files/remove-files";
import { storeUpload } from "@/lib/services/files/store-upload";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";

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
