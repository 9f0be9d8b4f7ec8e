import { setTimeout as delay } from "node:timers/promises";
import type { BenchStage } from "@/bench/support/stage";
import type { StampingModel } from "@/bench/support/stamping-model";
import type { TestAccount } from "@/e2e/support/test-account";

const SESSIONS = 20;

/** Begins 20 sessions whose answers the model holds back, and waits until it has been asked for all of them. */
export async function startHeldSessions(
  stage: BenchStage,
  { apiKey }: TestAccount,
  model: StampingModel,
): Promise<string[]> {
  const sessionIds = await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const response = await fetch(`${stage.service.url}/api/v1/chat`, {
        method: "POST",
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
        body: JSON.stringify({ message: "Wait, then answer." }),
      });
      return ((await response.json()) as { sessionId: string }).sessionId;
    }),
  );
  for (let waitedMs = 0; model.waiting() < SESSIONS && waitedMs < 30_000; waitedMs += 20) await delay(20);
  return sessionIds;
}
