"use server";

import { revalidatePath } from "next/cache";
import { createProjectInput, saveProjectInput } from "@/lib/contracts/projects";
import { panelAction } from "@/lib/panel/panel-action";
import { rememberProject } from "@/lib/panel/remember-project";
import { createOnce } from "@/lib/services/idempotency/create-once";
import { createProject as create } from "@/lib/services/projects/create-project";
import { saveProject as save } from "@/lib/services/projects/update-project";

/** The shell around every page names the project. */
const showAgain = () => revalidatePath("/panel", "layout");

/** Changes the project that the panel shows. */
export const saveProject = panelAction("project.update", saveProjectInput, async ({ actor, principal }, input) => {
  const result = await save(actor, principal, input);
  if (result.outcome === "saved") showAgain();
  return result;
});

/** Adds a project, and has the panel show it. */
export const createProject = panelAction(
  "project.create",
  createProjectInput,
  async ({ actor, principal }, { attempt, ...input }) => {
    const { id } = await createOnce(principal, attempt, input, (claim) => create(actor, principal, input, claim));
    await rememberProject(id);
    showAgain();
    return { id };
  },
);
