import type { Prisma } from "@/lib/db/generated/client";

/**
 * The database's time; in a transaction, when that began. For times that another machine compares, or that Prisma's own
 * `now()` would fill in by this machine's clock, which may be off.
 */
export async function databaseNow(on: Pick<Prisma.TransactionClient, "$queryRaw">): Promise<Date> {
  const [row] = await on.$queryRaw<[{ now: Date }]>`SELECT now()`;
  return row.now;
}
