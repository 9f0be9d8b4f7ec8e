import type { ReactNode } from "react";
import { SETTINGS_LINKS } from "@/components/shell/panel-navigation";
import { SubNavigation } from "@/components/shell/sub-navigation";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";

/** The settings' pages under one line of links: those that the reader may see. */
export default orSayAway(async function SettingsLayout({ children }: { children: ReactNode }) {
  const { can } = await requirePanel("profile.view");
  return (
    <>
      <SubNavigation label="Settings" links={SETTINGS_LINKS.filter(({ action }) => can(action))} />
      {children}
    </>
  );
});
