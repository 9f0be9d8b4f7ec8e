import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/lib/db/generated/client";
import { db } from "@/lib/db/pool";
import { processSingleton } from "@/lib/process-singleton";

/** Prisma on the shared pool, for everything that is not a hot path. */
export function prisma(): PrismaClient {
  return processSingleton("prisma", () => new PrismaClient({ adapter: new PrismaPg(db()) }));
}
