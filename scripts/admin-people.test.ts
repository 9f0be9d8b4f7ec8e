import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { newTestOwner, sessionOf, switchOnSecondFactor } from "@/e2e/support/test-people";
import { db } from "@/lib/db/pool";
import { findPersonSession } from "@/lib/services/people/person-session";
import { PEOPLE_COMMANDS } from "@/scripts/support/admin-people";

useServiceDatabase({ APP_URL: "https://service.example" });

it("a link for a new password leaves password and second factor as they are, unless the operator says to take it off", async () => {
  const owner = await newTestOwner();
  const { token, self } = await sessionOf(owner);
  await switchOnSecondFactor(self);
  const reset = PEOPLE_COMMANDS["reset-password"];
  const hasFactor = async () => (await findPersonSession(token))?.user.hasTotp;
  const { link } = (await reset?.plan({ email: owner.email })()) ?? {};
  expect(link).toMatch(/^https:\/\/service\.example\/\S+token=[\w-]{43}$/);
  expect(await hasFactor()).toBe(true);
  await reset?.plan({ email: owner.email, "remove-second-factor": true })();
  expect(await hasFactor(), "nor is anybody signed in any more").toBeUndefined();
  const { rows } = await db().query("SELECT password_hash, totp_secret_encrypted FROM users WHERE id = $1", [
    owner.userId,
  ]);
  expect(rows, "what was one half of the way in is not the whole of it").toEqual([
    { password_hash: null, totp_secret_encrypted: null },
  ]);
});
