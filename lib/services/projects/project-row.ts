import type { ProjectRecord, UpdateProjectInput } from "@/lib/contracts/projects";
import type { Project } from "@/lib/db/generated/client";
import { env } from "@/lib/env";

/** The project without its secrets. */
export function toProject(row: Project): ProjectRecord {
  return {
    id: row.id,
    name: row.name,
    apiEnabled: row.apiEnabled,
    apiMemoryPerUser: row.apiMemoryPerUser,
    model: row.model,
    defaultModel: env().DEFAULT_MODEL,
    systemPrompt: row.systemPrompt,
    creditsPerMonth: row.creditsPerMonth,
    endUserCreditsPerMonth: row.endUserCreditsPerMonth,
    creditsPerCall: row.creditsPerCall,
    retention: {
      sessionDays: row.sessionRetentionDays,
      fileDays: row.fileRetentionDays,
      logDays: row.logRetentionDays,
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What can be changed of it. */
export function settingsOf(row: Project): Required<UpdateProjectInput> {
  const { name, apiEnabled, apiMemoryPerUser, model, systemPrompt } = row;
  const { creditsPerMonth, endUserCreditsPerMonth, creditsPerCall } = row;
  const { sessionRetentionDays, fileRetentionDays, logRetentionDays } = row;
  return {
    name,
    apiEnabled,
    apiMemoryPerUser,
    model,
    systemPrompt,
    creditsPerMonth,
    endUserCreditsPerMonth,
    creditsPerCall,
    sessionRetentionDays,
    fileRetentionDays,
    logRetentionDays,
  };
}
