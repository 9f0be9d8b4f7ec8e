import dns from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { PrismaPg } from "@prisma/adapter-pg";
import { Client } from "pg";
import { describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestCertificates } from "@/e2e/support/test-certificates";
import { withDatabase } from "@/e2e/support/test-cluster";
import { isDatabaseAway, isTenantGone, isTurnedBack, lacksMigrations } from "@/lib/db/failures";
import { type Prisma, PrismaClient } from "@/lib/db/generated/client";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { freePort } from "@/scripts/support/free-port";

const database = useServiceDatabase();

const thrown = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
const raising = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`;

const asked = [
  ["a pool", (text: string) => db().query(text)],
  ["Prisma", (text: string) => prisma().$executeRawUnsafe(text)],
] as const;

describe("isTurnedBack", () => {
  for (const [who, ask] of asked) {
    it.each([
      ["40P01", true],
      ["40001", true],
      ["57P01", false],
      ["23505", false],
    ])(`of %s, asked through ${who}, says %s`, async (code, isSo) => {
      expect(isTurnedBack(await thrown(ask(raising(code))))).toBe(isSo);
    });
  }
});

describe("isTenantGone", () => {
  const insert = "INSERT INTO end_users (project_id, end_user_id) VALUES ('prj_gone', 'ada')";
  it.each([
    ["a pool", () => db().query(insert)],
    ["a statement of Prisma's", () => prisma().$executeRawUnsafe(insert)],
    ["Prisma", () => prisma().endUser.create({ data: { projectId: "prj_gone", endUserId: "ada" } })],
  ])("says so of a row of a project that is not there, asked through %s", async (_, ask) => {
    expect(isTenantGone(await thrown(ask()))).toBe(true);
  });

  it("says nothing of the kind where something else is not there", async () => {
    const message =
      "INSERT INTO messages (session_id, position, turn_id, role, content) VALUES ('gone', 0, 'gone', 'user', '')";
    const error = await thrown(db().query(message));
    expect(error).toMatchObject({ code: "23503" });
    expect(isTenantGone(error)).toBe(false);
  });
});

describe("isDatabaseAway", () => {
  for (const [who, ask] of asked) {
    it.each(["25006", "28000", "28P01", "3D000", "53100", "53200", "53300", "57014", "57P01", "57P05"])(
      `says so of %s, asked through ${who}`,
      async (code) => {
        expect(isDatabaseAway(await thrown(ask(raising(code))))).toBe(true);
      },
    );

    it.each(["22012", "23505", "40P01", "P0001"])(
      `says nothing of the kind of %s, asked through ${who}`,
      async (code) => {
        const error = await thrown(ask(raising(code)));
        expect(error).toBeInstanceOf(Error);
        expect(isDatabaseAway(error)).toBe(false);
      },
    );
  }

  it("says so of a change that Prisma makes in a database that takes none", async () => {
    const change = prisma().$transaction(async (tx) => {
      await tx.$executeRawUnsafe("SET TRANSACTION READ ONLY");
      await tx.user.updateMany({ where: { id: "nobody" }, data: { name: "Nobody" } });
    });
    expect(isDatabaseAway(await thrown(change))).toBe(true);
  });

  it("says so of one that Prisma cannot connect to", async () => {
    const nowhere = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`;
    const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: nowhere }) });
    expect(isDatabaseAway(await thrown(client.user.count()))).toBe(true);
    expect(isDatabaseAway(await thrown(client.$queryRaw`SELECT 1`))).toBe(true);
  });

  it("says so of one that lets its user in no more, is gone, or takes no connections for now", async () => {
    const shut = `${new URL(database.url).pathname.slice(1)}_shut`;
    await db().query(`CREATE DATABASE ${shut} ALLOW_CONNECTIONS false`);
    const wrongPassword = new URL(database.url);
    wrongPassword.password = "the-one-before";
    for (const connectionString of [
      wrongPassword.href,
      withDatabase(database.url, "gone"),
      withDatabase(database.url, shut),
    ]) {
      const client = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
      expect(isDatabaseAway(await thrown(new Client({ connectionString }).connect()))).toBe(true);
      expect(isDatabaseAway(await thrown(client.user.count()))).toBe(true);
      expect(isDatabaseAway(await thrown(client.$queryRaw`SELECT 1`))).toBe(true);
    }
    await db().query(`DROP DATABASE ${shut}`);
  });

  it.each(["EAI_AGAIN", "EAI_FAIL", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"])(
    "says so of one whose name servers, or the way to it, end in %s",
    async (code) => {
      const refused = Object.assign(new Error(`getaddrinfo ${code} db.example`), {
        code,
        errno: -1,
        syscall: "getaddrinfo",
      });
      const lookup = vi
        .spyOn(dns, "lookup")
        .mockImplementation(((_name: string, _options: unknown, done: (error: Error) => void) =>
          process.nextTick(done, refused)) as unknown as typeof dns.lookup);
      await expectAway("postgres://nobody@db.example/nothing").finally(() => lookup.mockRestore());
    },
  );

  it("says so of one whose certificate expired while the service runs", async () => {
    const { certPem: cert, keyPem: key } = createTestCertificates({ isExpired: true });
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      // The client asks for TLS first, and an S lets it begin.
      socket.once("data", () => {
        socket.write("S");
        new TLSSocket(socket, { isServer: true, cert, key }).on("error", () => {});
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    await expectAway(
      `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/nothing?sslmode=verify-full`,
    );
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it("says so of one that takes connections and then says nothing, asked through a client of its own, as streams' are", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const connectionString = `postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/nothing`;
    const client = new Client({ connectionString, connectionTimeoutMillis: 50 });
    client.on("error", () => {});
    expect(isDatabaseAway(await thrown(client.connect()))).toBe(true);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});

describe("lacksMigrations", () => {
  const undone = [
    ["a table", "ALTER TABLE mails RENAME TO of_later", "SELECT id FROM mails"],
    ["a column", "ALTER TABLE mails RENAME COLUMN sealed TO of_later", "SELECT sealed FROM mails"],
  ] as const;
  const ways = [
    ["a pool", (undo, read) => inTransaction((tx) => tx.query(undo).then(() => tx.query(read)))],
    ["a statement of Prisma's", (undo, read) => lacking(undo, (tx) => tx.$queryRawUnsafe(read))],
    ["Prisma", (undo) => lacking(undo, (tx) => tx.mail.findFirst())],
  ] as const satisfies [string, (undo: string, read: string) => Promise<unknown>][];

  for (const [what, undo, read] of undone) {
    it.each(ways)(`says so of ${what} that is not there, asked through %s, and not that it is away`, async (_, ask) => {
      const error = await thrown(ask(undo, read));
      expect(lacksMigrations(error)).toBe(true);
      expect(isDatabaseAway(error)).toBe(false);
    });
  }

  it.each(["22012", "23505", "57P01"])("says nothing of the kind of %s", async (code) => {
    for (const [, ask] of asked) expect(lacksMigrations(await thrown(ask(raising(code))))).toBe(false);
  });
});

/** By each way that the service asks. */
async function expectAway(connectionString: string): Promise<void> {
  const client = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  for (const asking of [new Client({ connectionString }).connect(), client.user.count(), client.$queryRaw`SELECT 1`]) {
    const error = await thrown(asking);
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseAway(error)).toBe(true);
  }
}

/** Undone for these statements alone. */
function lacking(undo: string, read: (tx: Prisma.TransactionClient) => Promise<unknown>): Promise<unknown> {
  return prisma().$transaction(async (tx) => {
    await tx.$executeRawUnsafe(undo);
    return read(tx);
  });
}
