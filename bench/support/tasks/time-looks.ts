import { goalLooks, readSample, sumLooks } from "@/bench/support/growth/looks";
import { median } from "@/bench/support/report";

/** Median milliseconds of each look, by its name. */
export interface LookTimes {
  goal: Record<string, number>;
  sum: Record<string, number>;
}

const TIMES = 15;
const MOST_MS = 600;

/**
 * Reads everything that pages and answers read from one database, several times each. The process keeps to the database
 * that it was first asked about.
 */
export async function timeLooks(databaseUrl: string): Promise<LookTimes> {
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    APP_URL: "http://127.0.0.1",
    LOG_LEVEL: "silent",
    NODE_ENV: "production",
  });
  const sample = await readSample();
  return { goal: await timeEach(goalLooks(sample)), sum: await timeEach(sumLooks(sample)) };
}

async function timeEach(looks: Record<string, () => Promise<unknown>>): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const [name, look] of Object.entries(looks)) {
    // Connections, plans, pages in memory. On a machine that is busy with others a connection may come too late.
    await look().catch(look);
    const taken: number[] = [];
    const startedAt = performance.now();
    while (taken.length < TIMES && performance.now() - startedAt < MOST_MS) {
      const at = performance.now();
      await look();
      taken.push(performance.now() - at);
    }
    times[name] = median(taken);
  }
  return times;
}
