import { expect, it } from "vitest";
import { seedDelivery, seedProject } from "@/e2e/support/delivery-seeds";
import { attemptRows, deliveryRow, useDeliveryStage } from "@/e2e/support/delivery-stage";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";

const stage = useDeliveryStage({ timeoutSeconds: 0.5 });

it.each([{ kind: "hang" }, { kind: "slow", delayMs: 5_000 }] as const)(
  "gives up when the time is over, and tries again later: $kind",
  async (behaviour) => {
    const receiver = await stage.startReceiver(behaviour);
    const { id } = await seedDelivery({ ...(await seedProject()), url: receiver.url });
    expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "retry", delaySeconds: 0, nextNumber: 2 });
    const [attempt] = await attemptRows(id);
    expect(attempt).toMatchObject({ response_status: null, error: expect.stringMatching(/^TIMEOUT: /) });
    expect(attempt?.duration_ms).toBeGreaterThanOrEqual(495);
    expect(attempt?.duration_ms).toBeLessThan(4_900);
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", attempt_count: 1 });
  },
);

it.each([
  [{ kind: "drip", everyMs: 50 }, "TIMEOUT: The response was not complete in time."],
  [{ kind: "cut" }, "CONNECTION_LOST: The connection broke before the response was complete."],
] as const)("counts a 2xx as success however its body ends, and says how that was: %o", async (behaviour, error) => {
  const receiver = await stage.startReceiver(behaviour);
  const { id } = await seedDelivery({ ...(await seedProject()), url: receiver.url });
  expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
  const [attempt] = await attemptRows(id);
  expect(attempt).toMatchObject({ response_status: 200, error });
  expect(attempt?.response_body?.length).toBeGreaterThan(0);
  expect(await deliveryRow(id)).toMatchObject({ status: "delivered", attempt_count: 1 });
});

it.each([
  { kind: "drip", everyMs: 50, status: 503 },
  { kind: "cut", status: 503 },
] as const)("keeps the status of another answer whose body does not end, and tries again: %o", async (behaviour) => {
  const receiver = await stage.startReceiver(behaviour);
  const { id } = await seedDelivery({ ...(await seedProject()), url: receiver.url });
  expect(await attemptDelivery(id, 1, 1)).toMatchObject({ outcome: "retry" });
  expect(await attemptRows(id)).toMatchObject([{ response_status: 503 }]);
});
