import { afterAll, beforeAll } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { chatTurn } from "@/e2e/support/test-turns";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** A database and a model's server that turns can be answered with. */
export interface TurnStage {
  readonly model: ModelServer;
}

/** @param settings beside those of every stage, or in their place */
export function useTurnStage(settings: Record<string, string> = {}): TurnStage {
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModelServer();
  });
  useServiceDatabase(() => ({
    OPENAI_BASE_URL: model.baseUrl,
    MODEL_RETRY_DELAYS_SECONDS: "1,1",
    MODEL_IDLE_TIMEOUT_SECONDS: "0.5",
    ...settings,
  }));
  afterAll(async () => {
    await sessionHub().close();
    await model.stop();
  });
  return {
    get model() {
      return model;
    },
  };
}

export const message = (input: string, more: Partial<TurnInput> = {}) => chatTurn({ input, ...more });
