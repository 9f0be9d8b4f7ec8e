"use client";

import { Button, Popover } from "@heroui/react";
import { ChevronsUpDown, Plus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { isCurrent, type NavigationGroup } from "@/components/shell/navigation-links";
import { ProjectList, type SwitchAccount } from "@/components/shell/project-list";
import { useCloseOnLeave } from "@/components/shell/use-close-on-leave";
import { say } from "@/components/ui/spoken";
import { askBeforeLeaving } from "@/components/ui/unsaved-guard";
import { useAction } from "@/components/ui/use-action";
import type { ActionResult } from "@/lib/contracts/action-result";

interface ProjectSwitchProps {
  /** The reader's accounts with their projects. */
  accounts: SwitchAccount[];
  projectId: string;
  /** Remembers the choice; the page shows the other project afterwards. */
  selectProject: (projectId: string) => Promise<ActionResult<unknown>>;
  /** The panel's navigation: after the switch the reader stays in the same place. */
  groups: NavigationGroup[];
  /** Where a new project is made; none: the reader may not. */
  createHref?: string;
}

/** Whose work the panel shows: the project, and its account where there are several. */
export function ProjectSwitch({ accounts, projectId, selectProject, groups, createHref }: ProjectSwitchProps) {
  const [isOpen, setOpen] = useState(false);
  useCloseOnLeave(() => setOpen(false));
  const router = useRouter();
  const chosen = useRef("");
  const { run, isPending } = useAction(selectProject, {
    // Where they are by now.
    onDone: () => router.push(placeOf(location.pathname, groups)),
  });
  const account = accounts.find(({ projects }) => projects.some(({ id }) => id === projectId));
  const project = account?.projects.find(({ id }) => id === projectId);

  // Once it is shown: said before, the words would be lost to the focus, which comes back to the button meanwhile.
  useEffect(() => {
    if (!project || chosen.current !== project.id) return;
    chosen.current = "";
    say(`You are working in ${project.name} now.`);
  }, [project]);

  const choose = (id: string) => {
    setOpen(false);
    if (id === projectId) return;
    chosen.current = id;
    if (!askBeforeLeaving(() => run(id))) run(id);
  };

  return (
    <Popover isOpen={isOpen} onOpenChange={setOpen}>
      <Button
        className="h-11 w-full justify-between gap-2 rounded-lg border border-border bg-background px-2.5 text-left font-normal md:h-11"
        isPending={isPending}
        variant="ghost"
      >
        <span className="min-w-0 flex-1">
          <span className="sr-only">Project</span>
          <span className="block truncate font-medium leading-4" dir="auto">
            {project?.name}
          </span>
          <span className="block truncate text-muted text-xs leading-4" dir="auto">
            {account?.companyName}
          </span>
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-3.5 text-muted" />
      </Button>
      <Popover.Content
        className="max-h-[60vh] w-max min-w-[260px] max-w-[min(26rem,calc(100vw-1.5rem))] overflow-y-auto"
        placement="bottom start"
      >
        <Popover.Dialog aria-label="Switch the project" className="grid grid-cols-[minmax(0,1fr)] gap-2 p-2">
          <ProjectList accounts={accounts} choose={choose} projectId={projectId} />
          {createHref ? (
            <Link
              className="flex h-8 items-center gap-2 rounded-md border-separator px-2 hover:bg-default"
              href={createHref}
              onClick={() => setOpen(false)}
            >
              <Plus aria-hidden="true" className="size-4 text-muted" />
              New project
            </Link>
          ) : null}
        </Popover.Dialog>
      </Popover.Content>
    </Popover>
  );
}

/** The list that a page belongs to: what one project has, the other has not. */
function placeOf(path: string, groups: NavigationGroup[]): string {
  const links = groups.flatMap((group) => group.links);
  return links.find((link) => isCurrent(link, path))?.href ?? links[0]?.href ?? path;
}
