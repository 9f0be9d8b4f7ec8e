/**
 * Of an account `a` and its line `l` of the audit log, which asks for the erasure: it is still to be done. One whose suspension
 * was ended afterwards is not to be erased any more, nor when it is suspended again.
 */
export const ERASURE_STANDS = `l.account_id = a.id AND l.action = 'account.request-erasure'
  AND a.verification_status = 'suspended'
  AND NOT EXISTS (SELECT FROM audit_log r WHERE r.account_id = a.id AND r.action IN ('account.restore', 'account.verify')
                  AND r.created_at >= l.created_at)`;
