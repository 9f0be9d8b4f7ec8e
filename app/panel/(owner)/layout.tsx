import type { ReactNode } from "react";
import { confirmPassword, readPlace, selectProject, signOut } from "@/app/panel/actions";
import { DemoNotice } from "@/components/shell/demo-notice";
import { ElsewhereNotice } from "@/components/shell/elsewhere-notice";
import { PANEL_NAVIGATION } from "@/components/shell/panel-navigation";
import { PanelShell } from "@/components/shell/panel-shell";
import { ProjectSwitch } from "@/components/shell/project-switch";
import { SuspendedNotice } from "@/components/shell/suspended-notice";
import { env } from "@/lib/env";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { listAlerts } from "@/lib/services/alerts/list-alerts";

/** The alerts' list has its own page; here their number is enough. */
const COUNT_ONLY = { limit: 1, offset: 0 };

/** Around every page of business owners. Pages ask for their own right: a layout is not drawn again on every visit. */
export default orSayAway(async function OwnerLayout({ children }: { children: ReactNode }) {
  const { account, accounts, can, principal, project, user } = await requirePanel("overview.view");
  const { pagination } = await listAlerts(principal, COUNT_ONLY);
  const { IS_DEMO_MODEL, SERVICE_NAME } = env();
  return (
    <PanelShell
      alerts={{ count: pagination.total, href: "/panel/alerts" }}
      confirmPassword={confirmPassword}
      groups={PANEL_NAVIGATION}
      homeHref="/panel"
      label="Panel"
      notice={
        <>
          <ElsewhereNotice accounts={accounts} projectId={project.id} selectProject={selectProject} />
          {account.verificationStatus === "suspended" ? <SuspendedNotice /> : null}
          {IS_DEMO_MODEL ? <DemoNotice /> : null}
        </>
      }
      place={{ userId: user.id, projectId: project.id }}
      readPlace={readPlace}
      searchHref="/panel/search"
      serviceName={SERVICE_NAME}
      switcher={
        <ProjectSwitch
          accounts={accounts}
          createHref={can("project.create") ? "/panel/settings/project?new=1" : undefined}
          groups={PANEL_NAVIGATION}
          projectId={project.id}
          selectProject={selectProject}
        />
      }
      user={{ name: user.name, email: user.email, accountHref: "/panel/settings/account", signOut }}
    >
      {children}
    </PanelShell>
  );
});
