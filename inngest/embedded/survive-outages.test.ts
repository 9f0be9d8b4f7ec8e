import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOCK_CLAIMS } from "@/inngest/embedded/claim-items";
import { openPool } from "@/inngest/embedded/database";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import { startTestApp, until } from "@/inngest/embedded/testing/test-app";

/** The database or the app goes away and comes back: work goes on without a restart. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.stop());

/** A connection to the cluster's other database, which outlives what is done to the test's. */
async function asAdmin(statement: string): Promise<void> {
  const url = new URL(stack.database.url);
  url.pathname = "/postgres";
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const name = () => new URL(stack.database.url).pathname.slice(1);
const dropConnections = () =>
  asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`);

describe("the runner", () => {
  it("goes on when all its connections are cut in mid-step, each step once", async () => {
    const steps: string[] = [];
    const { app } = await stack.startPair((client) => [
      client.createFunction({ id: "fn", triggers: { event: "go" }, retries: 0 }, async ({ event, step }) => {
        for (const id of ["one", "two", "three"]) {
          await step.run(id, async () => {
            steps.push(`${event.data.n} ${id}`);
            await new Promise((resolve) => setTimeout(resolve, 100));
          });
        }
      }),
    ]);
    await app.client.send(Array.from({ length: 20 }, (_, n) => ({ name: "go", data: { n } })));
    await until(() => steps.length > 5);
    await dropConnections();
    await until(() => steps.length > 30);
    await dropConnections();
    await until(() => steps.length === 60);
    expect(new Set(steps).size).toBe(60);
  });

  it("keeps the replies of steps that end while the database is away", async () => {
    const steps: string[] = [];
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { app } = await stack.startPair(
      (client) => [
        client.createFunction({ id: "fn", triggers: { event: "go" }, retries: 0 }, async ({ step }) => {
          await step.run("long", () => {
            steps.push("long");
            return gate;
          });
          await step.run("next", () => void steps.push("next"));
        }),
      ],
      { leaseSeconds: 1 },
    );
    await app.client.send({ name: "go" });
    await until(() => steps.length === 1);
    await asAdmin(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS false`);
    await dropConnections();
    await expect(
      fetch(new URL("/e/test-event-key", stack.runnerUrls[0]), { method: "POST", body: '{"name":"go"}' }).then(
        ({ status }) => status,
      ),
    ).resolves.toBe(503);
    letGo();
    // Away for longer than the lease.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await asAdmin(`ALTER DATABASE ${name()} ALLOW_CONNECTIONS true`);
    await until(() => steps.includes("next"));
    expect(steps).toEqual(["long", "next"]);
  });

  it("goes on when another server stands still in the middle of looking for work", async () => {
    const steps: string[] = [];
    const { app } = await stack.startPair((client) => [
      client.createFunction({ id: "fn", triggers: { event: "go" } }, () => void steps.push("ran")),
    ]);
    const frozen = openPool(stack.database.url, 500);
    const client = await frozen.connect();
    await client.query(`BEGIN; ${LOCK_CLAIMS}`);
    await app.client.send({ name: "go" });
    await until(() => steps.length === 1);
    client.release(true);
    await frozen.end();
    const own = openPool(stack.database.url);
    const { rows } = await own.query("SHOW idle_in_transaction_session_timeout");
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "10s" }]);
    await own.end();
  });

  it("waits for an app that refuses connections, without spending attempts", async () => {
    let runs = 0;
    const { app } = await stack.startPair((client) => [
      client.createFunction({ id: "fn", triggers: { event: "go" }, retries: 0 }, () => void runs++),
    ]);
    const { client } = app;
    await app.close();
    await client.send({ name: "go" });
    await until(() => stack.logged.some((line) => line.includes("The app is away")));
    const again = await startTestApp(Number(new URL(app.serveUrl).port));
    again.serve(stack.runnerUrls[0] ?? "", (next) => [
      next.createFunction({ id: "fn", triggers: { event: "go" }, retries: 0 }, () => void runs++),
    ]);
    await until(() => runs === 1);
    await again.close();
  });

  it("stops gracefully: waits for running calls, hands back those that take too long", async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const { app, runner } = await stack.startPair(
      (client) => [
        client.createFunction({ id: "fn", triggers: { event: "go" }, retries: 0 }, async ({ event, step }) => {
          await step.run("work", async () => {
            begun.push(event.data.name);
            await new Promise((resolve) => setTimeout(resolve, event.data.ms));
            ended.push(event.data.name);
          });
        }),
      ],
      { stopSeconds: 0.5 },
    );
    await app.client.send([
      { name: "go", data: { name: "short", ms: 200 } },
      { name: "go", data: { name: "long", ms: 3_000 } },
    ]);
    await until(() => begun.length === 2);
    await runner.stop();
    expect(ended).toEqual(["short"]);
    const { rows } = await stack.pool.query("SELECT state FROM runner_items ORDER BY state");
    expect(rows.every(({ state }) => state === "ready")).toBe(true);
    expect(rows.length).toBeGreaterThanOrEqual(1);
  });
});
