import { expect, it } from "vitest";
import { seedDelivery, seedProject } from "@/e2e/support/delivery-seeds";
import { useDeliveryStage } from "@/e2e/support/delivery-stage";
import { db } from "@/lib/db/pool";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";
import { haveMostBegun } from "@/lib/services/deliveries/have-most-begun";

const stage = useDeliveryStage();
const ofDelivery = (deliveryId: string) => ({ id: `evt_${deliveryId}`, name: "delivery/ready", data: { deliveryId } });

it("says no until most deliveries were tried in their round, whatever came of it, or are over", async () => {
  const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
  const project = await seedProject();
  const ids: string[] = [];
  for (let number = 0; number < 4; number += 1) ids.push((await seedDelivery({ ...project, url: receiver.url })).id);
  const events = ids.map(ofDelivery);
  const said = [await haveMostBegun(events)];
  for (const id of ids.slice(0, 2)) await attemptDelivery(id, 1, 1);
  said.push(await haveMostBegun(events));
  await db().query("UPDATE webhook_deliveries SET status = 'failed' WHERE id = $1", [ids[2]]);
  said.push(await haveMostBegun(events));
  // Sent again: those tries were of the round before.
  await db().query("UPDATE webhook_deliveries SET status = 'pending', round = 2 WHERE id = ANY ($1)", [ids]);
  said.push(await haveMostBegun(events));
  expect(said).toEqual([false, false, true, false]);
});

it("does not hold up what speaks of no delivery, or of one that is gone", async () => {
  const mail = { id: "evt_mail", name: "mail/ready", data: { mailId: "mail_1" } };
  expect([await haveMostBegun([]), await haveMostBegun([mail]), await haveMostBegun([ofDelivery("dlv_gone")])]).toEqual(
    [true, true, true],
  );
});
