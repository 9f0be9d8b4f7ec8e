import { db } from "@/lib/db/pool";
import { isRole, mayDo, type PanelActionId } from "@/lib/domain/panel-actions";

/**
 * Whether somebody is still signed in in a session and may still do something in an account; for answers that take long. Looks
 * only: an answer that goes on by itself is no sign that anybody is there.
 */
export async function mayStill(
  { sessionId, accountId }: { sessionId: string; accountId: string },
  action: PanelActionId,
): Promise<boolean> {
  const { rows } = await db().query<{ role: string }>({
    name: "may-still",
    text: `SELECT m.role FROM user_sessions s
             JOIN users u ON u.id = s.user_id
             JOIN members m ON m.user_id = u.id AND m.account_id = $2
            WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL`,
    values: [sessionId, accountId],
  });
  const [member] = rows;
  return member !== undefined && isRole(member.role) && mayDo(member.role, action);
}
