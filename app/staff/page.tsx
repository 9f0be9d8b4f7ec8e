import { redirect } from "next/navigation";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";

/** Staff begin where somebody waits for them. */
export default orSayAway(async function StaffPage(): Promise<never> {
  await requireStaff("staff.verifications.view");
  redirect("/staff/verifications");
});
