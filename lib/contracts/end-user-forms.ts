import { z } from "zod";
import { plainText } from "@/lib/contracts/edit-base";
import { baseVersionField, endUserIdField } from "@/lib/contracts/fields";
import { cursorFields } from "@/lib/contracts/panel-lists";
import { MAX_END_USER_ID_CHARACTERS } from "@/lib/domain/end-user-id";
import { MAX_PROFILE_CHARACTERS } from "@/lib/domain/memory-rules";

/** What the panel sends about end users, and how its addresses list them. */

export const endUserListQuery = z.object({
  /** How the id begins. */
  q: plainText(z.string().trim().min(1).max(MAX_END_USER_ID_CHARACTERS)).optional(),
  ...cursorFields,
});

export const endUserInput = z.strictObject({ endUserId: endUserIdField });

export const eraseEndUserInput = z.strictObject({
  endUserId: endUserIdField,
  confirmation: z.string().max(MAX_END_USER_ID_CHARACTERS),
});

export const saveMemoryInput = z.strictObject({
  endUserId: endUserIdField,
  content: z.string().max(MAX_PROFILE_CHARACTERS, `must have at most ${MAX_PROFILE_CHARACTERS} characters`),
  baseVersion: baseVersionField,
});

export type SaveMemoryInput = z.output<typeof saveMemoryInput>;
