import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { exportConversation } from "@/lib/services/sessions/export-conversation";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

async function read(sessionId: string, scope: TestAccount = account): Promise<string> {
  let text = "";
  for await (const piece of await exportConversation(scope, sessionId)) text += piece;
  return text;
}

async function ask(input: string, sessionId?: string) {
  const endUserId = sessionId === undefined ? { endUserId: "ada" } : { sessionId };
  const requestId = newId("request");
  const turn = await acceptTurn(account.principal, chatTurn({ input, requestId, creditsToReserve: 5, ...endUserId }));
  return { ...turn, requestId };
}

describe("the file of a conversation", () => {
  it("has each turn from the first on: what was asked, what went along, what was answered, and the id of its call", async () => {
    const first = await ask("Where is my order?");
    const { accountId, projectId } = account;
    const { sessionId, turnId } = first;
    const place = { id: newId("file"), accountId, projectId, sessionId, turnId, purpose: "input", store: "disk" };
    const bytes = {
      storageKey: place.id,
      url: "https://a.example/f",
      contentType: "text/plain",
      size: 1n,
      sha256: "x",
    };
    await prisma().storedFile.create({ data: { ...place, ...bytes, name: "receipt.pdf" } });
    await endTurn(turnId, null, completedEnd({ output: "On its way.", tokensIn: 30, tokensOut: 12, credits: 2 }));
    const second = await ask("And when?", sessionId);
    const error = { errorCode: "MODEL_UNAVAILABLE", errorMessage: "The model did not answer." };
    await prisma().turn.update({ where: { id: second.turnId }, data: { status: "failed", ...error } });
    const text = await read(sessionId);
    const words = [
      `# Session ${sessionId}`,
      "- End user: ada",
      "## Turn 1",
      `POST /chat, request ${first.requestId}`,
      "Where is my order?",
      "(Files: receipt.pdf)",
      "On its way.",
      "(gpt-4.1-mini, tokens: 30 in, 12 out, credits: 2)",
      "## Turn 2",
      `POST /chat, request ${second.requestId}`,
      "And when?",
      "(failed, MODEL_UNAVAILABLE: The model did not answer.)",
    ];
    const places = words.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it.each([
    ['{"note":"*now*"}', '\n```json\n{"note":"*now*"}\n```\n'],
    ['{"note":"``` ````"}', '\n`````json\n{"note":"``` ````"}\n`````\n'],
  ])("has an answer by a schema as code: %s", async (output, written) => {
    const { sessionId, turnId } = await ask("What does it cost?");
    await prisma().turn.update({ where: { id: turnId }, data: { outputSchema: { type: "object" } } });
    await endTurn(turnId, null, completedEnd({ output, tokensIn: 30, tokensOut: 12, credits: 2 }));
    expect(await read(sessionId)).toContain(written);
  });

  it("is whole, however many turns there are", async () => {
    const { sessionId, turnId } = await ask("Question 0");
    const { id: _, position: __, ...turn } = await prisma().turn.findUniqueOrThrow({ where: { id: turnId } });
    const data = Array.from({ length: 44 }, (_item, index) => ({
      ...turn,
      ...{
        context: undefined,
        outputSchema: undefined,
        id: newId("turn"),
        position: index + 1,
        input: `Question ${index + 1}`,
      },
    }));
    await prisma().turn.createMany({ data });
    const asked = (await read(sessionId)).match(/^Question \d+$/gm);
    expect(asked).toEqual(Array.from({ length: 45 }, (_item, index) => `Question ${index}`));
  });

  it("is not there for another project, of the same account neither", async () => {
    const { sessionId } = await ask("Where is my order?");
    for (const other of [await createTestAccount(), await addTestProject(account, "Another")]) {
      await expect(read(sessionId, other)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await expect(read("\0"), "no id").rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
