import { Pool } from "undici";

export interface HammerCall {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface HammerOptions {
  origin: string;
  connections: number;
  /** Whichever comes first ends it. */
  seconds: number;
  requests: number;
  /** Each connection keeps to one of them. */
  calls: HammerCall[];
  /** Answers without this text count as wrong. */
  expect?: string;
}

export interface HammerResult {
  perSecond: number;
  latenciesMs: number[];
  /** How many answers had which status; 0: no answer. */
  statuses: Record<string, number>;
  wrong: number;
}

/** Sends requests one after the other over each of a fixed number of connections. */
export async function hammer(options: HammerOptions): Promise<HammerResult> {
  const pool = new Pool(options.origin, { connections: options.connections, pipelining: 1 });
  const result: HammerResult = { perSecond: 0, latenciesMs: [], statuses: {}, wrong: 0 };
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1_000;
  let left = options.requests;
  const run = async (index: number) => {
    const call = options.calls[index % options.calls.length];
    while (call && left-- > 0 && performance.now() < endsAt) {
      const sentAt = performance.now();
      const { status, text } = await send(pool, call);
      result.latenciesMs.push(performance.now() - sentAt);
      result.statuses[status] = (result.statuses[status] ?? 0) + 1;
      if (options.expect !== undefined && !text.includes(options.expect)) result.wrong += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, (_, index) => run(index)));
  result.perSecond = result.latenciesMs.length / ((performance.now() - startedAt) / 1_000);
  await pool.destroy();
  return result;
}

async function send(
  pool: Pool,
  { method, path, headers, body }: HammerCall,
): Promise<{ status: number; text: string }> {
  try {
    const answer = await pool.request({ method, path, headers, body: body ?? null });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch {
    return { status: 0, text: "" };
  }
}
