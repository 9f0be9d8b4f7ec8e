import { notFound } from "next/navigation";
import { requireStaff } from "@/lib/panel/require-staff";

/** Addresses below /staff that lead nowhere: said inside the shell. */
export default async function StaffNowherePage(): Promise<never> {
  await requireStaff("staff.verifications.view");
  notFound();
}
