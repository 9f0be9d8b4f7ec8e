import { z } from "zod";
import { allowanceField } from "@/lib/contracts/allowance";
import { attemptField } from "@/lib/contracts/edit-base";
import { isVisible } from "@/lib/domain/visible-text";

/** Projects as the panel's settings show and change them (contract §1). */

const MAX_NAME_CHARACTERS = 100;
const MAX_MODEL_CHARACTERS = 200;
const MAX_SYSTEM_PROMPT_CHARACTERS = 20_000;
const MAX_RETENTION_DAYS = 3_650;

export interface ProjectRecord {
  id: string;
  name: string;
  /** Off: the API refuses the project's keys, and knowledge is not used. */
  apiEnabled: boolean;
  /** Whether the AI keeps a profile of each end user. */
  apiMemoryPerUser: boolean;
  /** Null: the operator's default model, `defaultModel`. */
  model: string | null;
  defaultModel: string;
  systemPrompt: string | null;
  /** Credits that it may use in a calendar month (UTC); null: as many as the account has. */
  creditsPerMonth: number | null;
  /** The same for each end user. */
  endUserCreditsPerMonth: number | null;
  /** Credits that each call may cost, with or without a `maxCredits` of its own; null: as many as the account has. */
  creditsPerCall: number | null;
  /** Days after which each is deleted; null: kept. */
  retention: { sessionDays: number | null; fileDays: number | null; logDays: number | null };
  createdAt: string;
  updatedAt: string;
}

const nameField = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(MAX_NAME_CHARACTERS, `must have at most ${MAX_NAME_CHARACTERS} characters`)
  .refine((text) => !hasControlCharacters(text), "must be on one line")
  .refine((text) => text === "" || isVisible(text), "must not be empty");

/** Any server that speaks the protocol may be behind it, so any name that can be one is taken. */
const modelField = z
  .string()
  .trim()
  .max(MAX_MODEL_CHARACTERS, `must have at most ${MAX_MODEL_CHARACTERS} characters`)
  .regex(/^[A-Za-z0-9][\w./:@+-]*$/, "must be the name of a model, like gpt-4.1-mini");

const systemPromptField = z
  .string()
  .max(MAX_SYSTEM_PROMPT_CHARACTERS, "must have at most 20,000 characters")
  // Postgres keeps neither.
  .refine((text) => text.isWellFormed() && !text.includes("\u0000"), "must be plain text");

const daysField = z
  .int("must be a whole number of days")
  .min(1, "must be at least 1 day")
  .max(MAX_RETENTION_DAYS, "must be at most 3,650 days")
  .nullable();

export const createProjectInput = z.strictObject({ name: nameField, attempt: attemptField });

const projectSettings = z.strictObject({
  name: nameField.optional(),
  apiEnabled: z.boolean().optional(),
  apiMemoryPerUser: z.boolean().optional(),
  model: z.preprocess(emptyToNull, modelField.nullable()).optional(),
  systemPrompt: z.preprocess(emptyToNull, systemPromptField.nullable()).optional(),
  creditsPerMonth: allowanceField.optional(),
  endUserCreditsPerMonth: allowanceField.optional(),
  creditsPerCall: allowanceField.optional(),
  sessionRetentionDays: daysField.optional(),
  fileRetentionDays: daysField.optional(),
  logRetentionDays: daysField.optional(),
});

/** What is absent stays; null takes a setting back to its default. An empty text is none. */
export const updateProjectInput = projectSettings.refine(
  (changes) => Object.keys(changes).length > 0,
  "must have at least one field to change",
);

/** The same for a form: with what it began with, so that nothing that others saved meanwhile is undone unseen. */
export const saveProjectInput = projectSettings.extend({ began: projectSettings });

export type CreateProjectInput = z.output<typeof createProjectInput>;
export type UpdateProjectInput = z.output<typeof updateProjectInput>;

function emptyToNull(value: unknown): unknown {
  return typeof value === "string" && value.trim() === "" ? null : value;
}

function hasControlCharacters(text: string): boolean {
  return !text.isWellFormed() || /\p{Cc}/u.test(text);
}
