import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { seededRandom } from "@/bench/support/random";
import type { FaultStage } from "@/e2e/support/fault-stage";
import { isPidAlive } from "@/scripts/support/process-identity";

export interface KillOptions {
  kills: number;
  jobs: number;
  seed: number;
  /** Ends it early. */
  seconds: number;
}

/** What was done to the service, and what it had promised. */
export interface Killer {
  seed: number;
  kills: Record<Target, number>;
  /** Sessions of the jobs that were answered with 202. */
  accepted: string[];
  /** Calls that met a dead service. */
  refused: number;
  recoveriesMs: number[];
  /** How often a killed Postgres took the server with it. */
  deadServers: number;
}

type Target = "server" | "postgres" | "both";

const LONGEST_LIFE_MS = 1_500;
const LONGEST_DOWN_MS = 500;
const POSTS_AT_ONCE = 4;
const CALL_TIMEOUT_MS = 10_000;
const RETRY_MS = 100;

/** Starts jobs and kills what works on them at a random moment, again and again; leaves everything running. */
export async function killInTurns(stage: FaultStage, options: KillOptions): Promise<Killer> {
  const random = seededRandom(options.seed);
  const killer: Killer = {
    seed: options.seed,
    kills: { server: 0, postgres: 0, both: 0 },
    accepted: [],
    refused: 0,
    recoveriesMs: [],
    deadServers: 0,
  };
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  console.log(`\n${options.kills} kills under ${options.jobs} jobs, seed ${options.seed}:`);
  for (let kill = 0; kill < options.kills && seconds() < options.seconds; kill++) {
    const share = Math.ceil((options.jobs - killer.accepted.length) / (options.kills - kill));
    const posting = postJobs(stage, killer, share, random);
    await delay(random() * LONGEST_LIFE_MS);
    const target = pickTarget(random());
    const recoveryMs = await killAndRecover(stage, killer, target, random() * LONGEST_DOWN_MS);
    killer.kills[target] += 1;
    await posting;
    console.log(
      `  ${seconds().toFixed(1).padStart(6)} s  kill ${kill + 1}: ${target}; back after ${Math.round(recoveryMs)} ms; ${killer.accepted.length} jobs accepted`,
    );
  }
  return killer;
}

function pickTarget(random: number): Target {
  if (random < 0.6) return "server";
  return random < 0.9 ? "postgres" : "both";
}

/** Returns milliseconds from the kill to the first healthy answer. */
async function killAndRecover(stage: FaultStage, killer: Killer, target: Target, downMs: number): Promise<number> {
  const { service, cluster } = stage;
  const killedAt = performance.now();
  if (target !== "postgres") await service.kill();
  if (target !== "server") await killPostgres(cluster.adminUrl);
  await delay(downMs);
  if (target !== "server") await cluster.restart();
  if (target === "postgres" && !isPidAlive(service.pid())) {
    killer.deadServers += 1;
    await service.kill();
  }
  if (service.pid() === 0) await service.start();
  const recoveryMs = performance.now() - killedAt;
  killer.recoveriesMs.push(recoveryMs);
  return recoveryMs;
}

/** Of the process that all others of it hang on; they end when they notice. */
async function killPostgres(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
  const [pid] = readFileSync(join(rows[0]?.data_directory ?? "", "postmaster.pid"), "utf8").split("\n");
  await client.end();
  process.kill(Number(pid), "SIGKILL");
  while (isPidAlive(Number(pid))) await delay(5);
}

async function postJobs(stage: FaultStage, killer: Killer, count: number, random: () => number): Promise<void> {
  // Drawn before anything waits, so that a seed gives the same jobs each time.
  const messages = Array.from({ length: count }, () => jobMessage(random));
  await Promise.all(
    Array.from({ length: POSTS_AT_ONCE }, async () => {
      for (let message = messages.pop(); message !== undefined; message = messages.pop()) {
        killer.accepted.push(await postUntilAccepted(stage, killer, message));
      }
    }),
  );
}

/** Up to half a second of text; in one of eight, the model fails at first. */
function jobMessage(random: () => number): string {
  const size = Math.round(50 + random() * 600);
  const fault = random() < 1 / 8 ? " [[fail:500:1]]" : "";
  return `Job ${Math.floor(random() * 1e9)} [[size:${size}]] [[chunk:20]] [[slow:15ms]]${fault}`;
}

async function postUntilAccepted({ api, receiver }: FaultStage, killer: Killer, message: string): Promise<string> {
  for (;;) {
    try {
      const response = await api.fetch("/chat", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message, callbackUrl: `${receiver.url}/job` }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const body = (await response.json()) as { sessionId: string };
      if (response.status === 202) return body.sessionId;
      if (response.status < 500) throw new Error(`POST /chat answered ${response.status}`);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("POST /chat answered")) throw error;
    }
    killer.refused += 1;
    await delay(RETRY_MS);
  }
}
