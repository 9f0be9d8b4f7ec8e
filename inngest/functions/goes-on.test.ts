import { RetryAfterError } from "inngest";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { callFunction } from "@/e2e/support/call-function";
import { useTestSettings } from "@/e2e/support/test-settings";
import { TurnError } from "@/lib/domain/turn-errors";
import type { ReadingSteps } from "@/lib/services/turns/parts/read-document";

const services = vi.hoisted(() => ({
  attemptDelivery: vi.fn(),
  followVideo: vi.fn(),
  answerTurn: vi.fn(),
  readDocument: vi.fn(),
  readPart: vi.fn(),
  rememberTurn: vi.fn(),
  eraseAccount: vi.fn(),
  eraseEndUser: vi.fn(),
  finishErasure: vi.fn(),
  isErasureUnderWay: vi.fn(),
  exportAccount: vi.fn(),
  sweepRetention: vi.fn(),
}));
vi.mock("@/lib/services/deliveries/attempt-delivery", () => ({ attemptDelivery: services.attemptDelivery }));
vi.mock("@/lib/services/turns/outputs/follow-video", () => ({ followVideo: services.followVideo }));
vi.mock("@/lib/services/turns/answer-turn", () => ({ answerTurn: services.answerTurn, abandonTurn: vi.fn() }));
vi.mock("@/lib/services/turns/parts/read-document", () => ({ readDocument: services.readDocument }));
vi.mock("@/lib/services/turns/parts/read-part", () => ({ readPart: services.readPart }));
vi.mock("@/lib/services/memory/remember-turn", () => ({ rememberTurn: services.rememberTurn }));
vi.mock("@/lib/services/data-rights/erase-account", () => ({ eraseAccount: services.eraseAccount }));
vi.mock("@/lib/services/data-rights/erase-end-user", () => ({
  eraseEndUser: services.eraseEndUser,
  finishErasure: services.finishErasure,
}));
vi.mock("@/lib/services/data-rights/account-export-state", () => ({
  isErasureUnderWay: services.isErasureUnderWay,
  failAccountExport: vi.fn(),
}));
vi.mock("@/lib/services/data-rights/export-account", () => ({ exportAccount: services.exportAccount }));
vi.mock("@/lib/services/retention/sweep-retention", () => ({ sweepRetention: services.sweepRetention }));
vi.mock("@/lib/services/sessions/count-sessions", () => ({ addUpAllSessions: async () => {} }));

beforeAll(() => useTestSettings("postgres://nobody@127.0.0.1:1/none", { VIDEO_POLL_SECONDS: "7" }));
beforeEach(() => {
  for (const service of Object.values(services)) service.mockReset();
});
afterEach(() => vi.restoreAllMocks());

describe("a delivery", () => {
  it("is tried on in its own round until its service says that it has ended, and waits as long as that says", async () => {
    const { deliverWebhookFunction } = await import("@/inngest/functions/deliver-webhook");
    services.attemptDelivery
      .mockResolvedValueOnce({ outcome: "retry", delaySeconds: 4.2, nextNumber: 2 })
      .mockResolvedValueOnce({ outcome: "retry", delaySeconds: 0, nextNumber: 3 })
      .mockResolvedValueOnce({ outcome: "failed" });
    const called = await callFunction(deliverWebhookFunction, { deliveryId: "dlv_1", round: 2, receiver: "acc_1" });
    expect(services.attemptDelivery.mock.calls).toEqual([
      ["dlv_1", 2, 1],
      ["dlv_1", 2, 2],
      ["dlv_1", 2, 3],
    ]);
    expect(called).toEqual({
      result: "failed",
      steps: ["attempt-2", "attempt-3"],
      sleeps: ["wait-for-2 5s", "wait-for-3 1s"],
    });
  });
});

describe("a video", () => {
  const data = { turnId: "trn_1", generation: 3, accountId: "acc_1" };

  it("is asked after as often as the settings say, then as its service does, until it has ended", async () => {
    const { finishVideoFunction } = await import("@/inngest/functions/finish-video");
    services.followVideo
      .mockResolvedValueOnce({ status: "waiting", delaySeconds: 2.5 })
      .mockResolvedValueOnce({ status: "waiting", delaySeconds: 0 })
      .mockResolvedValueOnce({ status: "ended" });
    const { sleeps, steps } = await callFunction(finishVideoFunction, data);
    expect(sleeps).toEqual(["wait-1 7s", "wait-2 3s", "wait-3 1s"]);
    expect(steps).toEqual(["follow-video-1", "follow-video-2", "follow-video-3"]);
    expect(services.followVideo.mock.calls).toEqual(Array(3).fill(["trn_1", 3]));
  });

  it("is asked after again soon where that met a fault of ours", async () => {
    const { finishVideoFunction } = await import("@/inngest/functions/finish-video");
    services.followVideo.mockRejectedValue(new Error("no database"));
    const error = await callFunction(finishVideoFunction, data).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RetryAfterError);
    expect(Number((error as RetryAfterError).retryAfter)).toBe(5);
  });
});

describe("an answer", () => {
  const data = { turnId: "trn_1", sessionId: "ses_1", accountId: "acc_1" };

  it("that is made at once is made once, and nothing is read for it", async () => {
    const { answerTurnFunction } = await import("@/inngest/functions/answer-turn");
    services.answerTurn.mockResolvedValue({ status: "ended" });
    await callFunction(answerTurnFunction, data, 2);
    expect(services.answerTurn.mock.calls).toEqual([["trn_1", 2]]);
    expect(services.readDocument).not.toHaveBeenCalled();
  });

  it("goes on with the tries that were made before it was held", async () => {
    const { answerTurnFunction } = await import("@/inngest/functions/answer-turn");
    services.answerTurn.mockResolvedValue({ status: "ended" });
    await callFunction(answerTurnFunction, { ...data, tried: 3 }, 2);
    expect(services.answerTurn.mock.calls).toEqual([["trn_1", 5]]);
  });

  it.each([
    { part: "done", isMade: true },
    { part: "ended", isMade: false },
  ])(
    "for which a document is read in parts is made of them: $isMade where a part is $part",
    async ({ part, isMade }) => {
      const { answerTurnFunction } = await import("@/inngest/functions/answer-turn");
      services.answerTurn.mockResolvedValue({ status: "parts" });
      services.readPart.mockResolvedValue({ status: part });
      services.readDocument.mockImplementation((steps: ReadingSteps) => steps.read(4, 1, 0));
      await callFunction(answerTurnFunction, data, 2);
      expect(services.readPart.mock.calls).toEqual([[{ turnId: "trn_1", generation: 4, level: 1, position: 0 }, 2]]);
      expect(services.answerTurn.mock.calls).toEqual([["trn_1", 2], ...(isMade ? [["trn_1", 2, true]] : [])]);
    },
  );
});

describe("what is remembered of an end user", () => {
  it("is tried again later where the model is away, and left where it refuses for good", async () => {
    const { updateMemoryFunction } = await import("@/inngest/functions/update-memory");
    services.rememberTurn.mockRejectedValueOnce(new TurnError("MODEL_UNAVAILABLE", "away", { isRetryable: true }));
    const error = await callFunction(updateMemoryFunction, { turnId: "trn_1" }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RetryAfterError);
    services.rememberTurn.mockRejectedValueOnce(new TurnError("MODEL_REJECTED", "no", { isRetryable: false }));
    expect((await callFunction(updateMemoryFunction, { turnId: "trn_1" })).result).toBe("refused");
    services.rememberTurn.mockRejectedValueOnce(new Error("no database"));
    await expect(callFunction(updateMemoryFunction, { turnId: "trn_1" })).rejects.toBeInstanceOf(RetryAfterError);
  });
});

describe("what is remembered of an end user, where the model's provider fails", () => {
  it.each([
    ["MODEL_UNAVAILABLE", 2, "again"],
    ["MODEL_UNAVAILABLE", 3, "refused"],
    ["MODEL_RATE_LIMITED", 3, "again"],
    ["MODEL_RATE_LIMITED", 8, "again"],
    ["MODEL_RATE_LIMITED", 14, "refused"],
  ] as const)("waits as work on files does: %s at try %i is %s", async (code, attempt, outcome) => {
    const { updateMemoryFunction } = await import("@/inngest/functions/update-memory");
    services.rememberTurn.mockRejectedValueOnce(new TurnError(code, "fails", { isRetryable: true }));
    const called = callFunction(updateMemoryFunction, { turnId: "trn_1" }, attempt);
    if (outcome === "refused") expect((await called).result).toBe("refused");
    else await expect(called).rejects.toBeInstanceOf(RetryAfterError);
  });
});

describe("what is kept for a time only", () => {
  it("is swept until nothing of it is left, each time under a name of its own", async () => {
    const { sweepRetentionFunction } = await import("@/inngest/functions/sweep-retention");
    const sweeps = [{ isMore: true }, { isMore: true }, { isMore: false }];
    for (const sweep of sweeps) services.sweepRetention.mockResolvedValueOnce(sweep);
    const { result, steps } = await callFunction(sweepRetentionFunction);
    expect(steps).toEqual(["sweep-retention", "sweep-retention-2", "sweep-retention-3", "add-up-sessions"]);
    expect(result).toEqual(sweeps);
  });

  it("is left for the next hour where there is no end to it", async () => {
    const { sweepRetentionFunction } = await import("@/inngest/functions/sweep-retention");
    services.sweepRetention.mockResolvedValue({ isMore: true });
    const { steps } = await callFunction(sweepRetentionFunction);
    expect(new Set(steps).size).toBe(25 + 1);
  });
});

describe("an erasure", () => {
  it("of an account is done once more, after what was on its way has been written", async () => {
    const { eraseAccountFunction } = await import("@/inngest/functions/erase-account");
    const { steps, sleeps } = await callFunction(eraseAccountFunction, { accountId: "acc_1" });
    expect(services.eraseAccount.mock.calls).toEqual([["acc_1"], ["acc_1"]]);
    // A step of a name that ran before is not run again.
    expect(new Set(steps).size).toBe(2);
    expect(sleeps).toEqual(["late-writes 2m"]);
  });

  it("of an end user is finished after what was on its way has been written", async () => {
    const { eraseEndUserFunction } = await import("@/inngest/functions/erase-end-user");
    const { sleeps } = await callFunction(eraseEndUserFunction, { dataRequestId: "drq_1" });
    expect(services.eraseEndUser.mock.calls).toEqual([["drq_1"]]);
    expect(services.finishErasure.mock.calls).toEqual([["drq_1"]]);
    expect(sleeps).toEqual(["late-writes 2m"]);
  });
});

describe("an export of an account", () => {
  const data = { exportId: "exp_1" };

  it("waits while an end user is erased: the end of that would take it along", async () => {
    const { exportAccountFunction } = await import("@/inngest/functions/export-account");
    services.isErasureUnderWay.mockResolvedValueOnce(true).mockResolvedValueOnce(true).mockResolvedValueOnce(false);
    const { sleeps, steps } = await callFunction(exportAccountFunction, data);
    expect(sleeps).toEqual(["until-erased-1 10s", "until-erased-2 10s"]);
    expect(steps).toEqual(["look-for-erasures-1", "look-for-erasures-2", "look-for-erasures-3", "export-account"]);
    expect(services.exportAccount.mock.calls).toEqual([["exp_1"]]);
  });

  it("is made after five minutes all the same: an erasure may wait for a store that is away", async () => {
    const { exportAccountFunction } = await import("@/inngest/functions/export-account");
    services.isErasureUnderWay.mockResolvedValue(true);
    const { sleeps, steps } = await callFunction(exportAccountFunction, data);
    expect(sleeps).toHaveLength(30);
    expect(steps.at(-1)).toBe("export-account");
  });
});
