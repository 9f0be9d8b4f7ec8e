import { connect } from "node:http2";
import { type RequestOptions, request } from "node:https";
import type { Readable } from "node:stream";
import { stampMs } from "@/bench/support/clock";
import { SseReader } from "@/bench/support/tasks/sse-reader";

/** How a stream came in. */
export interface FollowedStream {
  reader: SseReader;
  /** When parts of it arrived, as of `stampMs`. */
  arrivals: number[];
  pings: number;
}

/** Reads a stream of the service to its end, over HTTP/1.1 or HTTP/2. */
export async function followStream(
  url: URL,
  headers: Record<string, string>,
  { ca, isHttp2 }: { ca: string; isHttp2: boolean },
): Promise<FollowedStream> {
  const { body, close } = isHttp2
    ? openHttp2(url, headers, ca)
    : { body: await open(url, { headers, ca }), close() {} };
  const followed: FollowedStream = { reader: new SseReader(), arrivals: [], pings: 0 };
  for await (const chunk of body) {
    followed.arrivals.push(stampMs());
    followed.pings += String(chunk)
      .split("\n")
      .filter((line) => line.startsWith(":")).length;
    followed.reader.feed(chunk as Buffer);
  }
  close();
  return followed;
}

function open(url: URL, options: RequestOptions): Promise<Readable> {
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent: false }, resolve)
      .on("error", reject)
      .end();
  });
}

function openHttp2(url: URL, headers: Record<string, string>, ca: string): { body: Readable; close(): void } {
  const session = connect(url.origin, { ca });
  const body = session.request({ ...headers, ":path": url.pathname });
  return { body, close: () => session.close() };
}
