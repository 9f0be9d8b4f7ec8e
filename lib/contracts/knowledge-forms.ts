import { z } from "zod";
import { attemptField, editBase } from "@/lib/contracts/edit-base";
import { versionField } from "@/lib/contracts/fields";
import { isId } from "@/lib/domain/ids";

/** Knowledge files as the panel makes and changes them; names and contents are checked by the services. */

const MAX_PATH_CHARACTERS = 300;
const MAX_CONTENT_CHARACTERS = 1024 * 1024;
/** A byte order mark goes before the content is measured. */
const MAX_UPLOAD_BYTES = 1024 * 1024 + 3;

const fileId = z.string().refine((text) => isId("knowledgeFile", text), "is not the id of a knowledge file");
const path = z.string().trim().min(1, "is required").max(MAX_PATH_CHARACTERS);
const content = z.string().max(MAX_CONTENT_CHARACTERS, "must have at most 1 MB");

export const createKnowledgeInput = z.strictObject({ path, content, attempt: attemptField });

export const saveKnowledgeInput = z.strictObject({ fileId, base: editBase, path, content });

export const knowledgeIdInput = z.strictObject({ fileId });

/** With the newest version that the reader saw, so that nobody else's later one is taken back unseen. */
export const restoreKnowledgeInput = z.strictObject({ fileId, version: versionField, began: versionField });

export const uploadKnowledgeInput = z.strictObject({
  path,
  bytes: z.instanceof(Uint8Array).refine(({ length }) => length <= MAX_UPLOAD_BYTES, "must have at most 1 MB"),
});

export const switchKnowledgeInput = z.strictObject({ isOn: z.boolean() });

export type CreateKnowledgeInput = z.output<typeof createKnowledgeInput>;
export type SaveKnowledgeInput = z.output<typeof saveKnowledgeInput>;
export type UploadKnowledgeInput = z.output<typeof uploadKnowledgeInput>;
