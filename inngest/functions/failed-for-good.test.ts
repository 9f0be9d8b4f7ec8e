import type { InngestFunction } from "inngest";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { callOnFailure } from "@/e2e/support/call-function";
import { useTestSettings } from "@/e2e/support/test-settings";

const ended = vi.hoisted(() => ({
  abandonTurn: vi.fn(),
  giveUpMail: vi.fn(),
  giveUpChatMessage: vi.fn(),
  failDataRequest: vi.fn(),
  failAccountExport: vi.fn(),
}));
vi.mock("@/lib/services/turns/answer-turn", () => ({ abandonTurn: ended.abandonTurn, answerTurn: vi.fn() }));
vi.mock("@/lib/services/mail/deliver-mail", () => ({ giveUpMail: ended.giveUpMail, deliverMail: vi.fn() }));
vi.mock("@/lib/services/alerts/send-chat-message", () => ({
  giveUpChatMessage: ended.giveUpChatMessage,
  sendChatMessage: vi.fn(),
}));
vi.mock("@/lib/services/data-rights/claim-data-request", () => ({ failDataRequest: ended.failDataRequest }));
vi.mock("@/lib/services/data-rights/account-export-state", () => ({ failAccountExport: ended.failAccountExport }));
vi.mock("@/lib/services/data-rights/export-end-user", () => ({ exportEndUser: vi.fn() }));
vi.mock("@/lib/services/data-rights/export-account", () => ({ exportAccount: vi.fn() }));
vi.mock("@/lib/services/data-rights/erase-end-user", () => ({ eraseEndUser: vi.fn(), finishErasure: vi.fn() }));

type Load = () => Promise<InngestFunction.Any>;

const CASES: [string, Load, object, keyof typeof ended, unknown[]][] = [
  [
    "an answer ends its turn",
    async () => (await import("@/inngest/functions/answer-turn")).answerTurnFunction,
    { turnId: "trn_1", sessionId: "ses_1", accountId: "acc_1" },
    "abandonTurn",
    ["trn_1"],
  ],
  [
    "a video ends its turn, unless another worker has it by then",
    async () => (await import("@/inngest/functions/finish-video")).finishVideoFunction,
    { turnId: "trn_1", generation: 3, accountId: "acc_1" },
    "abandonTurn",
    ["trn_1", 3],
  ],
  [
    "a mail is given up",
    async () => (await import("@/inngest/functions/send-mail")).sendMailFunction,
    { mailId: "mail_1" },
    "giveUpMail",
    ["mail_1"],
  ],
  [
    "a message to a chat is given up",
    async () => (await import("@/inngest/functions/send-chat-message")).sendChatMessageFunction,
    { messageId: "msc_1" },
    "giveUpChatMessage",
    ["msc_1"],
  ],
  [
    "an end user's export is told to have failed",
    async () => (await import("@/inngest/functions/export-end-user")).exportEndUserFunction,
    { dataRequestId: "drq_1" },
    "failDataRequest",
    ["drq_1"],
  ],
  [
    "an account's export is told to have failed",
    async () => (await import("@/inngest/functions/export-account")).exportAccountFunction,
    { exportId: "exp_1" },
    "failAccountExport",
    ["exp_1"],
  ],
];

beforeAll(() => useTestSettings("postgres://nobody@127.0.0.1:1/none", { LOG_LEVEL: "info", LOG_FORMAT: "json" }));
afterEach(() => vi.restoreAllMocks());

describe("work whose attempts have all failed", () => {
  it.each(CASES)("of %s: nobody waits for it for good", async (_what, load, data, service, args) => {
    await callOnFailure(await load(), data);
    expect(ended[service].mock.calls).toEqual([args]);
  });

  it.each([
    [
      "an account's",
      async () => (await import("@/inngest/functions/erase-account")).eraseAccountFunction,
      { accountId: "acc_1" },
    ],
    [
      "an end user's",
      async () => (await import("@/inngest/functions/erase-end-user")).eraseEndUserFunction,
      { dataRequestId: "drq_1" },
    ],
  ])(
    "of %s erasure is told to whoever runs the service, by its id, and stands: the sweep goes on with it",
    async (_whose, load, data) => {
      const lines: string[] = [];
      vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
      await callOnFailure(await load(), data, new Error("The store is away."));
      expect(JSON.parse(lines.join(""))).toMatchObject({ level: "error", ...data });
      expect(ended.failDataRequest).not.toHaveBeenCalled();
    },
  );
});
