import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { seedDelivery, seedProject } from "@/e2e/support/delivery-seeds";
import { type DeliveryStage, startDeliveryStage } from "@/e2e/support/delivery-stage";
import { keptPlan } from "@/e2e/support/kept-plan";
import { hotDb } from "@/lib/db/pool";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";

let stage: DeliveryStage;

beforeAll(async () => {
  stage = await startDeliveryStage();
});
afterEach(() => stage.closeReceivers());
afterAll(() => stage.close());

describe("statements whose plans were made while nothing was pending", () => {
  it.each(["load-deliveries", "claim-attempts", "record-attempts"])(
    "%s looks deliveries up by id, however many are pending",
    async (name) => {
      const receiver = await stage.startReceiver();
      const { id } = await seedDelivery({ ...(await seedProject()), url: receiver.url });
      expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
      const plan = await keptPlan(hotDb(), name);
      expect(plan).toContain("webhook_deliveries_pkey");
      expect(plan).not.toContain("webhook_deliveries_due_idx");
    },
  );
});
