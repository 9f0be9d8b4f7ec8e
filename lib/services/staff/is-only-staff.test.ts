import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { disableStaff } from "@/lib/services/accounts/disable-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { isOnlyStaff } from "@/lib/services/staff/is-only-staff";

useServiceDatabase();

it("is who works alone, and who is left when the others are shut out", async () => {
  const ann = await createStaff(OPERATOR, { email: "ann@service.example" });
  expect(await isOnlyStaff(ann.userId)).toBe(true);
  const ben = await createStaff(OPERATOR, { email: "ben@service.example" });
  expect(await isOnlyStaff(ann.userId)).toBe(false);
  await disableStaff(OPERATOR, { email: ben.email, reason: "left us" });
  expect(await isOnlyStaff(ann.userId)).toBe(true);
});
