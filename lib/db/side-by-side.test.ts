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

  it("leave nothing when one of them is refused, though others had more to send, and say why", async () => {
    const failing = inTransaction((tx) => sideBySide([writeBoth(tx, 1, 1), writeBoth(tx, 2, 3)]), hotDb());
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(await written()).toEqual([]);
  });

  it("leave nothing when one of them throws of itself while others still have to send", async () => {
    const refuse = async (tx: Transaction) => {
      await write(tx, 1);
      throw new Error("No.");
    };
    const longer = async (tx: Transaction) => {
      for (const id of [2, 3, 4, 5]) await write(tx, id);
    };
    await expect(inTransaction((tx) => sideBySide([refuse(tx), longer(tx)]), hotDb())).rejects.toThrow("No.");
    expect(await written()).toEqual([]);
  });
});
