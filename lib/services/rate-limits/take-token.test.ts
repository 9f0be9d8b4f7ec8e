import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db, inTransaction } from "@/lib/db/pool";
import { readBucket, takeToken } from "@/lib/services/rate-limits/take-token";

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

let serial = 0;

useServiceDatabase();

const newKey = () => `key_test_${++serial}`;

async function setBucket(keyId: string, tokens: number, secondsAgo: number): Promise<void> {
  await db().query(
    `INSERT INTO rate_limit_buckets VALUES ($1, $2, clock_timestamp() - make_interval(secs => $3))
     ON CONFLICT (key_id) DO UPDATE SET tokens = excluded.tokens, updated_at = excluded.updated_at`,
    [keyId, tokens, secondsAgo],
  );
}

/** Takes a token while another process changes the bucket and has not committed that yet. */
async function takeBehind(keyId: string, change: string) {
  const { taking } = await inTransaction(async (tx) => {
    await tx.query(change, [keyId]);
    const taking = takeToken(keyId, 3);
    await expect.poll(async () => (await db().query(WAITING)).rowCount, { interval: 5 }).toBe(1);
    return { taking };
  });
  return taking;
}

describe("takeToken", () => {
  it("lets the limit through, then refuses and says when to come back", async () => {
    const key = newKey();
    const states = [];
    for (let call = 0; call < 4; call++) states.push(await takeToken(key, 3));
    expect(states.map((state) => state.isAllowed)).toEqual([true, true, true, false]);
    expect(states.map((state) => state.remaining)).toEqual([2, 1, 0, 0]);
    expect(states[3]).toMatchObject({ limit: 3, retryAfterSeconds: 20, resetSeconds: 60 });
  });

  it("lets the next call through after as long as it said", async () => {
    const key = newKey();
    await setBucket(key, 0, 19);
    expect(await takeToken(key, 3)).toMatchObject({ isAllowed: false, retryAfterSeconds: 1 });
    await setBucket(key, 0, 20.1);
    expect(await takeToken(key, 3)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it("takes nothing for calls that it refuses, however many", async () => {
    const key = newKey();
    await setBucket(key, 0, 0);
    for (let call = 0; call < 5; call++) expect(await takeToken(key, 3)).toMatchObject({ isAllowed: false });
    await db().query(
      "UPDATE rate_limit_buckets SET updated_at = updated_at - interval '20.1 seconds' WHERE key_id = $1",
      [key],
    );
    expect(await takeToken(key, 3)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it("takes of what another process leaves in the bucket, for which it waits", async () => {
    const key = newKey();
    await setBucket(key, 3, 0);
    const last = "UPDATE rate_limit_buckets SET tokens = 0, updated_at = clock_timestamp() WHERE key_id = $1";
    expect(await takeBehind(key, last)).toMatchObject({ isAllowed: false, remaining: 0 });
  });

  it("makes no second bucket beside one that another process makes at that moment", async () => {
    const first = "INSERT INTO rate_limit_buckets VALUES ($1, 0, clock_timestamp())";
    expect(await takeBehind(newKey(), first)).toMatchObject({ isAllowed: false, remaining: 0 });
  });

  it("never holds more than one minute's requests", async () => {
    const key = newKey();
    await setBucket(key, 0, 86_400);
    expect(await readBucket(key, 3)).toMatchObject({ remaining: 3, resetSeconds: 0 });
  });

  it("loses nothing to a clock that was ahead", async () => {
    const key = newKey();
    await setBucket(key, 2, -30);
    expect(await takeToken(key, 3)).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  it("gives nothing twice when a clock is set back: the time of a bucket stays", async () => {
    const key = newKey();
    await setBucket(key, 2, -30);
    await takeToken(key, 3);
    const { rows } = await db().query(
      "SELECT updated_at > clock_timestamp() + interval '5 seconds' AS stays FROM rate_limit_buckets WHERE key_id = $1",
      [key],
    );
    expect(rows).toEqual([{ stays: true }]);
  });

  it("fills a bucket again from now on that a clock has left years ahead", async () => {
    const key = newKey();
    await setBucket(key, 0, -31_536_000);
    expect((await takeToken(key, 6_000)).isAllowed).toBe(false);
    // A hundred a second: from that call on, not in a year.
    await expect.poll(async () => (await takeToken(key, 6_000)).isAllowed, { interval: 50 }).toBe(true);
  });

  it("follows a changed limit at once", async () => {
    const key = newKey();
    await takeToken(key, 100);
    expect(await takeToken(key, 2)).toMatchObject({ limit: 2, remaining: 1 });
  });

  it("keeps keys apart, also those that call at once", async () => {
    const [spent, full, half] = [newKey(), newKey(), newKey()];
    await Promise.all([setBucket(spent, 0, 0), setBucket(full, 3, 0), setBucket(half, 2, 0)]);
    const remaining = async () => {
      const states = await Promise.all([spent, full, half].map((key) => takeToken(key, 3)));
      return states.map((state) => (state.isAllowed ? state.remaining : null));
    };
    expect(await takeToken(full, 3)).toMatchObject({ isAllowed: true, remaining: 2 });
    expect(await remaining()).toEqual([null, 1, 1]);
    expect(await remaining()).toEqual([null, 0, 0]);
    expect(await takeToken(newKey(), 3)).toMatchObject({ isAllowed: true, remaining: 2 });
    expect(await remaining()).toEqual([null, null, null]);
  });

  it("gives calls that arrive at once each their own token", async () => {
    const key = newKey();
    const states = await Promise.all(Array.from({ length: 50 }, () => takeToken(key, 20)));
    const allowed = states.filter((state) => state.isAllowed);
    expect(allowed).toHaveLength(20);
    expect(allowed.map((state) => state.remaining)).toEqual(Array.from({ length: 20 }, (_, index) => 19 - index));
  });

  it("reads a bucket without taking from it", async () => {
    const key = newKey();
    await readBucket(key, 5);
    expect(await readBucket(key, 5)).toMatchObject({ remaining: 5, isAllowed: true });
  });

  it("refuses all waiting calls with the reason when the database fails, and works again afterwards", async () => {
    const key = newKey();
    await db().query("ALTER TABLE rate_limit_buckets RENAME TO away");
    const results = await Promise.allSettled([takeToken(key, 5), takeToken(key, 5), takeToken(key, 5)]);
    await db().query("ALTER TABLE away RENAME TO rate_limit_buckets");
    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await takeToken(key, 5)).toMatchObject({ isAllowed: true });
  });

  it("lets none above the limit through of 10,000 calls from two processes", async () => {
    const key = newKey();
    const limit = 600;
    await takeToken(key, limit);
    await setBucket(key, limit, 0);
    const startedAt = Date.now();
    const counts = await Promise.all([takeFromProcess(key, limit, 5_000), takeFromProcess(key, limit, 5_000)]);
    const seconds = (Date.now() - startedAt) / 1_000;
    const allowed = counts.reduce((sum, count) => sum + count, 0);
    expect(allowed).toBeGreaterThanOrEqual(limit);
    expect(allowed).toBeLessThanOrEqual(limit + Math.ceil((seconds * limit) / 60));
  });
});

/** Takes tokens in a process of its own, 20 calls at a time; gives how many were let through. */
async function takeFromProcess(key: string, limit: number, calls: number): Promise<number> {
  const source = `
    import { takeToken } from "./lib/services/rate-limits/take-token";
    import { closePools } from "./lib/db/pool";
    void (async () => {
      let allowed = 0;
      for (let done = 0; done < ${calls}; done += 20) {
        const states = await Promise.all(Array.from({ length: 20 }, () => takeToken(${JSON.stringify(key)}, ${limit})));
        allowed += states.filter((state) => state.isAllowed).length;
      }
      console.log(allowed);
      await closePools();
    })();`;
  const child = spawn(process.execPath, [resolve("node_modules/tsx/dist/cli.mjs"), "--eval", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0) throw new Error(`The other process ended with ${String(code)}.`);
  return Number(output);
}
