import { alertRemedy } from "@/components/alerts/alert-remedy";
import { OpenInProject } from "@/components/shell/open-in-project";
import { NearLink } from "@/components/ui/near-link";
import { RowActButton } from "@/components/ui/row-act-button";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { AlertRecord } from "@/lib/contracts/alerts";

interface AlertListProps {
  /** "Open alerts" */
  label: string;
  alerts: AlertRecord[];
  /** The account's projects: alerts are of all of them. */
  projects: { id: string; name: string }[];
  /** The one that the panel shows. */
  projectId: string;
  /** None: the reader may not. */
  dismiss?: (input: { alertId: string }) => Promise<ActionResult<unknown>>;
  /** Shows another project, for what an alert of that one is about. */
  selectProject: (projectId: string) => Promise<ActionResult<unknown>>;
}

/** What the owner should look at, with a way to each and a way to put it away. */
export function AlertList({ label, alerts, dismiss, ...places }: AlertListProps) {
  return (
    <ul aria-label={label} className="divide-y divide-separator rounded-xl border border-border bg-surface">
      {alerts.map((alert) => {
        const isOpen = alert.dismissedAt === null && alert.resolvedAt === null;
        const { tone } = alertRemedy(alert);
        return (
          <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-4" key={alert.id}>
            <div className="min-w-0 flex-1 basis-80">
              <p className="font-medium">
                <StatusDot status={alert.kind} tone={isOpen ? tone : "neutral"} word={alert.title} />
              </p>
              <p className="mt-0.5 line-clamp-12 max-w-[80ch] text-pretty pl-3.5 text-muted [overflow-wrap:anywhere]">
                {alert.message}
              </p>
              <AlertFacts alert={alert} {...places} />
            </div>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:pl-3.5">
              <AlertLink alert={alert} {...places} />
              {isOpen && dismiss ? (
                <RowActButton
                  about={alert.title}
                  action={dismiss.bind(null, { alertId: alert.id })}
                  label="Dismiss"
                  success="Alert dismissed"
                />
              ) : null}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

type Places = Pick<AlertListProps, "projects" | "projectId" | "selectProject"> & { alert: AlertRecord };

function AlertFacts({ alert, projects, projectId }: Places) {
  const project = projects.find(({ id }) => id === alert.projectId && id !== projectId);
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 pl-3.5 text-code text-muted">
      <TimeText at={alert.createdAt} />
      {project ? (
        <span className="min-w-0 [overflow-wrap:anywhere]">
          in <bdi>{project.name}</bdi>
        </span>
      ) : null}
      {alert.resolvedAt ? (
        <span>
          over since <TimeText at={alert.resolvedAt} kind="exact" />
        </span>
      ) : null}
      {alert.dismissedAt ? (
        <span>
          dismissed <TimeText at={alert.dismissedAt} />
        </span>
      ) : null}
    </p>
  );
}

/** Pages show one project: what belongs to another is opened there. */
function AlertLink({ alert, projects, projectId, selectProject }: Places) {
  const { link } = alertRemedy(alert);
  if (!link) return null;
  if (alert.projectId === null || alert.projectId === projectId) {
    return (
      <NearLink className="text-accent-text hover:underline" href={link.href}>
        {link.name}
      </NearLink>
    );
  }
  const project = projects.find(({ id }) => id === alert.projectId);
  if (!project) return null;
  return <OpenInProject action={selectProject.bind(null, project.id)} href={link.href} name={project.name} />;
}
