import { z } from "zod";
import { versionField } from "@/lib/contracts/fields";

/** What somebody who edits began with; what is saved over anything newer would undo another person's work unseen. */
export const editBase = z.strictObject({ version: versionField, updatedAt: z.iso.datetime() });

export type EditBase = z.output<typeof editBase>;

/** The same for settings that have no versions: what stood in the fields when the reader began. */
export type SaveInput<Values> = Values & { began: Values };

/** What became of saving: `conflict` when somebody else saved meanwhile, with what stands there now; nothing is changed. */
export type SaveResult<T> = { outcome: "saved"; saved: T } | { outcome: "conflict"; current: T };

/** Refuses what Postgres keeps no text of: NUL characters and halves of surrogate pairs. */
export function plainText<S extends z.ZodType<string>>(field: S) {
  return field.refine((text) => text.isWellFormed() && !text.includes("\u0000"), "must be plain text");
}

/** Of a form that creates: the same each time that it is sent with the same content (components/ui/use-once.ts). */
export const attemptField = z.string().min(16).max(64).optional();
