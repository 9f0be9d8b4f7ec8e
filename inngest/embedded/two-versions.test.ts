import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FUNCTIONS_CHANNEL } from "@/inngest/embedded/store-functions";
import { type Stack, startStack } from "@/inngest/embedded/testing/start-stack";
import { EVENT_KEY, until } from "@/inngest/embedded/testing/test-app";

/** Two versions of an app side by side on one database, as during an upgrade: each has functions that the other does not know. */

let stack: Stack;
let effects: string[] = [];
beforeEach(async () => {
  stack = await startStack();
  effects = [];
});
afterEach(() => stack.stop());

/** An app whose functions leave their name, with its runner. */
const startVersion = (version: string, names: string[], options = {}) =>
  stack.startPair(
    (client) =>
      names.map((id) =>
        client.createFunction({ id, triggers: { event: id }, retries: 0 }, async () => {
          effects.push(`${id} by ${version}`);
        }),
      ),
    options,
  );
const outbox = (events: { id: string; name: string }[]) =>
  stack.pool.query(
    "INSERT INTO outbox_events (id, name, data) SELECT id, name, '{}' FROM unnest($1::text[], $2::text[]) AS e (id, name)",
    [events.map(({ id }) => id), events.map(({ name }) => name)],
  );
const runs = async () =>
  (await stack.pool.query("SELECT function_id, status, output FROM runner_runs ORDER BY created_at, id")).rows;
const deactivate = (id: string) =>
  stack.pool.query(`UPDATE runner_functions SET is_active = false WHERE id = '${id}'; NOTIFY ${FUNCTIONS_CHANNEL}`);

describe("two versions side by side", () => {
  it("run each function where it is, whichever of them takes the event, and count no call elsewhere", async () => {
    const older = await startVersion("older", ["shared", "removed"], { outboxTable: "outbox_events" });
    const newer = await startVersion("newer", ["shared", "added"], { outboxTable: "outbox_events" });
    const names = ["added", "removed"];
    await until(async () => {
      // Whoever has heard of both by now.
      effects = [];
      await Promise.all(names.map((name) => older.app.client.send({ name, data: {} })));
      await until(() => effects.length > 0);
      return effects.includes("added by newer");
    });
    // What was sent until then is over, too.
    await until(async () => (await runs()).every(({ status }) => status === "completed"));
    effects = [];
    const events = Array.from({ length: 20 }, (_, n) => ({ id: `e${n}`, name: names[n % 2] ?? "", data: {} }));
    await outbox(events);
    await Promise.all(events.map((event, n) => (n % 4 < 2 ? older : newer).runner.move([event])));
    await older.app.client.send({ name: "added", data: {} });
    await until(() => effects.length === 21);
    expect(effects.sort()).toEqual([...Array(11).fill("added by newer"), ...Array(10).fill("removed by older")]);
    expect(stack.logged.filter((line) => line.includes("without an answer"))).toEqual([]);
  });

  it("start an event's function also where nobody has told of it yet", async () => {
    const older = await startVersion("older", ["shared"], { outboxTable: "outbox_events" });
    await stack.pool.query(
      `INSERT INTO runner_functions SELECT replace(id, 'shared', 'added'), app_id, replace(config, 'shared', 'added'), true, now()
       FROM runner_functions`,
    );
    await outbox([{ id: "e", name: "added" }]);
    await older.runner.move([{ id: "e", name: "added", data: {} }]);
    expect(await runs()).toMatchObject([{ function_id: "app-added", status: "running" }]);
  });

  it("keep a new event for its function while the server that has it is still starting", async () => {
    await startVersion("older", ["shared"]);
    const newer = await stack.startRunner("http://127.0.0.1:1/none", { outboxTable: "outbox_events" });
    await outbox([
      { id: "e", name: "added" },
      { id: "f", name: "shared" },
    ]);
    await expect(newer.move([{ id: "e", name: "added", data: {} }])).rejects.toThrow("No app has registered");
    const { status } = await fetch(`${newer.url}/e/${EVENT_KEY}`, { method: "POST", body: '{"name":"added"}' });
    expect(status).toBe(503);
    await newer.move([{ id: "f", name: "shared", data: {} }]);
    await until(() => effects.includes("shared by older"));
    expect((await stack.pool.query("SELECT id FROM outbox_events")).rows).toEqual([{ id: "e" }]);
  });

  it("leave a run waiting for the version that has its function, while others go on", async () => {
    const older = await startVersion("older", ["shared"]);
    const newer = await startVersion("newer", ["added"]);
    await until(async () => {
      await older.app.client.send({ name: "added", data: {} });
      return until(() => effects.length > 0, 200).catch(() => false);
    });
    await newer.runner.stop();
    effects = [];
    await older.app.client.send({ name: "added", data: {} });
    await older.app.client.send({ name: "shared", data: {} });
    await until(() => effects.length > 0);
    expect(effects).toEqual(["shared by older"]);
    await startVersion("newer", ["added"]);
    await until(() => effects.includes("added by newer"));
  });
});

describe("a run whose function no version has any more", () => {
  it("ends, and says why", async () => {
    const older = await startVersion("older", ["shared", "removed"]);
    await startVersion("newer", ["shared"]);
    await older.runner.stop();
    const { rowCount } = await stack.pool.query(
      `WITH event AS (INSERT INTO runner_events VALUES ('e', 'removed', '{"data":{},"id":"e","name":"removed","ts":1}', now()) RETURNING id),
       run AS (INSERT INTO runner_runs SELECT 'r', 'app-removed', id, 'app-removed|', 'running', 0, NULL, now(), NULL FROM event RETURNING id, lane)
       INSERT INTO runner_items SELECT id, 'step', lane, false, 'ready', now(), 0, 0, 1 FROM run`,
    );
    expect(rowCount).toBe(1);
    await deactivate("app-removed");
    await until(async () => (await runs())[0]?.status === "failed");
    expect((await runs())[0].output).toContain(
      "No version of the app that runs has the function app-removed any more.",
    );
    expect((await stack.pool.query("SELECT FROM runner_items")).rowCount).toBe(0);
  });

  it("does not end when it is only this runner that has not heard of the function's return", async () => {
    const older = await startVersion("older", ["shared"]);
    const newer = await startVersion("newer", ["added"]);
    await newer.runner.stop();
    await deactivate("app-added");
    await until(async () => {
      await older.app.client.send({ name: "added", data: {} });
      return (await stack.pool.query("DELETE FROM runner_runs WHERE function_id = 'app-added'")).rowCount === 0;
    });
    // Nobody is told.
    await stack.pool.query("UPDATE runner_functions SET is_active = true WHERE id = 'app-added'");
    await stack.pool.query(
      `DELETE FROM runner_items; INSERT INTO runner_events VALUES ('e', 'added', '{"data":{},"id":"e","name":"added","ts":1}', now());
       INSERT INTO runner_runs VALUES ('r', 'app-added', 'e', 'app-added|', 'running', 0, NULL, now(), NULL);
       INSERT INTO runner_items VALUES ('r', 'step', 'app-added|', false, 'ready', now(), 0, 0, 1)`,
    );
    const generation = async () =>
      (await stack.pool.query("SELECT generation, losses, attempt, state FROM runner_items WHERE run_id = 'r'"))
        .rows[0];
    await until(async () => (await generation()).generation > 1 && (await generation()).state === "ready");
    expect(await generation()).toMatchObject({ losses: 0, attempt: 0 });
    await startVersion("newer", ["added"]);
    await until(() => effects.length > 0);
    expect(effects).toEqual(["added by newer"]);
  });
});
