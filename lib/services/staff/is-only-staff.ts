import { prisma } from "@/lib/db/prisma";

/** Whether nobody else is left of the staff: what wants a second person waits for nobody then. */
export async function isOnlyStaff(userId: string): Promise<boolean> {
  return (await prisma().user.count({ where: { isStaff: true, disabledAt: null, id: { not: userId } } })) === 0;
}
