"use client";

import { Button } from "@heroui/react";
import { leaveFor } from "@/components/ui/leave-for";
import { askBeforeLeaving } from "@/components/ui/unsaved-guard";
import { useAction } from "@/components/ui/use-action";
import { useGoOn } from "@/components/ui/use-go-on";
import type { ActionResult } from "@/lib/contracts/action-result";

interface OpenInProjectProps {
  /** Bound to the project that it switches to. */
  action: () => Promise<ActionResult<unknown>>;
  /** The project's name. */
  name: string;
  /** The page to open in it. */
  href: string;
}

/** Switches the panel to another project and opens a page of it. What is typed is asked about first: the switch draws the page anew. */
export function OpenInProject({ action, name, href }: OpenInProjectProps) {
  const goOn = useGoOn();
  const { run, isPending } = useAction(action, {
    // A page that was not found stays so until it is loaded anew, or another one comes.
    onDone: () => (href.split("?")[0] === location.pathname ? leaveFor(href) : goOn(href)),
    isAnywhere: true,
  });
  const open = () => run(undefined);
  const press = () => {
    if (!askBeforeLeaving(open)) open();
  };
  return (
    <Button className="max-w-56" isPending={isPending} onPress={press} size="sm" variant="outline">
      <span className="truncate">
        Open in <bdi>{name}</bdi>
      </span>
    </Button>
  );
}
