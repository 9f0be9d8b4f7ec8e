import { PrismaPg } from "@prisma/adapter-pg";
import { type Prisma, PrismaClient } from "@/lib/db/generated/client";
import { db, type Transaction } from "@/lib/db/pool";
import { againWhenTurnedBack } from "@/lib/db/turned-back";
import { processSingleton } from "@/lib/process-singleton";

/** A busy pool is waited for: what Prisma allows by itself fails a whole call for two crowded seconds. */
const TRANSACTION_OPTIONS = { maxWait: 15_000, timeout: 15_000 };

/**
 * Prisma on the shared pool, for everything that is not a hot path. A transaction is run again when the database turned it back in
 * favour of another one, so its work does nothing beside it that may not be done twice.
 */
export function prisma(): PrismaClient {
  return processSingleton("prisma", () => {
    const client = new PrismaClient({ adapter: new PrismaPg(db()), transactionOptions: TRANSACTION_OPTIONS });
    const transact = client.$transaction.bind(client) as (...call: unknown[]) => Promise<unknown>;
    return Object.assign(client, {
      $transaction: (...call: unknown[]) => againWhenTurnedBack(() => transact(...call)),
    }) as PrismaClient;
  });
}

/** Lets a statement that changes rows and returns none run inside a transaction of Prisma's. */
export function withinPrisma(tx: Prisma.TransactionClient): Transaction {
  const query = async ({ text, values }: { text: string; values: unknown[] }) => ({
    rows: [],
    rowCount: await tx.$executeRawUnsafe(text, ...values),
  });
  return { query, isTransaction: true } as unknown as Transaction;
}
