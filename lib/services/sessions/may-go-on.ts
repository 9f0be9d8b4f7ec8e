import { db } from "@/lib/db/pool";
import { AppError, notFound } from "@/lib/domain/errors";
import { isRole, mayDo, type PanelActionId } from "@/lib/domain/panel-actions";
import type { ProjectScope } from "@/lib/domain/principal";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { refuseWhileOff } from "@/lib/services/sessions/retry-session";

interface Standing {
  isSuspended: boolean;
  apiEnabled: boolean;
  /** Null: of this account no more. */
  role: string | null;
  isSignedIn: boolean;
}

/**
 * For acts of the panel that go on for a while: whether what let them begin still holds. A call by the API is asked for all of
 * this itself.
 * @throws AppError NOT_FOUND when the person was removed, made less or signed out; B2B_NOT_VERIFIED; API_DISABLED
 */
export async function assertMayGoOn(scope: ProjectScope, actor: Actor, action: PanelActionId): Promise<void> {
  const standing = await findStanding(scope, actor);
  if (!standing) throw notFound("The project");
  const { isSuspended, role, isSignedIn } = standing;
  if (!isSignedIn) throw new AppError("NOT_FOUND", "Your session has ended. Sign in again.");
  if (!role || !isRole(role) || !mayDo(role, action)) {
    throw new AppError("NOT_FOUND", "Your role does not allow this any more. Ask an owner of the account.");
  }
  if (isSuspended) {
    throw new AppError("B2B_NOT_VERIFIED", "The account is suspended. API B2B, Verification, says why.");
  }
  refuseWhileOff(standing);
}

async function findStanding(
  { accountId, projectId }: ProjectScope,
  { userId, sessionId }: Actor,
): Promise<Standing | undefined> {
  const { rows } = await db().query<Standing>({
    name: "find-standing",
    text: `
      SELECT a.verification_status = 'suspended' AS "isSuspended", p.api_enabled AS "apiEnabled",
             (SELECT m.role FROM members m JOIN users u ON u.id = m.user_id
              WHERE m.account_id = a.id AND m.user_id = $3 AND u.disabled_at IS NULL) AS role,
             $4::text IS NULL OR EXISTS (SELECT FROM user_sessions WHERE id = $4 AND revoked_at IS NULL) AS "isSignedIn"
      FROM projects p JOIN accounts a ON a.id = p.account_id WHERE p.id = $1 AND a.id = $2`,
    values: [projectId, accountId, userId ?? null, sessionId ?? null],
  });
  return rows[0];
}
