import { connect, type Socket } from "node:net";

export interface SlowBodiesOptions {
  origin: string;
  apiKey: string;
  count: number;
  /** Between two pieces of each body. */
  everyMs: number;
}

const ANNOUNCED_BYTES = 5_000_000;
const PIECE = Buffer.alloc(64, "x");
const BOUNDARY = "----bench-slow-boundary";

let running: { sockets: Socket[]; timer: NodeJS.Timeout } | undefined;

/** Begins uploads that go on a few bytes at a time, each on a connection of its own; returns how many are connected. */
export async function openSlowBodies({ origin, apiKey, count, everyMs }: SlowBodiesOptions): Promise<number> {
  const { hostname, port } = new URL(origin);
  const sockets = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () => resolve(socket));
          socket.once("error", reject);
        }),
    ),
  );
  for (const socket of sockets) {
    socket.on("error", () => {});
    socket.resume();
    socket.write(
      `POST /api/v1/process HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${apiKey}\r\n` +
        `content-type: multipart/form-data; boundary=${BOUNDARY}\r\ncontent-length: ${ANNOUNCED_BYTES}\r\n\r\n` +
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="slow.bin"\r\n\r\n`,
    );
  }
  const timer = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write(PIECE);
  }, everyMs);
  running = { sockets, timer };
  return sockets.length;
}

/** Breaks all of them off in the middle; returns how many the server had kept until then. */
export async function breakSlowBodies(): Promise<number> {
  const { sockets, timer } = running ?? { sockets: [], timer: undefined };
  clearInterval(timer);
  const kept = sockets.filter((socket) => !socket.destroyed).length;
  for (const socket of sockets) socket.destroy();
  return kept;
}
