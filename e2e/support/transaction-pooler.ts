import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { Client } from "pg";

/**
 * A pooler that gives its one connection of the database by transaction, as pgbouncer with `pool_mode = transaction` does. Of
 * Postgres' protocol it speaks what a client needs that sends plain statements and says who it is without a password.
 */
export interface TransactionPooler {
  /** For `DATABASE_URL`. */
  url: string;
  close(): Promise<void>;
}

export interface PoolerOptions {
  databaseUrl: string;
  /** Whether settings of a connection (`options`) are passed over; otherwise they are refused, as pgbouncer does by itself. */
  ignoresOptions: boolean;
}

/** Starts it on a free loopback port. */
export async function startTransactionPooler({
  databaseUrl,
  ignoresOptions,
}: PoolerOptions): Promise<TransactionPooler> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const sockets = new Set<Socket>();
  let turn: Promise<unknown> = Promise.resolve();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    const session = { isIdle: true, free: () => {} };
    readMessages(socket, (type, body) => {
      if (type === "startup") return greet(socket, body, ignoresOptions);
      if (type !== "Q") return;
      // Whoever is in a transaction has the connection until its end; the others come in turn.
      const isTaken = session.isIdle;
      const before = turn;
      if (isTaken) turn = new Promise<void>((free) => (session.free = free));
      const sql = body.subarray(0, -1).toString();
      void (isTaken ? before : Promise.resolve()).then(() => answer(socket, database, sql, session));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { pathname } = new URL(databaseUrl);
  return {
    url: `postgres://pooled@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await database.end();
    },
  };
}

/** The first message has no type. */
function readMessages(socket: Socket, take: (type: string, body: Buffer) => void): void {
  let received = Buffer.alloc(0);
  let hasBegun = false;
  socket.on("data", (data) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const header = hasBegun ? 1 : 0;
      if (received.length < header + 4) return;
      const end = header + received.readInt32BE(header);
      if (received.length < end) return;
      const type = hasBegun ? String.fromCharCode(received[0] ?? 0) : "startup";
      const body = received.subarray(header + 4, end);
      received = received.subarray(end);
      hasBegun = true;
      take(type, body);
    }
  });
}

function greet(socket: Socket, startup: Buffer, ignoresOptions: boolean): void {
  const names = startup.subarray(4).toString().split("\0");
  if (!ignoresOptions && names.includes("options")) {
    const fields = ["SFATAL", "C08P01", "Munsupported startup parameter: options", ""];
    socket.end(message("E", Buffer.from(`${fields.join("\0")}\0`)));
    return;
  }
  socket.write(Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]));
}

interface Session {
  isIdle: boolean;
  free(): void;
}

async function answer(socket: Socket, database: Client, sql: string, session: Session): Promise<void> {
  const { fields, rows, command } = await database.query({ text: sql, rowMode: "array" });
  const names = fields.map(({ name, dataTypeID }) => {
    const type = Buffer.alloc(18);
    type.writeInt32BE(dataTypeID, 6);
    return Buffer.concat([Buffer.from(`${name}\0`), type]);
  });
  const parts = fields.length > 0 ? [message("T", counted(names))] : [];
  for (const row of rows as unknown[][]) parts.push(message("D", counted(row.map((value) => sized(String(value))))));
  parts.push(message("C", Buffer.from(`${command}\0`)));
  if (/^begin/i.test(sql)) session.isIdle = false;
  if (/^(commit|rollback)/i.test(sql)) session.isIdle = true;
  parts.push(message("Z", Buffer.from(session.isIdle ? "I" : "T")));
  socket.write(Buffer.concat(parts));
  if (session.isIdle) session.free();
}

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

function counted(parts: Buffer[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(parts.length);
  return Buffer.concat([count, ...parts]);
}

function sized(text: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(Buffer.byteLength(text));
  return Buffer.concat([size, Buffer.from(text)]);
}
