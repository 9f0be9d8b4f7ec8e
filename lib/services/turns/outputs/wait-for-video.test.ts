import { describe, expect, it, vi } from "vitest";
import { order, startTurn, useOutputStage } from "@/e2e/support/output-stage";
import { readRow } from "@/e2e/support/turn-reads";
import { db } from "@/lib/db/pool";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { followVideo } from "@/lib/services/turns/outputs/follow-video";
import { TurnWriter } from "@/lib/services/turns/turn-writer";

const stage = useOutputStage();

/** A video that is there after so many questions. */
async function begun(questions: number) {
  const started = await startTurn(order("create_video", { prompt: `a wave ((questions:${questions}))` }));
  await answerTurn(started.turnId, 0);
  const { generation } = await readRow("turns", started.turnId);
  return { ...started, follow: () => followVideo(started.turnId, generation) };
}

async function beginEarlier(turnId: string, seconds: number): Promise<void> {
  const text = "UPDATE turn_outputs SET job_at = now() - make_interval(secs => $2) WHERE turn_id = $1";
  await db().query(text, [turnId, seconds]);
}

describe("a video that takes long", () => {
  it("is asked after less and less often, and its turn is not taken for lost until then", async () => {
    const { turnId, follow } = await begun(99);
    expect(await follow()).toEqual({ status: "working", delaySeconds: 1 });
    await beginEarlier(turnId, 50);
    const progress = await follow();
    expect(progress).toMatchObject({ status: "working", delaySeconds: expect.closeTo(2.5, 1) });
    const { rows } = await db().query<{ seconds: number }>(
      "SELECT extract(epoch FROM heartbeat_at - now())::float8 AS seconds FROM turns WHERE id = $1",
      [turnId],
    );
    expect(rows[0]?.seconds).toBeGreaterThan(1.5);
  });

  it("leaves no worker behind that tells of it between two questions", async () => {
    const close = vi.spyOn(TurnWriter.prototype, "close");
    const { follow } = await begun(99);
    close.mockClear();
    await follow();
    await follow();
    expect(close).toHaveBeenCalledTimes(2);
    close.mockRestore();
  });

  it("fails by what the provider answers last, once its time is over", async () => {
    const { turnId, sessionId, follow } = await begun(99);
    await beginEarlier(turnId, 61);
    stage.model.setBehaviour({ fault: { kind: "status", status: 503 }, faultTimes: 9 });
    expect(await follow()).toEqual({ status: "ended" });
    expect((await readRow("sessions", sessionId)).error_code).toBe("MODEL_UNAVAILABLE");
  });
});

it("a video that is stored is not asked after again, which its provider may have forgotten by then", async () => {
  const { sessionId, follow } = await begun(0);
  const failing = vi.spyOn(await import("@/lib/services/turns/end-turn"), "endTurn");
  failing.mockRejectedValueOnce(new Error("The database is away."));
  await expect(follow()).rejects.toThrow("away");
  failing.mockRestore();
  stage.model.setBehaviour({ fault: { kind: "status", status: 404 }, faultTimes: 9 });
  expect(await follow()).toEqual({ status: "ended" });
  expect(await readRow("sessions", sessionId)).toMatchObject({ status: "completed", output_type: "video" });
});
