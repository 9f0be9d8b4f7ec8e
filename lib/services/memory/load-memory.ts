import { db } from "@/lib/db/pool";

/** An end user's profile as it goes into a prompt. */
export interface LoadedMemory {
  content: string;
  version: number;
}

/** The profile of this end user of this project; null when there is none, or memory is off for the project. */
export async function loadMemory(projectId: string, endUserId: string): Promise<LoadedMemory | null> {
  const { rows } = await db().query<LoadedMemory>({
    name: "load-memory",
    text: `SELECT m.content, m.version FROM memory_profiles m JOIN projects p ON p.id = m.project_id AND p.api_memory_per_user
           WHERE m.project_id = $1 AND m.end_user_id = $2 AND m.content <> ''`,
    values: [projectId, endUserId],
  });
  return rows[0] ?? null;
}
