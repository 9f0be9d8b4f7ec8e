import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";
import { newId } from "@/lib/domain/ids";
import { storeUpload } from "@/lib/services/files/store-upload";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { buildModelRequest, type SpokenTurn } from "@/lib/services/turns/build-model-request";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";

const MEGABYTE = 1024 * 1024;
const MODEL = "gpt-4.1-mini";

let account: TestAccount;

useServiceDatabase({ DEFAULT_MODEL: MODEL });
beforeAll(async () => {
  account = await createTestAccount();
});

/** A session to whose first message pictures of so many megabytes came along. */
async function sessionWith(...megabytes: number[]): Promise<SpokenTurn> {
  const files = [];
  for (const size of megabytes) {
    const picture = Buffer.concat([sampleImage("png", 300, 400), Buffer.alloc(size * MEGABYTE)]);
    const stream = Readable.from([picture]);
    files.push(await storeUpload(account, { name: `${size}.png`, contentType: "image/png", stream }));
  }
  const call = { endpoint: "POST /process", requestId: "req_test", input: "Compare", inputNames: ["prompt"] as const };
  const turn = await prepareTurn(account.principal, { ...call, files });
  const { sessionId } = await acceptTurn(account.principal, { ...turn, kind: "process" });
  const { accountId, projectId } = account;
  const next = { sessionId, accountId, projectId, turnId: newId("turn"), position: 1, input: "And now?" };
  return { ...next, endUserId: null, fileContent: null, templateId: null, templateVersion: null, systemPrompt: null };
}

async function sent(turn: SpokenTurn): Promise<{ pictures: number[]; text: string }> {
  const { messages } = await buildModelRequest(turn, MODEL, { payer: null });
  const parts = messages.flatMap((message) => message.parts);
  return {
    pictures: parts.flatMap((part) => (part.type === "image" ? [Math.floor(part.bytes.byteLength / MEGABYTE)] : [])),
    text: parts.map((part) => (part.type === "text" ? part.text : "")).join("\n"),
  };
}

describe("the pictures of earlier messages", () => {
  it("go along while a request has room for them", async () => {
    expect((await sent(await sessionWith(10, 11))).pictures).toEqual([10, 11]);
  });

  it("stay out where providers would refuse the request, which every message after them would be; the model is told", async () => {
    const { pictures, text } = await sent(await sessionWith(18, 17, 2));
    expect(pictures).toEqual([18, 2]);
    expect(text).toMatch(/name="17\.png" kind="image" note="its pictures were shown[^"]+"/);
    expect(text).not.toContain('name="17.png" kind="image">');
    expect(text).toContain("Compare");
  });
});
