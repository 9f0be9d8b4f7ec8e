import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { WebhookTable } from "@/components/webhooks/webhook-table";
import type { DeliveryCounts } from "@/lib/contracts/deliveries";

const draw = (lastDay: DeliveryCounts | undefined) =>
  renderToStaticMarkup(
    <WebhookTable
      empty={null}
      webhooks={[
        {
          id: "whk_1",
          partnerId: "acc_1",
          url: "https://receiver.example/",
          events: ["completion"],
          active: true,
          status: "active",
          createdAt: "2026-01-01T10:00:00.000Z",
          updatedAt: "2026-01-01T10:00:00.000Z",
          lastDeliveryAt: null,
          lastDay,
        },
      ]}
    />,
  );

describe("the list of webhooks", () => {
  it.each([
    ["nothing was sent", undefined, "Nothing sent"],
    ["all are on their way or tried again", { delivered: 0, undelivered: 0 }, "None yet"],
    ["some did not arrive", { delivered: 1, undelivered: 1 }, "1 of 2"],
  ])("says how much arrived where %s", (_, lastDay, words) => {
    const drawn = draw(lastDay);
    const others = ["Nothing sent", "None yet", "1 of 2"].filter((other) => other !== words);
    expect(drawn).toContain(words);
    for (const other of others) expect(drawn).not.toContain(other);
  });
});
