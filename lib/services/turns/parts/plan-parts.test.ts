import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { runTurnInParts } from "@/e2e/support/reading-engine";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { tokensSentAnyway } from "@/lib/domain/conversation-window";
import { setOwnModels } from "@/lib/domain/model-catalog";
import { buildSystemPrompt } from "@/lib/domain/prompt-blocks";
import { roomForParts } from "@/lib/domain/reading-plan";
import { estimateTokens, takeTokens } from "@/lib/domain/token-estimate";
import { storeUpload } from "@/lib/services/files/store-upload";
import { type AcceptedTurn, acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { keepPart } from "@/lib/services/turns/parts/keep-part";
import { takeReading } from "@/lib/services/turns/parts/take-reading";
import { readResults } from "@/lib/services/turns/parts/turn-part";
import { prepareTurn } from "@/lib/services/turns/prepare-turn";

/** A model that the catalog does not know has a window of 32,768 tokens. */
const MODEL = "small-window";
const INSTRUCTION = "List the ships.";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({ OPENAI_BASE_URL: model.baseUrl, DEFAULT_MODEL: MODEL }));

afterEach(() => {
  setOwnModels({});
  model.journal.length = 0;
});

afterAll(() => model.stop());

/** A turn with a text file, as POST /process accepts it. */
async function turnWith(text: string): Promise<string> {
  return (await send(await createTestAccount(), "ships.txt", text)).turnId;
}

async function send(
  account: TestAccount,
  name: string,
  text: string,
  { sessionId, input = INSTRUCTION }: { sessionId?: string; input?: string } = {},
): Promise<AcceptedTurn> {
  const stream = (async function* () {
    yield Buffer.from(text);
  })();
  const file = await storeUpload(account, { name, contentType: "text/plain", stream });
  const call = {
    endpoint: "POST /process",
    requestId: "req_test",
    input,
    ...(sessionId && { sessionId }),
  };
  const turn = await prepareTurn(account.principal, { ...call, inputNames: ["prompt"], files: [file] });
  return acceptTurn(account.principal, turn);
}

const partRoom = () =>
  roomForParts(MODEL, tokensSentAnyway(estimateTokens(buildSystemPrompt()), estimateTokens(INSTRUCTION)))?.tokens ?? 0;

const LAST_LINE = "\nThe last ship was the Heron.";

/** So many tokens of text with a last line of its own. */
function textOf(tokens: number): string {
  const line = "The harbour master wrote down each ship that came in, its cargo and its port.\n";
  return takeTokens(line.repeat(tokens), tokens - estimateTokens(LAST_LINE)) + LAST_LINE;
}

describe("a file that is one part, of which one call reads less", () => {
  it.each([
    ["as long as a part", () => textOf(partRoom())],
    ["short but for its blanks", () => `${" ".repeat(300)}ship\n`.repeat(1_200) + LAST_LINE],
  ])("is read to its end: %s", async (_, text) => {
    const turnId = await turnWith(text());
    await runTurnInParts(turnId);
    expect(model.journal.filter(({ lastUserText }) => lastUserText.includes(LAST_LINE))).toHaveLength(1);
    const { rows } = await db().query("SELECT status, output, context FROM turns WHERE id = $1", [turnId]);
    expect(rows[0]).toMatchObject({ status: "completed", output: expect.stringContaining("Read in 1 part: lines 1-") });
    expect(rows[0].context.files).toEqual([expect.not.objectContaining({ leftOut: expect.anything() })]);
  });
});

describe("a file of many parts", () => {
  it("is kept whole and in order, however many statements that takes", async () => {
    const text = Array.from({ length: 250_000 }, (_, index) => `ship ${index}`).join("\n");
    const turnId = await turnWith(text);
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "parts" });
    const { rows } = await db().query<{ text: string; positions: number[] }>(
      `SELECT string_agg(content, '' ORDER BY position) AS text, array_agg(position ORDER BY position) AS positions
       FROM turn_parts WHERE turn_id = $1 AND level = 0`,
      [turnId],
    );
    expect(rows[0]?.text).toBe(text);
    expect(rows[0]?.positions).toEqual(rows[0]?.positions.map((_, index) => index));
  });
});

describe("a file beyond a window of a few thousand tokens", () => {
  it("is read to its end", async () => {
    setOwnModels({ [MODEL]: { contextWindowTokens: 4_096 } });
    const turnId = await turnWith(textOf(5_000));
    await runTurnInParts(turnId);
    expect(model.journal.filter(({ lastUserText }) => lastUserText.includes(LAST_LINE))).toHaveLength(1);
    const { rows } = await db().query("SELECT status, output FROM turns WHERE id = $1", [turnId]);
    expect(rows).toEqual([{ status: "completed", output: expect.stringMatching(/Read in \d parts: lines 1-/) }]);
  });
});

describe("a turn that is read in parts", () => {
  it("is that of its own files: those of the turns before are not read, and paid for, once more", async () => {
    const account = await createTestAccount();
    const first = await send(account, "first.txt", textOf(2 * partRoom()));
    await endTurn(first.turnId, null, completedEnd());
    const { turnId } = await send(account, "second.txt", textOf(2 * partRoom()), first);
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "parts" });
    const { rows } = await db().query<{ name: string }>(
      "SELECT DISTINCT covers->'ranges'->0->>'name' AS name FROM turn_parts WHERE turn_id = $1",
      [turnId],
    );
    expect(rows).toEqual([{ name: "second.txt" }]);
  });

  it("keeps what was read of a part first, and tells of it once", async () => {
    const { turnId, sessionId } = await send(await createTestAccount(), "ships.txt", textOf(2 * partRoom()));
    await answerTurn(turnId, 0);
    const generation = (await takeReading(turnId))?.generation ?? 0;
    const keep = (output: string) =>
      keepPart(
        { turnId, generation, level: 0, position: 0 },
        sessionId,
        { ranges: [], kind: "text" },
        { output, outputTokens: 2, tokensIn: 900, tokensOut: 2 },
      );
    for (const output of ["Kept first.", "Late."]) await keep(output);
    expect(await readResults(turnId)).toMatchObject([{ position: 0, output: "Kept first." }]);
    const { rows } = await db().query(
      "SELECT data->>'done' AS done FROM session_events WHERE turn_id = $1 AND data->>'stage' = 'read'",
      [turnId],
    );
    expect(rows).toEqual([{ done: "1" }]);
  });
});

describe("a file that one call reads to its end", () => {
  it("is answered in that call", async () => {
    const turnId = await turnWith(textOf(partRoom() - 2_000));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(model.journal.map(({ lastUserText }) => lastUserText.includes(LAST_LINE))).toEqual([true]);
  });
});

/** Leaves less of the window than a part takes. */
const LONG_INSTRUCTION = "word ".repeat(19_800);

describe("a file beside an instruction that leaves no room for parts", () => {
  it("is not answered from its beginning: the turn fails before the model is asked, and says what to shorten", async () => {
    const account = await createTestAccount();
    const { turnId } = await send(account, "ships.txt", textOf(partRoom()), { input: LONG_INSTRUCTION });
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    const { rows } = await db().query("SELECT status, error_code, error_message FROM turns WHERE id = $1", [turnId]);
    expect(rows).toEqual([
      {
        status: "failed",
        error_code: "MODEL_REJECTED",
        error_message: expect.stringMatching(/^The instruction.* no room to read the text\. Shorten /),
      },
    ]);
    expect(model.journal).toEqual([]);
  });

  it("is answered when one call takes all of it", async () => {
    const { turnId } = await send(await createTestAccount(), "ships.txt", textOf(200), { input: LONG_INSTRUCTION });
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(model.journal).toEqual([expect.objectContaining({ lastUserText: expect.stringContaining(LAST_LINE) })]);
  });
});
