"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { hideChecklistOf } from "@/app/panel/(owner)/(overview)/hidden-checklists";
import { panelAction } from "@/lib/panel/panel-action";

/** Puts the finished checklist of the project away, in this browser. */
export const hideChecklist = panelAction("overview.view", z.undefined(), async ({ project }) => {
  await hideChecklistOf(project.id);
  revalidatePath("/panel");
  return null;
});
