import { describe, expect, it, vi } from "vitest";
import { madeVideo } from "@/e2e/support/model-server-outputs";
import {
  NOTHING_LEFT,
  order,
  readOutput,
  readRemains,
  type StartedTurn,
  startTurn,
  useOutputStage,
  VIDEO_ORDER,
} from "@/e2e/support/output-stage";
import { readRow } from "@/e2e/support/turn-reads";
import { db } from "@/lib/db/pool";
import { checkBooks } from "@/lib/services/credits/check-books";
import { abandonTurn, answerTurn } from "@/lib/services/turns/answer-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { followVideo } from "@/lib/services/turns/outputs/follow-video";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";

const stage = useOutputStage();

async function generationOf(turnId: string): Promise<number> {
  return (await readRow("turns", turnId)).generation;
}

describe("a video", () => {
  async function begun(input = VIDEO_ORDER): Promise<StartedTurn & { generation: number }> {
    const started = await startTurn(input);
    expect(await answerTurn(started.turnId, 0)).toEqual({ status: "ended" });
    return { ...started, generation: await generationOf(started.turnId) };
  }

  it("is asked after until it is there, then is the turn's output", async () => {
    const started = await begun(
      order("create_video", { prompt: "a wave ((questions:2))", seconds: "8", shape: "portrait" }),
    );
    expect(await readRow("turns", started.turnId)).toMatchObject({ status: "running", credits_reserved: 81 });
    expect(stage.model.journal.find(({ path }) => path === "/v1/videos")?.body).toMatchObject({
      seconds: "8",
      size: "720x1280",
      model: "sora-2",
    });
    const { rows } = await db().query(
      "SELECT data FROM outbox_events WHERE name = 'video/started' AND data->>'turnId' = $1",
      [started.turnId],
    );
    expect(rows).toEqual([{ data: { turnId: started.turnId, generation: 1, accountId: started.account.accountId } }]);
    for (let question = 1; question <= 2; question++) {
      expect(await followVideo(started.turnId, started.generation)).toMatchObject({
        status: "working",
        delaySeconds: 1,
      });
    }
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "ended" });
    expect(await readRow("sessions", started.sessionId)).toMatchObject({
      status: "completed",
      output_type: "video",
      credits_used: 81,
      last_output: expect.stringMatching(/^Video \(MP4, 8 s, \d+ KB\): “a wave/),
    });
    expect((await readOutput(started)).equals(madeVideo("a wave [[questions:2]]"))).toBe(true);
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "ended" });
    expect(await checkBooks(started.account.accountId)).toMatchObject({ isClean: true, reserved: 0, balance: 919 });
  });

  /** What readers of the stream have at its end, and what was dropped before. */
  async function streamed(sessionId: string): Promise<{ text: string; dropped: string }> {
    const { rows } = await db().query<{ type: string; data: { delta?: string } }>(
      "SELECT type, data FROM session_events WHERE session_id = $1 ORDER BY seq",
      [sessionId],
    );
    const textOf = (events: typeof rows) => events.map(({ data }) => data.delta ?? "").join("");
    const reset = rows.findLastIndex(({ type }) => type === "reset");
    return { text: textOf(rows.slice(reset + 1)), dropped: textOf(rows.slice(0, reset)) };
  }

  it("takes the place of what the model said before it, for readers of the stream too", async () => {
    const started = await begun(`[[answer:Here is your video, at last.]]${VIDEO_ORDER}`);
    await followVideo(started.turnId, started.generation);
    await followVideo(started.turnId, started.generation);
    const { last_output: output } = await readRow("sessions", started.sessionId);
    expect(await streamed(started.sessionId)).toEqual({ text: output, dropped: "Here is your video, at last." });
  });

  it("is described once, also when the turn could not be ended at the first try", async () => {
    const started = await begun(order("create_video", { prompt: "x ((questions:0))" }));
    const failing = vi.spyOn(await import("@/lib/services/turns/end-turn"), "endTurn");
    failing.mockRejectedValueOnce(new Error("The database is away."));
    await expect(followVideo(started.turnId, started.generation)).rejects.toThrow("away");
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "ended" });
    failing.mockRestore();
    const { last_output: output } = await readRow("sessions", started.sessionId);
    expect(await streamed(started.sessionId)).toEqual({ text: output, dropped: output });
  });

  it("is not taken for lost while nobody asks", async () => {
    const started = await begun();
    await followVideo(started.turnId, started.generation);
    const before = await readRow("turns", started.turnId);
    await redispatchTurns(30);
    expect((await readRow("turns", started.turnId)).redispatches).toBe(before.redispatches);
  });

  it("that was forgotten by the queue is asked after by the next worker, and not begun again", async () => {
    const started = await begun();
    const begunAt = async () =>
      (await db().query("SELECT job_at FROM turn_outputs WHERE turn_id = $1", [started.turnId])).rows[0]?.job_at;
    const at = await begunAt();
    await db().query("UPDATE turns SET heartbeat_at = now() - interval '1 hour' WHERE id = $1", [started.turnId]);
    expect(await redispatchTurns(30)).toBeGreaterThan(0);
    expect(await answerTurn(started.turnId, 0)).toEqual({ status: "ended" });
    expect(await begunAt(), "its time runs on").toEqual(at);
    const generation = await generationOf(started.turnId);
    expect(generation).toBe(2);
    expect(await followVideo(started.turnId, 1)).toEqual({ status: "ended" });
    await followVideo(started.turnId, generation);
    await followVideo(started.turnId, generation);
    expect((await readRow("sessions", started.sessionId)).status).toBe("completed");
    expect([stage.countOf("/v1/chat/completions"), stage.countOf("/v1/videos")]).toEqual([1, 1]);
  });

  it("whose worker died before the job was noted is the same job at a provider that heeds the key", async () => {
    const started = await begun();
    await db().query("UPDATE turn_outputs SET job_id = NULL, job_at = NULL WHERE turn_id = $1", [started.turnId]);
    await answerTurn(started.turnId, 1);
    const keys = stage.model.journal
      .filter(({ path }) => path === "/v1/videos")
      .map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([`${started.turnId}:output`, `${started.turnId}:output`]);
    const { rows } = await db().query("SELECT count(DISTINCT job_id) AS jobs FROM turn_outputs WHERE turn_id = $1", [
      started.turnId,
    ]);
    expect(rows[0].jobs).toBe(1);
  });

  it("that fails at the provider fails the turn, free of charge", async () => {
    const started = await begun(order("create_video", { prompt: "x ((questions:0)) ((video-fails))" }));
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "ended" });
    expect(await readRow("sessions", started.sessionId)).toMatchObject({
      status: "failed",
      error_code: "MODEL_REJECTED",
      error_message: expect.not.stringMatching(/SECRET/),
    });
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });

  it("goes on when a question is not answered", async () => {
    const started = await begun(order("create_video", { prompt: "x ((questions:0))" }));
    stage.model.setBehaviour({ fault: { kind: "status", status: 503, retryAfter: "7" }, faultTimes: 2 });
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "working", delaySeconds: 7 });
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "working", delaySeconds: 7 });
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "ended" });
    expect((await readRow("sessions", started.sessionId)).status).toBe("completed");
  });

  it("that is never ready ends as MODEL_TIMEOUT", async () => {
    const started = await begun(order("create_video", { prompt: "x ((questions:99))" }));
    await db().query("UPDATE turn_outputs SET job_at = now() - interval '61 seconds' WHERE turn_id = $1", [
      started.turnId,
    ]);
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "ended" });
    expect((await readRow("sessions", started.sessionId)).error_code).toBe("MODEL_TIMEOUT");
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });

  it("of a canceled turn is asked after no more", async () => {
    const started = await begun();
    await cancelTurns(started.sessionId);
    stage.model.journal.length = 0;
    expect(await followVideo(started.turnId, started.generation)).toEqual({ status: "ended" });
    expect(stage.model.journal).toHaveLength(0);
    expect((await readRow("sessions", started.sessionId)).status).toBe("canceled");
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });

  it("that the queue gave up on ends as INTERNAL_ERROR, unless another worker has it", async () => {
    const started = await begun();
    await claimTurn(started.turnId);
    await abandonTurn(started.turnId, started.generation);
    expect((await readRow("turns", started.turnId)).status).toBe("running");
    await abandonTurn(started.turnId, started.generation + 1);
    expect((await readRow("turns", started.turnId)).error_code).toBe("INTERNAL_ERROR");
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });
});
