import { describe, expect, it } from "vitest";
import { booksOf, isAnswer, pages, partOf, partRows, reading, usePartsStage } from "@/e2e/support/parts-stage";
import { dieAt, readingEngine, runTurnInParts as runTurn } from "@/e2e/support/reading-engine";
import { createTestAccount } from "@/e2e/support/test-account";
import { eventsOf, readRow } from "@/e2e/support/turn-reads";
import { db } from "@/lib/db/pool";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { readDocument } from "@/lib/services/turns/parts/read-document";
import { readPart } from "@/lib/services/turns/parts/read-part";
import { takeReading } from "@/lib/services/turns/parts/take-reading";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";

const stage = usePartsStage();
const { answering } = stage;

describe("a worker that dies", () => {
  it("between parts: what was read is not asked again, by an engine with its memory lost", async () => {
    const account = await createTestAccount();
    answering();
    const { turnId } = await acceptTurn(account.principal, reading(pages(900)));
    await answerTurn(turnId, 0);
    await dieAt(turnId, "read-part-7");
    const before = (await partRows(turnId)).filter(({ output }) => output !== null).map(({ position }) => position);
    expect(before.length).toBeGreaterThanOrEqual(4);
    const asked = stage.model.journal.length;

    await db().query("UPDATE turns SET heartbeat_at = now() - interval '5 minutes' WHERE id = $1", [turnId]);
    expect(await redispatchTurns(60)).toBe(1);
    await runTurn(turnId);
    const again = stage.model.journal
      .slice(asked)
      .flatMap((request) => (partOf(request) ? [Number(partOf(request)?.[1]) - 1] : []));
    expect(again.filter((position) => before.includes(position))).toEqual([]);
    expect((await readRow("turns", turnId)).status).toBe("completed");
    expect((await booksOf(account)).charges).toBe(1);
  });

  it("and comes back when another has the turn keeps nothing and asks nothing", async () => {
    const account = await createTestAccount();
    answering("Notes.", () => ({ firstChunkMs: 150 }));
    const { turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await answerTurn(turnId, 0);
    const earlier = await takeReading(turnId);
    const slow = readPart({ turnId, generation: earlier?.generation ?? 0, level: 0, position: 0 }, 0);
    await stage.model.waitForRequests(1);
    const later = await takeReading(turnId);
    expect(later?.generation).toBeGreaterThan(earlier?.generation ?? 0);
    expect(await slow).toEqual({ status: "ended" });
    expect((await partRows(turnId))[0]).toMatchObject({ output: null, asked: 1 });
    expect(await readPart({ turnId, generation: earlier?.generation ?? 0, level: 0, position: 1 }, 0)).toEqual({
      status: "ended",
    });
    expect(stage.model.journal).toHaveLength(1);
  });

  it("and comes back with all parts read does not answer for the one that has the turn", async () => {
    const account = await createTestAccount();
    answering();
    const { turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await answerTurn(turnId, 0);
    const engine = readingEngine(turnId);
    const isGoingOn = readDocument({
      ...engine,
      planJoins: async (generation, level) => {
        await takeReading(turnId);
        return engine.planJoins(generation, level);
      },
    });
    expect(await isGoingOn).toBe(false);
    expect((await readRow("turns", turnId)).status).toBe("running");
  });

  it("in the answer: it begins anew behind a reset, and the parts are not read again", async () => {
    const account = await createTestAccount();
    let answers = 0;
    answering("Notes.", (request) => (isAnswer(request) && answers++ === 0 ? { fault: { kind: "break" } } : {}));
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await answerTurn(turnId, 0);
    expect(await readDocument(readingEngine(turnId))).toBe(true);
    expect(await answerTurn(turnId, 0, true)).toMatchObject({ status: "retry" });
    const parts = stage.model.journal.filter(partOf).length;
    // The engine has lost its memory as well.
    await runTurn(turnId);
    expect(stage.model.journal.filter(partOf)).toHaveLength(parts);
    const events = await eventsOf(account, sessionId);
    const { output } = await readRow("turns", turnId);
    const reset = events.findLastIndex(({ event }) => event === "reset");
    expect(reset).toBeGreaterThan(0);
    expect(
      events
        .slice(reset)
        .map(({ data }) => (data as { delta?: string }).delta ?? "")
        .join(""),
    ).toBe(output);
  });

  it("is not missed while its parts show signs of life", async () => {
    const account = await createTestAccount();
    answering();
    const { turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await answerTurn(turnId, 0);
    const taken = await takeReading(turnId);
    await db().query("UPDATE turns SET heartbeat_at = now() - interval '5 minutes' WHERE id = $1", [turnId]);
    await readPart({ turnId, generation: taken?.generation ?? 0, level: 0, position: 0 }, 0);
    expect(await redispatchTurns(60)).toBe(0);
  });
});

describe("a model that fails", () => {
  it("is waited for by one part for as long as it wants, though others go on: the turn is not taken for lost", async () => {
    const account = await createTestAccount();
    const retryAfter = "200";
    answering("Notes.", (request) =>
      partOf(request)?.[1] === "1" ? { fault: { kind: "status", status: 429, retryAfter } } : {},
    );
    const { turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await answerTurn(turnId, 0);
    const generation = (await takeReading(turnId))?.generation ?? 0;
    const read = (position: number, attempt = 0) => readPart({ turnId, generation, level: 0, position }, attempt);
    const limited = { status: "retry", delaySeconds: expect.closeTo(220, -1.7) };
    expect(await read(0)).toMatchObject(limited);
    expect(await read(1)).toEqual({ status: "done" });
    const { rows } = await db().query(
      "SELECT extract(epoch FROM heartbeat_at - now())::float AS ahead FROM turns WHERE id = $1",
      [turnId],
    );
    expect(rows[0].ahead).toBeGreaterThan(100);
    expect(await redispatchTurns(0)).toBe(0);
    expect(await read(0, 4)).toMatchObject(limited);
    const told = await db().query(
      "SELECT data->'done' AS done FROM session_events WHERE turn_id = $1 AND data->>'stage' = 'limited'",
      [turnId],
    );
    expect(told.rows).toEqual([{ done: 5 }]);
  });

  it("is asked again for that part alone, when it says so", async () => {
    const account = await createTestAccount();
    answering("Notes.", (request) =>
      partOf(request)?.[1] === "2" ? { fault: { kind: "status", status: 429, retryAfter: "1" }, faultTimes: 1 } : {},
    );
    const { turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await runTurn(turnId);
    const asked = stage.model.journal.flatMap((request) => partOf(request)?.[1] ?? []);
    expect(asked.filter((part) => part === "2")).toHaveLength(2);
    expect(new Set(asked).size).toBe(asked.length - 1);
    expect((await readRow("turns", turnId)).status).toBe("completed");
  });

  it("for good fails the turn, stops the other parts, and costs nothing", async () => {
    const account = await createTestAccount();
    answering("Notes.", (request) =>
      partOf(request)?.[1] === "1" ? { fault: { kind: "status", status: 400 } } : { firstChunkMs: 60_000 },
    );
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(400)));
    await runTurn(turnId);
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: "MODEL_REJECTED" });
    expect(await booksOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
    expect(await partRows(turnId)).toEqual([]);
    expect(stage.model.journal.filter(isAnswer)).toEqual([]);
  });

  it("is not taken at its word when it says nothing", async () => {
    const account = await createTestAccount();
    let silent = 0;
    answering("Notes.", (request) => (partOf(request)?.[1] === "2" && silent++ === 0 ? { answer: " " } : {}));
    const { turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await runTurn(turnId);
    expect(silent).toBe(2);
    expect((await readRow("turns", turnId)).status).toBe("completed");
  });
});

describe("a provider's content filter", () => {
  const filtered = (answer: string) => ({ answer, finishReason: "content_filter" });
  const notesIn = (text = "") =>
    [...text.matchAll(/<document name="Notes: [^>]*>\n?([^<]*)</g)].map(([, it]) => it?.trim());

  it("that holds back notes is named to the model that answers, and in the answer, with where they lie", async () => {
    const account = await createTestAccount();
    answering("Notes.", (request) => {
      const part = partOf(request)?.[1];
      return part === "1" ? filtered("Begun, but") : part === "3" ? filtered("") : {};
    });
    const { turnId } = await acceptTurn(account.principal, reading(pages(400)));
    await runTurn(turnId);
    const { status, output, context } = await readRow("turns", turnId);
    const [first, , third] = context.parts.ranges as string[];
    expect(status).toBe("completed");
    expect(output).toContain(
      ` The model provider's content filter held back some of what was noted on ${first}; ${third}.`,
    );
    const notes = notesIn(stage.model.journal.find(isAnswer)?.lastUserText);
    expect(notes.slice(0, 3)).toEqual([
      "Begun, but\n\n[The model provider's content filter held back the rest of these notes.]",
      "Notes.",
      `The model provider's content filter held back all notes on ${third}.`,
    ]);
    expect(stage.model.journal.filter((request) => partOf(request)?.[1] === "3")).toHaveLength(1);
  });

  it("that holds everything back fails the turn before the answer is asked for, and costs nothing", async () => {
    const account = await createTestAccount();
    answering("", (request) => (partOf(request) ? filtered("") : {}));
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(150)));
    await runTurn(turnId);
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: "MODEL_REJECTED" });
    expect(stage.model.journal.filter(isAnswer)).toEqual([]);
    expect(await booksOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
  });
});

it("says of notes that the model had no room to end that they are not whole", async () => {
  const account = await createTestAccount();
  answering("Notes, cut", (request) => (partOf(request)?.[1] === "2" ? { finishReason: "length" } : {}));
  const { turnId } = await acceptTurn(account.principal, reading(pages(150)));
  await runTurn(turnId);
  const told = stage.model.journal.find(isAnswer)?.lastUserText ?? "";
  expect(
    told.match(/Notes, cut\n\n\[These notes end here, before they were done: there was no room for more\.\]/g),
  ).toHaveLength(1);
});

describe("canceling", () => {
  it("stops the parts under way and begins no other", async () => {
    const account = await createTestAccount();
    answering("Notes.", () => ({ firstChunkMs: 60_000 }));
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(400)));
    await answerTurn(turnId, 0);
    const running = readDocument(readingEngine(turnId));
    await stage.model.waitForRequests(3);
    expect(await cancelTurns(sessionId)).toBe(1);
    expect(await running).toBe(false);
    await expect.poll(() => stage.model.journal.map(({ outcome }) => outcome)).toEqual(["closed", "closed", "closed"]);
    expect(await booksOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
    expect(await partRows(turnId)).toEqual([]);
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
  });
});
