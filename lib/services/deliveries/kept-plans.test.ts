import { describe, expect, it } from "vitest";
import { seedDelivery, seedProject } from "@/e2e/support/delivery-seeds";
import { useDeliveryStage } from "@/e2e/support/delivery-stage";
import { keptPlan } from "@/e2e/support/kept-plan";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { hotDb, inTransaction } from "@/lib/db/pool";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";
import { emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";

const stage = useDeliveryStage();

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

  it("insert-deliveries counts registrations of the account alone", async () => {
    const { accountId, projectId } = await seedProject();
    const event = SAMPLE_EVENTS.completion;
    const of = { accountId, projectId, sessionId: event.sessionId, turnId: "trn_1", endUserId: null, event };
    const callbackUrl = "https://receiver.example/";
    await inTransaction((tx) => emitDeliveries(tx, [{ ...of, callbackUrl, dedupeKey: "one" }]), hotDb());
    const plan = await keptPlan(hotDb(), "insert-deliveries");
    expect(plan).toContain("webhook_registrations_account_id_idx on webhook_registrations earlier");
    expect(plan).not.toContain("Seq Scan");
  });
});
