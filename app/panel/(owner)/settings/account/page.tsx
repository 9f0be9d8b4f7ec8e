import type { Metadata } from "next";
import { OwnAccount } from "@/app/panel/(owner)/settings/account/own-account";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel, requirePerson } from "@/lib/panel/require-panel";

export const metadata: Metadata = { title: "Your account" };

/** The person's own sign-in. */
export default orSayAway(async function AccountPage() {
  await requirePanel("profile.view");
  return <OwnAccount path="/panel/settings/account" person={await requirePerson()} />;
});
