import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { seedDelivery, seedProject, seedRegistration } from "@/e2e/support/delivery-seeds";
import { runDelivery, useDeliveryStage, verifyRequest } from "@/e2e/support/delivery-stage";
import { db } from "@/lib/db/pool";
import { sealText } from "@/lib/domain/sealed-text";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";

const secret = newWebhookSecret();
const stage = useDeliveryStage();
let owner: { accountId: string; projectId: string };

beforeEach(async () => {
  owner = await seedProject(secret);
});

/** A secret that a key sealed which is lost. */
const lost = () => sealText(newWebhookSecret(), randomBytes(32).toString("base64"));

describe("a secret before the present one that no key opens any more", () => {
  it("holds up no delivery to a webhook: it is signed by the present one", async () => {
    const receiver = await stage.startReceiver();
    const registrationId = await seedRegistration({ ...owner, url: receiver.url, secret });
    const text = `UPDATE webhook_registrations SET previous_secret_encrypted = $2, previous_secret_until = now() + interval '1 hour'
                  WHERE id = $1`;
    await db().query(text, [registrationId, lost()]);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    expect(await runDelivery(id)).toEqual([{ outcome: "delivered" }]);
    for (const request of receiver.requests) verifyRequest(request, secret);
  });

  it("holds up no callback either", async () => {
    const receiver = await stage.startReceiver();
    const text = `UPDATE projects SET previous_callback_secret_encrypted = $2,
                    previous_callback_secret_until = now() + interval '1 hour' WHERE id = $1`;
    await db().query(text, [owner.projectId, lost()]);
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    expect(await runDelivery(id)).toEqual([{ outcome: "delivered" }]);
    for (const request of receiver.requests) verifyRequest(request, secret);
  });
});
