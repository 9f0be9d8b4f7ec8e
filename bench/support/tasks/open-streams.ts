import { Pool } from "undici";
import { SseReader } from "@/bench/support/tasks/sse-reader";

export interface OpenStreamsOptions {
  origin: string;
  apiKey: string;
  sessionIds: string[];
  count: number;
}

export interface OpenedStreams {
  opened: number;
  /** Why further ones could not be opened. */
  refusal: string | null;
}

export interface EndedStreams {
  /** As of `stampMs`, one for each stream that got a chunk. */
  firstChunkAt: number[];
  /** Streams that ended with an output that is their joined text. */
  whole: number;
}

const OPEN_AT_ONCE = 50;
const TIMEOUT_MS = 60_000;

let running: { pool: Pool; readers: SseReader[]; ends: Promise<void>[] } | undefined;

/** Opens streams, spread over the sessions, each on a connection of its own; resolves when each has its first event. */
export async function openStreams(options: OpenStreamsOptions): Promise<OpenedStreams> {
  const pool = new Pool(options.origin, { connections: options.count, pipelining: 1, bodyTimeout: 0 });
  const readers: SseReader[] = [];
  const ends: Promise<void>[] = [];
  let refusal: string | null = null;
  for (let opened = 0; opened < options.count && refusal === null; opened += OPEN_AT_ONCE) {
    const indexes = Array.from(
      { length: Math.min(OPEN_AT_ONCE, options.count - opened) },
      (_, index) => opened + index,
    );
    await Promise.all(
      indexes.map(async (index) => {
        try {
          const { reader, ended } = await openStream(pool, options, index);
          readers.push(reader);
          ends.push(ended);
        } catch (error) {
          refusal = (error as Error).message;
        }
      }),
    );
  }
  running = { pool, readers, ends };
  return { opened: readers.length, refusal };
}

async function openStream(pool: Pool, { apiKey, sessionIds }: OpenStreamsOptions, index: number) {
  const sessionId = sessionIds[index % sessionIds.length];
  const path = `/api/v1/chat/${sessionId}/stream`;
  const { statusCode, body } = await pool.request({ method: "GET", path, headers: { "x-api-key": apiKey } });
  if (statusCode !== 200) throw new Error(`the stream answered ${statusCode}: ${await body.text()}`);
  const reader = new SseReader();
  body.on("data", (chunk: Buffer) => reader.feed(chunk));
  const ended = new Promise<void>((resolve) => body.on("close", resolve).on("error", () => {}));
  await new Promise((resolve) => body.once("data", resolve));
  return { reader, ended };
}

/** Waits until the server has ended all of them. */
export async function awaitStreams(): Promise<EndedStreams> {
  const { pool, readers, ends } = running ?? { pool: undefined, readers: [], ends: [] };
  await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);
  await pool?.destroy();
  return {
    firstChunkAt: readers.map((reader) => reader.firstChunkAt).filter((at) => !Number.isNaN(at)),
    whole: readers.filter((reader) => reader.output !== null && reader.output === reader.text).length,
  };
}
