import type { MemoryProfile } from "@/lib/contracts/knowledge";
import type { Principal } from "@/lib/domain/principal";

/** Whose end users: the project that an owner works on in the panel. */
export type MemoryScope = Pick<Principal, "projectId">;

export interface MemoryProfileRow {
  endUserId: string;
  content: string;
  version: number;
  updatedAt: Date;
  forgottenAt: Date | null;
}

export const MEMORY_COLUMNS = `
  m.end_user_id AS "endUserId", m.content, m.version, m.updated_at AS "updatedAt", m.forgotten_at AS "forgottenAt"`;

export function toMemoryProfile(row: MemoryProfileRow): MemoryProfile {
  return {
    endUserId: row.endUserId,
    content: row.content,
    version: row.version,
    updatedAt: row.updatedAt.toISOString(),
    forgottenAt: row.forgottenAt?.toISOString() ?? null,
  };
}
