import { expect } from "playwright/test";
import { prisma } from "@/lib/db/prisma";

/** Of one delivery: the test service waits 1 s between attempts and 2 s for an answer. */
export const ATTEMPTS = 5;
export const ALL_ATTEMPTS_MS = 20_000;

/** The delivery of a session once it is settled, with its attempts in order. */
export async function settledDelivery(sessionId: string) {
  const isSettled = { sessionId, status: { not: "pending" } };
  await expect.poll(() => prisma().webhookDelivery.count({ where: isSettled }), { timeout: ALL_ATTEMPTS_MS }).toBe(1);
  return prisma().webhookDelivery.findFirstOrThrow({
    where: { sessionId },
    include: { attempts: { orderBy: { number: "asc" } } },
  });
}
