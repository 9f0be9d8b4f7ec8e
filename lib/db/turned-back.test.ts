import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { timesTurnedBack } from "@/lib/db/turned-back";

useServiceDatabase();

const USERS = ["usr_a", "usr_b"] as const;

beforeEach(async () => {
  await prisma().user.createMany({ data: USERS.map((id) => ({ id, email: `${id}@acme.example` })) });
});
afterEach(async () => {
  await prisma().user.deleteMany();
});

type Rename = (id: string, name: string) => Promise<unknown>;
type Transact = (work: (rename: Rename) => Promise<void>) => Promise<void>;

const RENAME = "UPDATE users SET name = concat(name, $2::text) WHERE id = $1";
const throughPool: Transact = (work) => inTransaction((tx) => work((id, name) => tx.query(RENAME, [id, name])));
const throughPrisma: Transact = (work) =>
  prisma().$transaction((tx) =>
    work(async (id, name) => {
      const before = await tx.user.findUniqueOrThrow({ where: { id } });
      await tx.user.update({ where: { id }, data: { name: `${before.name ?? ""}${name}` } });
    }),
  );
const throughSql: Transact = (work) =>
  prisma().$transaction((tx) => work((id, name) => tx.$executeRawUnsafe(RENAME, id, name)));

/** Two that take two rows the other way round; neither takes its second before both have their first. */
async function cross(transact: Transact): Promise<void> {
  let arrived = 0;
  let meet = () => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const act = (name: string, ids: readonly string[]) =>
    transact(async (rename) => {
      for (const [index, id] of ids.entries()) {
        await rename(id, name);
        if (index === 0 && ++arrived === 2) meet();
        await met;
      }
    });
  await Promise.all([act("1", USERS), act("2", [...USERS].reverse())]);
}

const namesOf = async () => (await prisma().user.findMany({ orderBy: { id: "asc" } })).map(({ name }) => name);

describe.each([
  ["the pool", throughPool],
  ["Prisma", throughPrisma],
  ["Prisma in SQL of ours", throughSql],
])("a transaction through %s", (_who, transact) => {
  it("that has to give way in a deadlock is run again, and all of it is there once", async () => {
    const before = timesTurnedBack().count;
    await cross(transact);
    expect(timesTurnedBack().count).toBeGreaterThan(before);
    for (const name of await namesOf()) expect(["12", "21"]).toContain(name);
  });
});

describe("a transaction that is turned back again and again", () => {
  const refuse = (tx: { query(text: string): Promise<unknown> }, code: string) =>
    tx.query(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`);

  it.each([
    ["40P01", 3],
    ["40001", 3],
    ["22012", 1],
  ])("with %s is given up after %d tries, and leaves nothing", async (code, most) => {
    let tries = 0;
    const trying = inTransaction(async (tx) => {
      tries += 1;
      await tx.query(RENAME, ["usr_a", "kept"]);
      await refuse(tx, code);
    });
    await expect(trying).rejects.toMatchObject({ code });
    expect(tries).toBe(most);
    expect(await namesOf()).toEqual([null, null]);
    expect((await db().query("SELECT 1")).rowCount).toBe(1);
  });
});
