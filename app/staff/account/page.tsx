import type { Metadata } from "next";
import { OwnAccount } from "@/app/panel/(owner)/settings/account/own-account";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePerson } from "@/lib/panel/require-panel";
import { requireStaff } from "@/lib/panel/require-staff";

export const metadata: Metadata = { title: "Your account" };

/** The own sign-in of a member of staff. */
export default orSayAway(async function StaffAccountPage() {
  await requireStaff("staff.profile.view");
  return <OwnAccount path="/staff/account" person={await requirePerson()} />;
});
