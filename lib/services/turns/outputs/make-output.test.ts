import { describe, expect, it, vi } from "vitest";
import { type StatementFault, whileFailing } from "@/e2e/support/failing-statement";
import { madeImage, madeSpeech } from "@/e2e/support/model-server-outputs";
import {
  IMAGE_ORDER,
  NOTHING_LEFT,
  order,
  readOutput,
  readRemains,
  SPEECH_ORDER,
  type StartedTurn,
  startTurn,
  useOutputStage,
} from "@/e2e/support/output-stage";
import { readRow } from "@/e2e/support/turn-reads";
import { db } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { checkBooks } from "@/lib/services/credits/check-books";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { takeUnstored } from "@/lib/services/turns/outputs/unstored-outputs";
import { TurnWriter } from "@/lib/services/turns/turn-writer";
import { fileStoreOf } from "@/lib/storage/select-store";

const stage = useOutputStage();

describe("a picture or speech", () => {
  it.each([
    [
      "create_image",
      IMAGE_ORDER,
      "image",
      "image/png",
      madeImage(),
      /^Image \(PNG, \d+ KB\): “a red bicycle” https:\S+$/,
    ],
    [
      "create_speech",
      SPEECH_ORDER,
      "audio",
      "audio/mpeg",
      madeSpeech("Good morning"),
      /^Audio \(MP3, \d+ KB\): “Good morning”/,
    ],
    [
      "create_image of many words",
      order("create_image", { prompt: `${"a  red\nbicycle ".repeat(30)}` }),
      "image",
      "image/png",
      madeImage(),
      /^Image \(PNG, \d+ KB\): “(a red bicycle ){11}a red…” https:\S+$/,
    ],
  ])("by %s becomes the turn's output, with one line that describes it", async (_, input, type, mime, bytes, line) => {
    const started = await startTurn(input);
    expect(await answerTurn(started.turnId, 0)).toEqual({ status: "ended" });
    const session = await readRow("sessions", started.sessionId);
    expect(session).toMatchObject({ status: "completed", output_type: type });
    expect(session.last_output).toMatch(line);
    expect(session.last_output).not.toContain("\n");
    expect((await readOutput(started)).equals(bytes)).toBe(true);
    const { rows } = await db().query(
      "SELECT id, purpose, turn_id, content_type, size FROM stored_files WHERE session_id = $1",
      [started.sessionId],
    );
    expect(rows).toEqual([
      {
        id: session.output_file_id,
        purpose: "output",
        turn_id: started.turnId,
        content_type: mime,
        size: bytes.length,
      },
    ]);
    expect(await checkBooks(started.account.accountId)).toMatchObject({ isClean: true, reserved: 0 });
  });

  it("costs its price on top of the tokens", async () => {
    const started = await startTurn(IMAGE_ORDER);
    await answerTurn(started.turnId, 0);
    expect((await readRow("sessions", started.sessionId)).credits_used).toBe(7);
  });

  it("is offered to the model with every turn, in few words", async () => {
    const started = await startTurn("Hello");
    await answerTurn(started.turnId, 0);
    const tools = stage.model.journal[0]?.body.tools as { function: { name: string } }[];
    expect(tools.map((tool) => tool.function.name)).toEqual(["create_image", "create_speech", "create_video"]);
    expect(JSON.stringify(tools).length).toBeLessThan(1_600);
    expect((await readRow("sessions", started.sessionId)).output_type).toBe("text");
  });

  it("is the first that was ordered; the others are named and not made", async () => {
    const started = await startTurn(`${IMAGE_ORDER}${SPEECH_ORDER}${IMAGE_ORDER}`);
    await answerTurn(started.turnId, 0);
    expect((await readRow("sessions", started.sessionId)).output_type).toBe("image");
    expect((await readRow("sessions", started.sessionId)).last_output).toMatch(/ask again for the other 2\.$/);
    expect(stage.pathsAsked()).toEqual(["/v1/chat/completions", "/v1/images/generations"]);
  });

  it("takes the place of what the model said before it, for readers of the stream too", async () => {
    const started = await startTurn(`[[answer:Here is your picture, at last.]]${IMAGE_ORDER}`);
    await answerTurn(started.turnId, 0);
    const { rows } = await db().query("SELECT type, data FROM session_events WHERE session_id = $1 ORDER BY seq", [
      started.sessionId,
    ]);
    const last = rows.findLastIndex((event) => event.type === "reset");
    expect(last).toBeGreaterThan(0);
    const text = rows
      .slice(last)
      .map((event) => event.data.delta ?? "")
      .join("");
    expect(text).toBe((await readRow("sessions", started.sessionId)).last_output);
  });

  it.each([
    ["a NUL", "a red\u0000 bicycle", "a red bicycle"],
    ["half of a character", "a red bicycle \ud83d", "a red bicycle \ufffd"],
  ])("is made though %s stands in what the model ordered", async (_, prompt, sent) => {
    const started = await startTurn(order("create_image", { prompt }));
    expect(await answerTurn(started.turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("sessions", started.sessionId)).toMatchObject({ status: "completed", output_type: "image" });
    expect(stage.model.journal.at(-1)?.body.prompt).toBe(sent);
  });

  it("is the picture behind an address on the model's own server", async () => {
    const started = await startTurn(order("create_image", { prompt: "a hut ((url:own))" }));
    await answerTurn(started.turnId, 0);
    expect((await readOutput(started)).equals(madeImage())).toBe(true);
  });

  it.each([
    ["an address elsewhere", "create_image", { prompt: "x ((url:http://127.0.0.1:9/secret))" }],
    ["a cloud's own address", "create_image", { prompt: "x ((url:http://169.254.169.254/latest/meta-data))" }],
    ["a picture that is none", "create_image", { prompt: "x ((no-media))" }],
    ["speech that is none", "create_speech", { text: "x ((no-media))" }],
    ["a server without pictures", "create_image", { prompt: "x ((fail:404))" }],
    ["a server that makes no pictures any more", "create_image", { prompt: "x ((fail:410))" }],
    ["a server without speech", "create_speech", { text: "x ((fail:405))" }],
    ["a server without videos", "create_video", { prompt: "x ((fail:501))" }],
  ])("ends as UNSUPPORTED_OUTPUT for %s, free of charge and without a trace", async (_, tool, args) => {
    const started = await startTurn(order(tool, args));
    expect(await answerTurn(started.turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("sessions", started.sessionId)).toMatchObject({
      status: "failed",
      error_code: "UNSUPPORTED_OUTPUT",
      error_message: expect.not.stringMatching(/SECRET/),
    });
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });

  it.each([
    ["((fail:400))", "MODEL_REJECTED", 0],
    ["((fail:401))", "MODEL_NOT_CONFIGURED", 0],
    ["((fail:429))", "MODEL_RATE_LIMITED", 2],
    ["((fail:500))", "MODEL_UNAVAILABLE", 2],
    ["((reset))", "MODEL_UNAVAILABLE", 2],
    ["((break))", "MODEL_UNAVAILABLE", 2],
    ["((stall))", "MODEL_TIMEOUT", 2],
  ])("after %s ends as %s behind %i retries, which ask the model no more", async (fault, code, retries) => {
    const started = await startTurn(order("create_speech", { text: `Hello ${fault}` }));
    for (let attempt = 0; attempt < retries; attempt++) {
      expect(await answerTurn(started.turnId, attempt)).toMatchObject({ status: "retry", reason: code });
    }
    expect(await answerTurn(started.turnId, retries)).toEqual({ status: "ended" });
    expect((await readRow("sessions", started.sessionId)).error_code).toBe(code);
    expect(stage.countOf("/v1/chat/completions")).toBe(1);
    const keys = stage.model.journal.slice(1).map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(Array(retries + 1).fill(`${started.turnId}:output`));
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });

  it("is made by a model that sends its call in one piece", async () => {
    const started = await startTurn(`[[whole-call]]${IMAGE_ORDER}`);
    await answerTurn(started.turnId, 0);
    expect((await readRow("sessions", started.sessionId)).output_type).toBe("image");
  });
});

describe("stored bytes", () => {
  /** A worker that dies when the bytes are stored and the turn is not yet ended. */
  async function storedAndDied(): Promise<StartedTurn> {
    const started = await startTurn(IMAGE_ORDER);
    vi.spyOn(TurnWriter.prototype, "finish").mockRejectedValueOnce(new Error("the worker died"));
    await expect(answerTurn(started.turnId, 0)).rejects.toThrow("the worker died");
    vi.restoreAllMocks();
    return started;
  }

  it("are used by the next worker when the first one died before it ended the turn", async () => {
    const started = await storedAndDied();
    expect(await answerTurn(started.turnId, 1)).toEqual({ status: "ended" });
    expect(stage.pathsAsked()).toEqual(["/v1/chat/completions", "/v1/images/generations"]);
    expect((await readOutput(started)).equals(madeImage())).toBe(true);
    const { rows } = await db().query("SELECT count(*) AS n FROM pending_uploads WHERE project_id = $1", [
      started.account.projectId,
    ]);
    expect(rows[0].n).toBe(0);
  });

  it("stay for it however long the first one has been dead: no sweep takes them with its uploads", async () => {
    const started = await storedAndDied();
    await db().query(
      "UPDATE pending_uploads SET leased_until = now() - interval '1 hour' WHERE leased_until IS NOT NULL",
    );
    await sweepUploads();
    expect(await answerTurn(started.turnId, 1)).toEqual({ status: "ended" });
    expect(stage.countOf("/v1/images/generations")).toBe(1);
    expect((await readOutput(started)).equals(madeImage())).toBe(true);
  });

  it.each<StatementFault>(["lost", "cut"])(
    "of which the note is %s with its connection do not keep the next try from ending the turn, with a picture that is paid once",
    async (fault) => {
      const started = await startTurn(IMAGE_ORDER);
      const before = await stage.filesOnDisk();
      const answer = () => answerTurn(started.turnId, 0);
      const { outcome } = await whileFailing({ number: 1, of: /^note-output-draft/ }, fault, answer);
      expect(outcome.status).toBe("rejected");
      expect(await answerTurn(started.turnId, 1)).toEqual({ status: "ended" });
      expect((await readOutput(started)).equals(madeImage())).toBe(true);
      expect(stage.countOf("/v1/images/generations")).toBe(1);
      await sweepUploads(-1);
      expect(await stage.filesOnDisk()).toBe(before + 1);
    },
  );

  it("of a turn that is canceled before it ends are removed", async () => {
    const before = await stage.filesOnDisk();
    const started = await storedAndDied();
    expect(await stage.filesOnDisk()).toBe(before + 1);
    await cancelTurns(started.sessionId);
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
    expect(await stage.filesOnDisk()).toBe(before);
  });

  it("are not left when the turn is canceled while they come", async () => {
    const started = await startTurn(order("create_speech", { text: "slow ((slow:300ms))" }));
    const before = await stage.filesOnDisk();
    const answering = answerTurn(started.turnId, 0);
    await stage.model.waitForRequests(2);
    await cancelTurns(started.sessionId);
    expect(await answering).toEqual({ status: "ended" });
    expect((await readRow("sessions", started.sessionId)).status).toBe("canceled");
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
    expect(await stage.filesOnDisk()).toBe(before);
  });

  it("that the store does not take are no fault of the call: the queue tries again, nothing is left", async () => {
    const started = await startTurn(IMAGE_ORDER);
    const write = vi.spyOn(fileStoreOf("disk"), "write").mockRejectedValueOnce(new Error("disk away"));
    await expect(answerTurn(started.turnId, 0)).rejects.toThrow("disk away");
    write.mockRestore();
    const { rows } = await db().query("SELECT count(*) AS n FROM pending_uploads WHERE project_id = $1", [
      started.account.projectId,
    ]);
    expect(rows[0].n).toBe(0);
    await answerTurn(started.turnId, 1);
    expect((await readRow("sessions", started.sessionId)).status).toBe("completed");
    expect(stage.countOf("/v1/chat/completions")).toBe(1);
  });

  it("that the store does not take while it is away are made once, and paid once", async () => {
    const started = await startTurn(IMAGE_ORDER);
    const away = new AppError("SERVICE_UNAVAILABLE", "The file store cannot be reached right now.");
    const write = vi.spyOn(fileStoreOf("disk"), "write").mockRejectedValue(away);
    for (const attempt of [0, 1, 2]) await expect(answerTurn(started.turnId, attempt)).rejects.toBe(away);
    write.mockRestore();
    expect(await answerTurn(started.turnId, 3)).toEqual({ status: "ended" });
    expect(stage.pathsAsked()).toEqual(["/v1/chat/completions", "/v1/images/generations"]);
    expect((await readOutput(started)).equals(madeImage())).toBe(true);
    expect(takeUnstored(started.turnId)).toBeUndefined();
  });

  it("of a worker that lost the turn are not kept", async () => {
    const started = await startTurn(order("create_speech", { text: "slow ((slow:300ms))" }));
    const first = answerTurn(started.turnId, 0);
    await stage.model.waitForRequests(2);
    const second = answerTurn(started.turnId, 0);
    await Promise.all([first, second]);
    const { rows } = await db().query(
      `SELECT (SELECT count(*) FROM stored_files WHERE project_id = $1) AS files,
              (SELECT count(*) FROM pending_uploads WHERE project_id = $1) AS pending`,
      [started.account.projectId],
    );
    expect(rows[0]).toEqual({ files: 1, pending: 0 });
    expect(await sweepUploads(0)).toEqual({ removed: 0, failed: 0 });
    expect(await checkBooks(started.account.accountId)).toMatchObject({ isClean: true, reserved: 0 });
  });
});
