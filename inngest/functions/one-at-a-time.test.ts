import type { InngestFunction } from "inngest";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import { until } from "@/inngest/embedded/testing/test-app";
import type { ServiceEvent } from "@/inngest/events";

/** Work that the queue may have twice, because a sweep took it for forgotten while its first run was slow. */

const calls = vi.hoisted(() => ({ began: [] as string[], open: [] as (() => void)[], isHeld: true }));
const work = vi.hoisted(() => async (id: string) => {
  calls.began.push(id);
  if (calls.isHeld) await new Promise<void>((resolve) => calls.open.push(resolve));
});
vi.mock("@/lib/services/mail/deliver-mail", () => ({ deliverMail: work }));
vi.mock("@/lib/services/alerts/send-chat-message", () => ({ sendChatMessage: work }));
vi.mock("@/lib/services/data-rights/export-end-user", () => ({ exportEndUser: work }));
vi.mock("@/lib/services/data-rights/erase-end-user", () => ({ eraseEndUser: work, finishErasure: async () => {} }));

const CASES: { name: string; load(): Promise<InngestFunction.Any>; event(id: string): ServiceEvent }[] = [
  {
    name: "send-mail",
    load: async () => (await import("@/inngest/functions/send-mail")).sendMailFunction,
    event: (id) => ({ name: "mail/ready", data: { mailId: id } }),
  },
  {
    name: "send-chat-message",
    load: async () => (await import("@/inngest/functions/send-chat-message")).sendChatMessageFunction,
    event: (id) => ({ name: "chat-message/ready", data: { messageId: id } }),
  },
  {
    name: "export-end-user",
    load: async () => (await import("@/inngest/functions/export-end-user")).exportEndUserFunction,
    event: (id) => ({ name: "end-user/export", data: { dataRequestId: id } }),
  },
  {
    name: "erase-end-user",
    load: async () => (await import("@/inngest/functions/erase-end-user")).eraseEndUserFunction,
    event: (id) => ({ name: "end-user/erase", data: { dataRequestId: id } }),
  },
];

let stack: Stack;

useServiceDatabase();
beforeEach(async () => {
  Object.assign(calls, { began: [], open: [], isHeld: true });
  stack = await startStack();
});
afterEach(() => stack.stop());

describe.each(CASES)("$name", ({ load, event }) => {
  it("waits for a slow first run of the same work, and holds up no other", async () => {
    const fn = await load();
    const { app } = await stack.startPair(() => [fn]);
    await app.client.send([event("slow"), event("slow")]);
    await until(() => calls.began.length > 0);
    await app.client.send(event("other"));
    await until(() => calls.began.includes("other"));
    expect(calls.began).toEqual(["slow", "other"]);
    calls.isHeld = false;
    for (const open of calls.open) open();
    await until(() => calls.began.length === 3);
    expect(calls.began.at(-1)).toBe("slow");
  });
});
