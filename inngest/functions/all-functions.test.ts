import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { InngestFunction } from "inngest";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { callFunction } from "@/e2e/support/call-function";
import { useTestSettings } from "@/e2e/support/test-settings";

const done = vi.hoisted(() => [] as string[]);
const service = vi.hoisted(() => (name: string) => ({ [name]: async () => void done.push(name) }));
vi.mock("@/lib/services/clock/bring-back-times", () => service("bringBackTimes"));
vi.mock("@/lib/services/sessions/expire-sessions", () => service("expireSessions"));
vi.mock("@/lib/services/turns/redispatch-turns", () => service("redispatchTurns"));
vi.mock("@/lib/services/deliveries/redispatch-deliveries", () => service("redispatchDeliveries"));
vi.mock("@/lib/services/mail/redispatch-mails", () => service("redispatchMails"));
vi.mock("@/lib/services/alerts/redispatch-chat-messages", () => service("redispatchChatMessages"));
vi.mock("@/lib/services/data-rights/redispatch-data-requests", () => service("redispatchDataRequests"));
vi.mock("@/lib/services/files/sweep-uploads", async (load) => ({ ...(await load()), ...service("sweepUploads") }));
vi.mock("@/lib/services/idempotency/sweep-idempotency", () => service("sweepIdempotency"));
vi.mock("@/lib/services/people/sweep-people", () => service("sweepPeople"));
vi.mock("@/lib/services/retention/sweep-retention", () => ({
  sweepRetention: async () => {
    done.push("sweepRetention");
    return { isMore: false };
  },
}));
vi.mock("@/lib/services/sessions/count-sessions", async (load) => ({
  ...(await load()),
  ...service("addUpAllSessions"),
}));

const MINUTES = 60_000;

beforeAll(() => useTestSettings("postgres://nobody@127.0.0.1:1/none"));

async function functionsByFile(): Promise<Map<string, InngestFunction.Any>> {
  const files = readdirSync("inngest/functions").filter((name) => /^[a-z-]+\.ts$/.test(name));
  const found = new Map<string, InngestFunction.Any>();
  for (const file of files) {
    const name = file.replace(".ts", "");
    const made: Record<string, unknown> = await import(/* @vite-ignore */ resolve("inngest/functions", file));
    const [, fn] = Object.entries(made).find(([key]) => key.endsWith("Function")) ?? [];
    if (fn) found.set(name, fn as InngestFunction.Any);
  }
  return found;
}

describe("the functions of the queue", () => {
  it("are all served: the work of one that is left out would lie for good", async () => {
    const { functions } = await import("@/inngest");
    const made = await functionsByFile();
    expect(made.size).toBeGreaterThan(10);
    expect(functions.map((fn) => fn.id()).sort()).toEqual([...made.keys()].sort());
    expect(new Set(functions)).toEqual(new Set(made.values()));
  });

  it.each([
    ["bring-back-times", 10, ["bringBackTimes"]],
    ["expire-sessions", 1, ["expireSessions"]],
    ["sweep-turns", 1, ["redispatchTurns"]],
    ["sweep-deliveries", 1, ["redispatchDeliveries"]],
    ["sweep-forgotten", 60, ["redispatchMails", "redispatchChatMessages", "redispatchDataRequests"]],
    ["sweep-uploads", 15, ["sweepUploads"]],
    ["sweep-idempotency", 60, ["sweepIdempotency"]],
    ["sweep-people", 24 * 60, ["sweepPeople"]],
    ["sweep-retention", 60, ["sweepRetention", "addUpAllSessions"]],
  ])("%s comes every %i minutes, and does all that it is there for", async (id, minutes, services) => {
    const { nextTick, parseCron } = await import("@/inngest/embedded/cron");
    const fn = (await functionsByFile()).get(id) as InngestFunction.Any;
    const [trigger] = fn.opts.triggers ?? [];
    const cron = parseCron((trigger as { cron: string }).cron);
    const first = nextTick(cron, new Date("2026-01-01T12:00:00Z"));
    expect(nextTick(cron, first).getTime() - first.getTime()).toBe(minutes * MINUTES);
    done.length = 0;
    await callFunction(fn);
    expect(done).toEqual(services);
  });
});
