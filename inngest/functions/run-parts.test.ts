import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { callFunction } from "@/e2e/support/call-function";
import { useTestSettings } from "@/e2e/support/test-settings";
import { runParts } from "@/inngest/functions/run-parts";

const done = vi.hoisted(() => [] as string[]);
const failing = vi.hoisted(() => new Set<string>());
const service = vi.hoisted(() => (name: string) => ({
  [name]: async () => {
    if (failing.has(name)) throw new Error(`${name} failed.`);
    done.push(name);
  },
}));
vi.mock("@/lib/services/alerts/watch-usage", () => service("watchUsage"));
vi.mock("@/lib/services/alerts/watch-limits", () => service("watchLimits"));
vi.mock("@/lib/services/alerts/watch-keys", () => service("watchKeys"));
vi.mock("@/lib/services/alerts/watch-keys-elsewhere", () => service("watchKeysElsewhere"));
vi.mock("@/lib/services/alerts/watch-failing-sessions", () => service("watchFailingSessions"));
vi.mock("@/lib/services/alerts/mail-alerts", () => service("mailAlerts"));
vi.mock("@/lib/services/alerts/chat-alerts", () => service("chatAlerts"));
vi.mock("@/lib/services/mail/redispatch-mails", () => service("redispatchMails"));
vi.mock("@/lib/services/alerts/redispatch-chat-messages", () => service("redispatchChatMessages"));
vi.mock("@/lib/services/data-rights/redispatch-data-requests", () => service("redispatchDataRequests"));

beforeAll(() => useTestSettings("postgres://nobody@127.0.0.1:1/none"));
beforeEach(() => {
  done.length = 0;
  failing.clear();
});

describe("a part that fails", () => {
  it("keeps no alert from being raised and told of, and is told of itself", async () => {
    const { sweepAlertsFunction } = await import("@/inngest/functions/sweep-alerts");
    failing.add("watchUsage").add("mailAlerts");
    await expect(callFunction(sweepAlertsFunction)).rejects.toThrow("watchUsage failed. mailAlerts failed.");
    expect(done).toEqual(["watchLimits", "watchKeys", "watchKeysElsewhere", "watchFailingSessions", "chatAlerts"]);
  });

  it("keeps nothing else that the queue has forgotten from being handed over", async () => {
    const { sweepForgottenFunction } = await import("@/inngest/functions/sweep-forgotten");
    failing.add("redispatchMails");
    await expect(callFunction(sweepForgottenFunction)).rejects.toThrow("redispatchMails failed.");
    expect(done).toEqual(["redispatchChatMessages", "redispatchDataRequests"]);
  });
});

it("tells what came of each part", async () => {
  const step = { run: (_name: string, work: () => Promise<unknown>) => work() };
  expect(
    await runParts(step, [
      ["one", async () => 1],
      ["two", async () => ({ raised: 2 })],
    ]),
  ).toEqual({
    one: 1,
    two: { raised: 2 },
  });
});
