import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";

/**
 * The time that the service goes by, which is the database's: for pages and downloads of days and months, which are counted by it,
 * and for what is due. A machine's own clock may be off.
 */
export function serviceNow(): Promise<Date> {
  return databaseNow(prisma());
}
