import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db, hotDb, inTransaction, type Transaction } from "@/lib/db/pool";
import { sideBySide } from "@/lib/db/side-by-side";

useServiceDatabase();
beforeAll(() => db().query("CREATE TABLE notes (id int PRIMARY KEY)"));
beforeEach(() => db().query("TRUNCATE notes"));

const write = (tx: Transaction, id: number) => tx.query("INSERT INTO notes VALUES ($1)", [id]);
const written = async () => (await db().query("SELECT id FROM notes ORDER BY id")).rows.map(({ id }) => id);

async function writeBoth(tx: Transaction, first: number, second: number): Promise<number> {
  await write(tx, first);
  await write(tx, second);
  return second;
}

describe("parts of a transaction side by side", () => {
  it("answer in their order", async () => {
    const answers = await inTransaction((tx) => sideBySide([writeBoth(tx, 1, 2), writeBoth(tx, 3, 4), "5"]), hotDb());
    expect(answers).toEqual([2, 4, "5"]);
    expect(await written()).toEqual([1, 2, 3, 4]);
  });

  /** What one part that fails and another that goes on leave, once the other has sent all that it has to send. */
  async function leftBy(fails: (tx: Transaction) => Promise<unknown>, goesOn: (tx: Transaction) => Promise<unknown>) {
    const going: Promise<unknown>[] = [];
    const failed = await inTransaction((tx) => {
      const parts = [fails(tx), goesOn(tx)];
      going.push(...parts);
      return sideBySide(parts);
    }, hotDb()).catch((error: unknown) => error);
    await Promise.allSettled(going);
    return { failed, written: await written() };
  }

  it("leave nothing when one of them is refused, though others had more to send, and say why", async () => {
    const left = await leftBy(
      (tx) => writeBoth(tx, 1, 1),
      (tx) => writeBoth(tx, 2, 3),
    );
    expect(left).toMatchObject({ failed: { code: "23505" }, written: [] });
  });

  it("leave nothing when one of them throws of itself while others still have to send", async () => {
    const refuse = async (tx: Transaction) => {
      await write(tx, 1);
      throw new Error("No.");
    };
    const longer = async (tx: Transaction) => {
      for (const id of [2, 3, 4, 5]) await write(tx, id);
    };
    expect(await leftBy(refuse, longer)).toEqual({ failed: new Error("No."), written: [] });
  });
});
