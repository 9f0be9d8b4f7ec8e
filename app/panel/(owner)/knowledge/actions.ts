"use server";

import { revalidatePath } from "next/cache";
import {
  createKnowledgeInput,
  knowledgeIdInput,
  restoreKnowledgeInput,
  saveKnowledgeInput,
  switchKnowledgeInput,
  uploadKnowledgeInput,
} from "@/lib/contracts/knowledge-forms";
import { panelAction } from "@/lib/panel/panel-action";
import { createOnce } from "@/lib/services/idempotency/create-once";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { deleteKnowledgeFile } from "@/lib/services/knowledge/delete-knowledge-file";
import { restoreKnowledgeVersion } from "@/lib/services/knowledge/restore-knowledge-version";
import { saveKnowledgeFile } from "@/lib/services/knowledge/update-knowledge-file";
import { uploadKnowledgeFile } from "@/lib/services/knowledge/upload-knowledge-file";
import { updateProject } from "@/lib/services/projects/update-project";

const PATH = "/panel/knowledge";

/** Adds a file; the AI knows it from the next call on. */
export const createKnowledgeAction = panelAction(
  "knowledge.create",
  createKnowledgeInput,
  async ({ principal, user }, { attempt, ...input }) => {
    const { id } = await createOnce(principal, attempt, input, (claim) =>
      createKnowledgeFile(principal, input, user.id, claim),
    );
    revalidatePath(PATH);
    return { id };
  },
);

/** Keeps a changed file, or says what somebody else made of it meanwhile. */
export const saveKnowledgeAction = panelAction(
  "knowledge.update",
  saveKnowledgeInput,
  async ({ principal, user }, { fileId, base, path, content }) => {
    const result = await saveKnowledgeFile(principal, fileId, { base, changes: { path, content } }, user.id);
    revalidatePath(PATH, "layout");
    return result;
  },
);

/**
 * Takes one file; the page sends several one after another, and is drawn again once the reader has seen what became of them.
 * A known name gets a new version, as anybody may give it one.
 */
export const uploadKnowledgeAction = panelAction(
  "knowledge.create",
  uploadKnowledgeInput,
  async ({ principal, user }, input) => uploadKnowledgeFile(principal, input, user.id),
);

/** Makes an earlier version the newest one. */
export const restoreKnowledgeAction = panelAction(
  "knowledge.update",
  restoreKnowledgeInput,
  async ({ actor, principal }, { fileId, version, began }) => {
    const restored = await restoreKnowledgeVersion(principal, fileId, version, actor, began);
    revalidatePath(PATH, "layout");
    return { version: restored.version };
  },
);

/** Removes a file with its versions. The page that showed it goes to the list, which is read anew. */
export const deleteKnowledgeAction = panelAction(
  "knowledge.delete",
  knowledgeIdInput,
  async ({ principal, actor }, { fileId }) => {
    await deleteKnowledgeFile(principal, fileId, actor);
    return null;
  },
);

/** Switches the project's API on or off, and its knowledge with it (§1). */
export const switchKnowledgeAction = panelAction(
  "project.update",
  switchKnowledgeInput,
  async ({ principal, actor }, { isOn }) => {
    await updateProject(actor, principal, { apiEnabled: isOn });
    revalidatePath(PATH, "layout");
    return null;
  },
);
