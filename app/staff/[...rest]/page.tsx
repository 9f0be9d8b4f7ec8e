import { notFound } from "next/navigation";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";

/** Addresses below /staff that lead nowhere: said inside the shell. */
export default orSayAway(async function StaffNowherePage(): Promise<never> {
  await requireStaff("staff.verifications.view");
  notFound();
});
