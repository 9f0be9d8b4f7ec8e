import { db } from "@/lib/db/pool";
import { isRole, type Role } from "@/lib/domain/panel-actions";
import { isPlanId, type PlanId, SIGN_UP_PLAN } from "@/lib/domain/plans";

/** An account that a person belongs to, with its projects, the oldest first. */
export interface Membership {
  role: Role;
  account: { id: string; companyName: string; verificationStatus: string; planId: PlanId };
  projects: MembershipProject[];
}

export interface MembershipProject {
  id: string;
  name: string;
  apiEnabled: boolean;
  apiMemoryPerUser: boolean;
  /** Null: the operator's default. */
  model: string | null;
  /** Credits that it may use in a month; null: no limit. */
  credits: number | null;
  /** Credits that each end user may use in a month; null: no limit. */
  endUserCredits: number | null;
  /** Credits that each call may cost; null: no limit. */
  callCredits: number | null;
}

interface MembershipRow {
  role: string;
  account_id: string;
  company_name: string;
  verification_status: string;
  plan_id: string;
  projects: MembershipProject[];
}

/** The accounts of a person, in the order in which they joined them. An account without a project is left out. */
export async function listMemberships(userId: string): Promise<Membership[]> {
  const { rows } = await db().query<MembershipRow>({
    name: "list-memberships",
    text: `SELECT m.role, a.id AS account_id, a.company_name, a.verification_status, a.plan_id, p.projects
             FROM members m
             JOIN accounts a ON a.id = m.account_id
             CROSS JOIN LATERAL (
               SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name, 'apiEnabled', api_enabled,
                        'apiMemoryPerUser', api_memory_per_user, 'model', model, 'credits', credits_per_month,
                        'endUserCredits', end_user_credits_per_month,
                        'callCredits', credits_per_call)
                        ORDER BY created_at, id) AS projects
                 FROM projects WHERE account_id = a.id) p
            WHERE m.user_id = $1 AND p.projects IS NOT NULL
            ORDER BY m.created_at, a.id`,
    values: [userId],
  });
  return rows.flatMap((row) => (isRole(row.role) ? [membershipOf(row, row.role)] : []));
}

function membershipOf(row: MembershipRow, role: Role): Membership {
  return {
    role,
    account: {
      id: row.account_id,
      companyName: row.company_name,
      verificationStatus: row.verification_status,
      planId: isPlanId(row.plan_id) ? row.plan_id : SIGN_UP_PLAN,
    },
    projects: row.projects,
  };
}
