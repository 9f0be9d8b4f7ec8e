import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { madeImage } from "@/e2e/support/model-server-outputs";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { MAX_FILE_NAME_BYTES } from "@/lib/domain/file-name";
import { storeUpload } from "@/lib/services/files/store-upload";
import { getProcess } from "@/lib/services/process/get-process";
import { openProcessOutput } from "@/lib/services/process/open-process-output";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnEnd } from "@/lib/services/turns/turn-end";
import type { TurnInput } from "@/lib/services/turns/turn-input";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "outputs-"));
});
useServiceDatabase(() => ({
  DATA_DIR: dataDir,
  STORAGE_URL: "https://files.example.test",
  APP_URL: "https://service.example.test",
}));

afterAll(() => rm(dataDir, { recursive: true }));

const FAILED: TurnEnd = { status: "failed", errorCode: "MODEL_UNAVAILABLE", errorMessage: "It did not answer." };
const CANCELED: TurnEnd = { status: "canceled", errorCode: "CANCELED", errorMessage: "It was canceled." };
const ERROR = { code: "MODEL_UNAVAILABLE", message: "It did not answer." };

type Kind = "text" | "image";

/** As long as a name may be. */
const LONG = "x".repeat(MAX_FILE_NAME_BYTES);

const BYTES: Record<Kind, Buffer> = { text: Buffer.from("# Summary"), image: madeImage() };

function upload({ principal }: TestAccount, name: string, bytes: Buffer) {
  const stream = (async function* () {
    yield bytes;
  })();
  return storeUpload(principal, { name, contentType: "", stream });
}

async function answerOf(account: TestAccount, kind: Kind): Promise<TurnEnd> {
  if (kind === "text") return completedEnd({ output: BYTES.text.toString() });
  const outputDraft = await upload(account, "image.png", BYTES.image);
  return completedEnd({ output: "Image (PNG)", outputType: "image", outputDraft });
}

async function newFile(account: TestAccount, name = "report.txt"): Promise<Partial<TurnInput>> {
  return { kind: "process", files: [await upload(account, name, Buffer.from("Text"))] };
}

/** A processing whose turns ended like that, one after the other; "open" is one that has not. */
async function processing(account: TestAccount, ends: (TurnEnd | "open")[]): Promise<string> {
  let sessionId: string | undefined;
  for (const end of ends) {
    const turn = await acceptTurn(account.principal, chatTurn(sessionId ? { sessionId } : await newFile(account)));
    sessionId = turn.sessionId;
    if (end !== "open") await endTurn(turn.turnId, null, end);
  }
  return sessionId ?? "";
}

/** What its record says of the output, and what the download gives. */
async function readOutput({ principal }: TestAccount, sessionId: string) {
  const { status, error, output, outputType, downloadUrl } = await getProcess(principal, sessionId);
  const file = await openProcessOutput(principal, sessionId);
  const bytes = Buffer.from(await new Response((await file.read()) as ReadableStream).arrayBuffer());
  return { status, error, output, outputType, downloadUrl, name: file.name, contentType: file.contentType, bytes };
}

function expected(sessionId: string, kind: Kind) {
  const path = `https://service.example.test/api/v1/process/${sessionId}/download`;
  return kind === "text"
    ? { output: "# Summary", outputType: "text", downloadUrl: undefined, name: "report.md", bytes: BYTES.text }
    : { output: "Image (PNG)", outputType: "image", downloadUrl: path, name: "image.png", bytes: BYTES.image };
}

describe("the latest answer of a processing", () => {
  it("is opened for its own project and end user alone", async () => {
    const [account, other] = [await createTestAccount(), await createTestAccount()];
    const turn = await acceptTurn(account.principal, chatTurn({ ...(await newFile(account)), endUserId: "ada" }));
    await endTurn(turn.turnId, null, completedEnd({ output: "# Summary" }));
    const open = ({ principal }: TestAccount, endUserId?: string) =>
      openProcessOutput(principal, turn.sessionId, endUserId);
    for (const endUserId of [undefined, "ada"]) expect(await open(account, endUserId)).toMatchObject({ size: 9 });
    const missing = { code: "NOT_FOUND" };
    await expect(open(account, "bob")).rejects.toMatchObject(missing);
    await expect(open(other, "ada")).rejects.toMatchObject(missing);
    await expect(open(await addTestProject(account, "Other"), "ada")).rejects.toMatchObject(missing);
  });

  it.each<[Kind, TurnEnd["status"], TurnEnd]>([
    ["text", "failed", FAILED],
    ["text", "canceled", CANCELED],
    ["image", "failed", FAILED],
    ["image", "canceled", CANCELED],
  ])("stays readable and downloadable, %s, when a further question is %s", async (kind, status, end) => {
    const account = await createTestAccount();
    const sessionId = await processing(account, [await answerOf(account, kind), end]);
    const error = status === "failed" ? ERROR : undefined;
    expect(await readOutput(account, sessionId)).toMatchObject({ ...expected(sessionId, kind), status, error });
    await db().query("UPDATE sessions SET status = 'expired' WHERE id = $1", [sessionId]);
    expect(await readOutput(account, sessionId)).toMatchObject({ ...expected(sessionId, kind), status: "expired" });
  });

  it.each<[Kind, Kind]>([
    ["image", "text"],
    ["text", "image"],
  ])("is of one piece when %s came before %s and a question after them failed", async (before, latest) => {
    const account = await createTestAccount();
    const ends = [await answerOf(account, before), await answerOf(account, latest), FAILED];
    const sessionId = await processing(account, ends);
    expect(await readOutput(account, sessionId)).toMatchObject(expected(sessionId, latest));
  });
});

it("is called as its file, with an ending of its own and no longer than a name may be", async () => {
  const account = await createTestAccount();
  const names = {
    ".htaccess": ".htaccess.md",
    report: "report.md",
    "a.tar.gz": "a.tar.md",
    [LONG]: `${LONG.slice(3)}.md`,
  };
  for (const [fileName, name] of Object.entries(names)) {
    const turn = await acceptTurn(account.principal, chatTurn(await newFile(account, fileName)));
    await endTurn(turn.turnId, null, await answerOf(account, "text"));
    expect(await openProcessOutput(account.principal, turn.sessionId)).toMatchObject({ name });
  }
});

describe("a download without an answer to give", () => {
  it("says to come back while the next answer is made, whatever came before", async () => {
    const account = await createTestAccount();
    for (const ends of [[await answerOf(account, "text")], [FAILED], [await answerOf(account, "image"), CANCELED]]) {
      const sessionId = await processing(account, [...ends, "open"]);
      await expect(openProcessOutput(account.principal, sessionId)).rejects.toMatchObject({
        code: "NOT_READY",
        message:
          "The processing is resumed: its next answer is being made. Poll it until that is done, then download it.",
        isRetryable: true,
      });
      const record = await getProcess(account.principal, sessionId);
      for (const absent of ["output", "outputType", "downloadUrl"]) expect(record).not.toHaveProperty(absent);
    }
  });

  it.each([
    ["failed", [FAILED]],
    ["canceled", [FAILED, CANCELED]],
  ])("says that none will come where it is %s and never had one", async (status, ends) => {
    const account = await createTestAccount();
    await expect(openProcessOutput(account.principal, await processing(account, ends))).rejects.toMatchObject({
      code: "NOT_READY",
      message: expect.stringMatching(new RegExp(`is ${status}: .* will not complete\\. .*end the file again\\.`)),
      isRetryable: false,
    });
  });
});
