import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { isDatabaseAway } from "@/lib/db/failures";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";

/** Between the service and its database; can lose all that is under way and tell nobody, as a failover does. */
const sockets = new Set<Socket>();
const router = createServer((socket) => {
  const { hostname, port } = new URL(database.url);
  const onward = connect(Number(port), hostname);
  for (const [from, to] of [
    [socket, onward],
    [onward, socket],
  ] as const) {
    sockets.add(from);
    from.pipe(to).on("error", () => {});
    from.on("close", () => to.destroy());
  }
});
const loseConnections = () => {
  for (const socket of sockets) socket.unpipe().resume();
};

const database = useServiceDatabase(() => ({ DATABASE_URL: throughRouter() }));

router.listen(0, "127.0.0.1");
await once(router, "listening");

function throughRouter(): string {
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(router.address() as AddressInfo).port}`;
  url.searchParams.delete("host");
  return url.href;
}

/** The clock of the looks alone; what is looked at takes its own time. */
beforeAll(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterAll(() => vi.useRealTimers());

async function lookTwice(): Promise<void> {
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.advanceTimersByTimeAsync(10_000);
}

it.each([
  ["a statement", () => db().query("SELECT 1")],
  ["Prisma", () => prisma().account.count()],
])("ends what waits on a connection that went without a word, as the database's being away: %s", async (_what, ask) => {
  await ask();
  loseConnections();
  const lost = ask().then(
    () => null,
    (error: unknown) => error,
  );
  await lookTwice();
  expect(isDatabaseAway(await lost)).toBe(true);
  await ask();
});

it("leaves a statement alone that takes long, also one that waits for a lock, and a transaction in which nothing is asked", async () => {
  const [holder, waiter] = [await db().connect(), await db().connect()];
  onTestFinished(() => {
    for (const client of [holder, waiter]) client.release();
  });
  await holder.query("BEGIN; SELECT pg_advisory_xact_lock(1)");
  const waiting = waiter.query("SELECT pg_advisory_lock(1)");
  const sleeping = db().query("SELECT pg_sleep(2)");
  for (let looks = 0; looks < 3; looks++) await lookTwice();
  await sleeping;
  await holder.query("COMMIT");
  await waiting;
});
