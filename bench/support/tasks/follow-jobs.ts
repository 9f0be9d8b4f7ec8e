import { Pool } from "undici";
import { stampMs } from "@/bench/support/clock";
import { SseReader } from "@/bench/support/tasks/sse-reader";

export interface FollowJobsOptions {
  origin: string;
  apiKey: string;
  /** At once. */
  connections: number;
  seconds: number;
  jobs: number;
  message: string;
}

/** One job as its client saw it; stamps as of `stampMs`. */
export interface FollowedJob {
  sessionId: string;
  sentAt: number;
  acceptedAt: number;
  firstChunkAt: number;
  endedAt: number;
  /** When the model sent its first token, which it writes into its answer. */
  modelAt: number;
  isCompleted: boolean;
  /** The chunks joined are the output of the last event. */
  isTextWhole: boolean;
}

/** Starts jobs and follows each over its stream until it ends; each place starts its next one then. */
export async function followJobs(options: FollowJobsOptions): Promise<FollowedJob[]> {
  const pool = new Pool(options.origin, { connections: options.connections, pipelining: 1 });
  const endsAt = performance.now() + options.seconds * 1_000;
  const jobs: FollowedJob[] = [];
  let left = options.jobs;
  const run = async () => {
    while (left-- > 0 && performance.now() < endsAt) jobs.push(await followJob(pool, options));
  };
  await Promise.all(Array.from({ length: options.connections }, run));
  await pool.destroy();
  return jobs;
}

async function followJob(pool: Pool, { apiKey, message }: FollowJobsOptions): Promise<FollowedJob> {
  const sentAt = stampMs();
  const answer = await pool.request({
    method: "POST",
    path: "/api/v1/chat",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ message }),
  });
  const text = await answer.body.text();
  const acceptedAt = stampMs();
  if (answer.statusCode !== 202) throw new Error(`POST /chat answered ${answer.statusCode}: ${text}`);
  const { sessionId } = JSON.parse(text) as { sessionId: string };
  const stream = await pool.request({
    method: "GET",
    path: `/api/v1/chat/${sessionId}/stream`,
    headers: { "x-api-key": apiKey },
  });
  const reader = new SseReader();
  for await (const chunk of stream.body) reader.feed(chunk as Buffer);
  return {
    sessionId,
    sentAt,
    acceptedAt,
    firstChunkAt: reader.firstChunkAt,
    endedAt: reader.endedAt,
    modelAt: Number(/\d+\.\d+/.exec(reader.text)?.[0] ?? Number.NaN),
    isCompleted: reader.output !== null,
    isTextWhole: reader.output === reader.text,
  };
}
