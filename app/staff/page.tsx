import { redirect } from "next/navigation";
import { requireStaff } from "@/lib/panel/require-staff";

/** Staff begin where somebody waits for them. */
export default async function StaffPage(): Promise<never> {
  await requireStaff("staff.verifications.view");
  redirect("/staff/verifications");
}
