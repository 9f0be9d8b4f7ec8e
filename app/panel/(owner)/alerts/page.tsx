import type { Metadata } from "next";
import { dismissAlert } from "@/app/panel/(owner)/alerts/actions";
import { selectProject } from "@/app/panel/actions";
import { AlertList } from "@/components/alerts/alert-list";
import { LiveRefresh } from "@/components/home/live-refresh";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pagination } from "@/components/ui/pagination";
import { TabLinks } from "@/components/ui/tab-links";
import { listAt } from "@/lib/panel/offset-of";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { canSendMail } from "@/lib/services/mail/can-send-mail";

export const metadata: Metadata = { title: "Alerts" };

const PATH = "/panel/alerts";
const PAGE_SIZE = 20;
const COUNT_ONLY = { limit: 1, offset: 0 };

/** What the owner should look at, and what was put away or ended by itself. */
export default orSayAway(async function AlertsPage({ searchParams }: PageProps<"/panel/alerts">) {
  const [context, params] = await Promise.all([requirePanel("alerts.view"), searchParams]);
  const { principal, project, projects, can } = context;
  const state = params.show === "past" ? "past" : "open";
  const [alerts, open] = await Promise.all([
    listAt(params.offset, PAGE_SIZE, (part) => listAlerts(principal, part, state)),
    listAlerts(principal, COUNT_ONLY),
  ]);
  return (
    <>
      <LiveRefresh everyMs={30_000} />
      <PageHeader
        purpose="What failed, runs out or was decided, in all projects. It ends once its cause is gone."
        title="Alerts"
      />
      <TabLinks
        current={state}
        label="Which alerts"
        param="show"
        params={{}}
        path={PATH}
        tabs={[
          { id: "open", name: "Open", count: open.pagination.total },
          { id: "past", name: "Past" },
        ]}
      />
      {alerts.data.length === 0 ? (
        state === "open" ? (
          <EmptyState
            text={`When a webhook receiver fails for good, credits or tokens run out, a key is about to end or is used from elsewhere, or your verification is decided, it stands here and the bell says so.${canSendMail() ? " Owners and admins get a mail, too; everybody chooses that under Your account." : ""} Owners can have it told of in your team’s chat, under Company.`}
            title="Nothing to look at"
          />
        ) : (
          <EmptyState text="Alerts that were dismissed, or whose cause is gone, stand here." title="No past alerts" />
        )
      ) : (
        <AlertList
          alerts={alerts.data}
          dismiss={can("alerts.dismiss") ? dismissAlert : undefined}
          label={state === "open" ? "Open alerts" : "Past alerts"}
          projectId={project.id}
          projects={projects}
          selectProject={selectProject}
        />
      )}
      {alerts.pagination.total > PAGE_SIZE ? (
        <Pagination pagination={alerts.pagination} params={params} path={PATH} />
      ) : null}
    </>
  );
});
