"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { OpenInProject } from "@/components/shell/open-in-project";
import type { SwitchAccount } from "@/components/shell/project-list";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ElsewhereNoticeProps {
  /** The reader's accounts with their projects. */
  accounts: SwitchAccount[];
  /** The one that the panel shows. */
  projectId: string;
  selectProject: (projectId: string) => Promise<ActionResult<unknown>>;
}

/** Of what a link is about: the id of an account or of a project, as mails have it (`lib/services/mail/compose-mail.ts`). */
const OF = "of";

/**
 * Says that the link which was followed is about another of the reader's projects than the panel shows, and leads there: what
 * it is about is not on this page, or is not found at all.
 */
export function ElsewhereNotice({ accounts, projectId, selectProject }: ElsewhereNoticeProps) {
  const path = usePathname();
  const params = useSearchParams();
  const meant = meantBy(params.get(OF), accounts, projectId);
  if (!meant) return null;
  const others = new URLSearchParams(params);
  others.delete(OF);
  const query = others.toString();
  return (
    <aside
      aria-label="About another project"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-warning/40 border-b bg-warning/10 px-4 py-2 text-code sm:px-6 lg:px-8 print:hidden"
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">
        The link is about <bdi className="font-semibold">{meant.name}</bdi>. The panel shows <bdi>{meant.shown}</bdi>.
      </span>
      <OpenInProject
        action={() => selectProject(meant.projectId)}
        href={query === "" ? path : `${path}?${query}`}
        name={meant.name}
      />
    </aside>
  );
}

interface Meant {
  /** What the link is about. */
  name: string;
  /** What is shown instead. */
  shown: string;
  projectId: string;
}

/** Null where that is shown, where there was no such link, and where it is about something that the reader has no part in. */
function meantBy(of: string | null, accounts: SwitchAccount[], projectId: string): Meant | null {
  const shown = accounts.find(({ projects }) => projects.some(({ id }) => id === projectId));
  if (of === null || !shown || of === projectId || of === shown.id) return null;
  const account = accounts.find(({ id, projects }) => id === of || projects.some((project) => project.id === of));
  const project = account?.projects.find(({ id }) => id === of) ?? account?.projects[0];
  if (!account || !project) return null;
  if (account !== shown) return { name: account.companyName, shown: shown.companyName, projectId: project.id };
  const current = shown.projects.find(({ id }) => id === projectId);
  return { name: project.name, shown: current?.name ?? "", projectId: project.id };
}
