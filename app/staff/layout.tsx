import type { ReactNode } from "react";
import { confirmPassword, readPlace, signOut } from "@/app/panel/actions";
import { PanelShell } from "@/components/shell/panel-shell";
import { STAFF_NAVIGATION } from "@/components/shell/staff-navigation";
import { env } from "@/lib/env";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";

/** Around every page of staff; for everybody else none of them is there. Pages ask for their own right. */
export default orSayAway(async function StaffLayout({ children }: { children: ReactNode }) {
  const { user } = await requireStaff("staff.verifications.view");
  return (
    <PanelShell
      audience="Staff"
      confirmPassword={confirmPassword}
      groups={STAFF_NAVIGATION}
      homeHref="/staff/verifications"
      label="Staff"
      place={{ userId: user.id, projectId: null }}
      readPlace={readPlace}
      searchHint="Any id, or a company"
      searchHref="/staff/search"
      serviceName={env().SERVICE_NAME}
      user={{ name: user.name, email: user.email, accountHref: "/staff/account", signOut }}
    >
      {children}
    </PanelShell>
  );
});
