"use server";

import { createHash } from "node:crypto";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { testRefusalOf } from "@/app/panel/(owner)/templates/test-refusal";
import { attemptField } from "@/lib/contracts/edit-base";
import {
  releaseTemplateInput,
  restoreTemplateInput,
  saveTemplateInput,
  templateDraft,
  templateIdInput,
  testTemplateInput,
  uploadTemplateInput,
} from "@/lib/contracts/template-forms";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { panelAction } from "@/lib/panel/panel-action";
import { createOnce } from "@/lib/services/idempotency/create-once";
import { createTemplate } from "@/lib/services/templates/create-template";
import { deleteTemplate } from "@/lib/services/templates/delete-template";
import { releaseTemplateVersion } from "@/lib/services/templates/release-template-version";
import { restoreTemplateVersion } from "@/lib/services/templates/restore-template-version";
import { testTemplate } from "@/lib/services/templates/test-template";
import { saveTemplate } from "@/lib/services/templates/update-template";
import { uploadTemplate } from "@/lib/services/templates/upload-template";

const PATH = "/panel/templates";

/** Keeps a new template. */
export const createTemplateAction = panelAction(
  "templates.create",
  z.strictObject({ draft: templateDraft, attempt: attemptField }),
  async ({ principal, user }, { draft: { description, ...draft }, attempt }) => {
    const content = { ...draft, ...(description && { description }) };
    const made = await createOnce(principal, attempt, content, (claim) =>
      createTemplate(principal, content, user.id, claim),
    );
    revalidatePath(PATH);
    return made;
  },
);

/** Keeps a changed template, or says what somebody else made of it meanwhile. */
export const saveTemplateAction = panelAction(
  "templates.update",
  saveTemplateInput,
  async ({ principal, user }, { templateId, base, draft }) => {
    const changes = { ...draft, description: draft.description || null };
    const result = await saveTemplate(principal, templateId, { base, changes }, user.id);
    revalidatePath(PATH, "layout");
    return result;
  },
);

/** Makes a template of a .md or .txt file. */
export const uploadTemplateAction = panelAction(
  "templates.create",
  uploadTemplateInput,
  async ({ principal, user }, { fileName, bytes, attempt }) => {
    const content = { fileName, sha256: createHash("sha256").update(bytes).digest("hex") };
    const { id } = await createOnce(principal, attempt, content, (claim) =>
      uploadTemplate(principal, {}, { name: fileName, bytes }, user.id, claim),
    );
    revalidatePath(PATH);
    return { id };
  },
);

/** Makes an earlier version the newest one. */
export const restoreTemplateAction = panelAction(
  "templates.update",
  restoreTemplateInput,
  async ({ actor, principal }, { templateId, version, began }) => {
    const restored = await restoreTemplateVersion(principal, templateId, version, actor, began);
    revalidatePath(PATH, "layout");
    return { version: restored.version };
  },
);

/** Says which version calls use that name none. */
export const releaseTemplateAction = panelAction(
  "templates.release",
  releaseTemplateInput,
  async ({ actor, principal }, { templateId, ...choice }) => {
    await releaseTemplateVersion(principal, templateId, choice, actor);
    revalidatePath(PATH, "layout");
    return null;
  },
);

/** Removes a template with its versions. The page that showed it goes to the list, which is read anew. */
export const deleteTemplateAction = panelAction(
  "templates.delete",
  templateIdInput,
  async ({ principal, actor }, { templateId }) => {
    await deleteTemplate(principal, templateId, actor);
    return null;
  },
);

/** Asks the AI with what stands in the editor; the answer comes on the session's stream. */
export const testTemplateAction = panelAction("templates.test", testTemplateInput, (context, { attempt, ...input }) => {
  // As for keys: who is not verified, or not any more, has no work done.
  const refusal = testRefusalOf(context);
  if (refusal !== null) throw new AppError("B2B_NOT_VERIFIED", refusal);
  const { principal } = context;
  return createOnce(principal, attempt, input, (idempotency) =>
    testTemplate(principal, input, { requestId: newId("request"), idempotency }),
  );
});
