import type { ApiKeyRecord } from "@/lib/contracts/api-keys";
import { apiKeyAgeDays, apiKeyStatus, isRotationDue } from "@/lib/domain/api-key-status";
import type { Permission } from "@/lib/domain/permissions";

/** A key as the queries of this folder select it; never with its hash. */
export interface ApiKeyRow {
  id: string;
  name: string;
  hint: string;
  permissions: Permission[];
  creditsPerMonth: number | null;
  allowedNetworks: string[];
  createdAt: Date;
  createdBy: ApiKeyRecord["createdBy"];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
  replacedById: string | null;
  replacesId: string | null;
}

/** Keys with who made them and what they took over from. Both look-ups are within the key's own project. */
export const SELECT_KEYS = `
  SELECT k.id, k.name, k.hint, k.permissions, k.credits_per_month AS "creditsPerMonth",
         k.allowed_networks AS "allowedNetworks", k.created_at AS "createdAt",
         CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name, 'email', u.email) END AS "createdBy",
         k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt",
         k.last_used_ip AS "lastUsedIp", k.replaced_by_id AS "replacedById",
         (SELECT b.id FROM api_keys b WHERE b.project_id = k.project_id AND b.replaced_by_id = k.id) AS "replacesId"
  FROM api_keys k
  LEFT JOIN members m ON m.account_id = k.account_id AND m.user_id = k.created_by_id
  LEFT JOIN users u ON u.id = m.user_id`;

export function toApiKey(row: ApiKeyRow, now: Date): ApiKeyRecord {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    permissions: row.permissions,
    creditsPerMonth: row.creditsPerMonth,
    allowedNetworks: row.allowedNetworks,
    status: apiKeyStatus(row, now),
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    ageDays: apiKeyAgeDays(row, now),
    isRotationDue: isRotationDue(row, now),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedIp: row.lastUsedIp,
    replacedById: row.replacedById,
    replacesId: row.replacesId,
  };
}
