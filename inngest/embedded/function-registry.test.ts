import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { openPool } from "@/inngest/embedded/database";
import { fireDueCrons } from "@/inngest/embedded/fire-crons";
import { FunctionRegistry } from "@/inngest/embedded/function-registry";
import type { RunnerFunction } from "@/inngest/embedded/read-config";

/** Servers of two versions on one database, each of which says every half minute which functions it has. */

let pool: Pool;
let now = 0;
const database = useDatabase();

beforeAll(() => {
  pool = openPool(database.url);
});
afterAll(() => pool.end());
beforeEach(() => pool.query("TRUNCATE runner_functions, runner_crons"));

const fn = (name: string, changes: Partial<RunnerFunction> = {}): RunnerFunction => ({
  ...{ id: `app-${name}`, maxAttempts: 1, events: [{ name }], crons: [], concurrency: [] },
  ...changes,
});
const server = () => new FunctionRegistry(pool, () => now);
const active = async () =>
  (await pool.query("SELECT id FROM runner_functions WHERE is_active ORDER BY id")).rows.map(({ id }) => id);
const crons = async () =>
  (await pool.query("SELECT function_id, expression FROM runner_crons ORDER BY 1")).rows.map(Object.values);
const attempts = async (id: string) =>
  JSON.parse((await pool.query("SELECT config FROM runner_functions WHERE id = $1", [id])).rows[0].config).maxAttempts;

/** Time goes by, and in each half minute these servers say what they have. */
async function pass(seconds: number, say: () => Promise<unknown>) {
  for (let left = seconds; left > 0; left -= 30) {
    now += 30_000;
    await pool.query("UPDATE runner_functions SET synced_at = synced_at - interval '30 seconds'");
    await say();
  }
}

describe("functions", () => {
  it("of a newer version stay, with their crons, while an older one says that it has others", async () => {
    const [older, newer] = [server(), server()];
    await older.store("app", [fn("a"), fn("removed", { crons: ["1 * * * *"] })]);
    await newer.store("app", [fn("a"), fn("added", { crons: ["2 * * * *"] })]);
    const modified: boolean[] = [];
    await pass(300, async () => {
      modified.push(await older.store("app", [fn("a"), fn("removed", { crons: ["1 * * * *"] })]));
      modified.push(await newer.store("app", [fn("a"), fn("added", { crons: ["2 * * * *"] })]));
    });
    expect(await active()).toEqual(["app-a", "app-added", "app-removed"]);
    expect(await crons()).toEqual([
      ["app-added", "2 * * * *"],
      ["app-removed", "1 * * * *"],
    ]);
    expect(modified).not.toContain(true);
    await older.load();
    expect(older.triggeredBy({ name: "added", data: {} }).map(({ id }) => id)).toEqual(["app-added"]);
    expect([older.isOwn("app-added"), older.isGone("app-added"), newer.isOwn("app-added")]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("go, with their crons, two minutes after the last server that had them", async () => {
    const [older, newer] = [server(), server()];
    const say = () => newer.store("app", [fn("a")]);
    await older.store("app", [fn("a"), fn("removed", { crons: ["1 * * * *"] })]);
    await say();
    await pass(120, say);
    expect(await active()).toEqual(["app-a", "app-removed"]);
    await pass(30, say);
    expect(await active()).toEqual(["app-a"]);
    expect(await crons()).toEqual([]);
    expect([newer.isGone("app-removed"), newer.isGone("app-a")]).toEqual([true, false]);
  });

  it("stay after an outage until their servers had time to say that they have them", async () => {
    const [one, other] = [server(), server()];
    await other.store("app", [fn("others")]);
    const say = () => one.store("app", [fn("ones")]);
    await say();
    await pass(90, say);
    await pass(600, async () => {});
    await say();
    expect(await active()).toEqual(["app-ones", "app-others"]);
  });

  it("stay after an outage of the database, through which a server went on trying to say what it has", async () => {
    let isAway = false;
    const connect = async () => {
      if (isAway) throw new Error("The database is away.");
      return pool.connect();
    };
    const one = new FunctionRegistry({ connect, query: pool.query.bind(pool) } as unknown as Pool, () => now);
    await server().store("app", [fn("others")]);
    const say = () => one.store("app", [fn("ones")]);
    await say();
    await pass(90, say);
    isAway = true;
    await pass(600, () => expect(say()).rejects.toThrow("away"));
    isAway = false;
    await say();
    expect(await active()).toEqual(["app-ones", "app-others"]);
  });

  it("go at once when their own server changes while it runs", async () => {
    const registry = server();
    await registry.store("app", [fn("a"), fn("b")]);
    await registry.store("other", [fn("c")]);
    expect(await registry.store("app", [fn("a")])).toBe(true);
    expect(await active()).toEqual(["app-a", "app-c"]);
    expect([registry.isOwn("app-b"), registry.isOwn("app-c")]).toEqual([false, true]);
  });
});

it("are registered beside those of a newer version whose crons nobody here can read, and leave these alone", async () => {
  await server().store("app", [fn("added", { crons: ["2 * * * *"] })]);
  await pool.query("UPDATE runner_functions SET config = replace(config, '2 * * * *', '@fortnightly')");
  await pool.query("UPDATE runner_crons SET expression = '@fortnightly'");
  await server().store("app", [fn("a", { crons: ["1 * * * *"] })]);
  expect(await crons()).toEqual([
    ["app-a", "1 * * * *"],
    ["app-added", "@fortnightly"],
  ]);
});

it("fire by their crons where they are, so that no tick is lost on a server that does not know them", async () => {
  const [older, newer] = [server(), server()];
  await newer.store("app", [fn("added", { crons: ["2 * * * *"] })]);
  await older.store("app", [fn("a")]);
  await pool.query("UPDATE runner_crons SET due_at = now() - interval '1 hour'");
  expect(await fireDueCrons(pool, older)).toEqual({ fired: 0, shortened: 0, nextMs: undefined });
  expect((await fireDueCrons(pool, newer)).fired).toBe(1);
});

describe("what two versions say differently of one function", () => {
  it("is as the server says that started last, however often the other repeats its own", async () => {
    const [older, newer] = [server(), server()];
    await older.store("app", [fn("a", { maxAttempts: 1 })]);
    await newer.store("app", [fn("a", { maxAttempts: 2 })]);
    const modified: boolean[] = [];
    await pass(300, async () => {
      modified.push(await older.store("app", [fn("a", { maxAttempts: 1 })]));
      modified.push(await newer.store("app", [fn("a", { maxAttempts: 2 })]));
    });
    expect(await attempts("app-a")).toBe(2);
    expect(modified).not.toContain(true);
  });

  it("is as those say that are left when the others are gone", async () => {
    const [older, newer] = [server(), server()];
    await newer.store("app", [fn("a", { maxAttempts: 2 })]);
    await older.store("app", [fn("a", { maxAttempts: 1 })]);
    await pass(120, () => newer.store("app", [fn("a", { maxAttempts: 2 })]));
    expect(await attempts("app-a")).toBe(2);
    expect(await active()).toEqual(["app-a"]);
  });
});

it("writes nothing when a server says the same again within seconds, and tells nobody when it says so later", async () => {
  const registry = server();
  await registry.store("app", [fn("a")]);
  const version = async () => (await pool.query("SELECT xmin FROM runner_functions")).rows[0].xmin;
  const first = await version();
  await registry.store("app", [fn("a")]);
  expect(await version()).toBe(first);
  await pass(30, async () => expect(await registry.store("app", [fn("a")])).toBe(false));
  const { rows } = await pool.query(
    "SELECT synced_at > now() - interval '10 seconds' AS is_noted FROM runner_functions",
  );
  expect(rows).toEqual([{ is_noted: true }]);
});
